#include "arena/store/memory_store.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "arena/store/checks.hpp"

namespace arena {
namespace {

using protocol::Result;

class MemoryStore : public Store {
  public:
    explicit MemoryStore(Now now) : leases_(std::move(now)) {}

    Result<void> open(const Configuration& configuration) override {
        const std::lock_guard lock(mutex_);
        if (!configuration_.empty() && configuration_ != configuration)
            return other_configuration(configuration_, configuration);
        configuration_ = configuration;
        return {};
    }

    Result<Configuration> configuration() override {
        const std::lock_guard lock(mutex_);
        return configuration_;
    }

    Result<void> join(const std::vector<Entrant>& entrants) override {
        const std::lock_guard lock(mutex_);
        const auto checked = check_join(entrants_, entrants);
        if (!checked) return checked.error();
        for (const Entrant& entrant : entrants) {
            events_.emplace_back(Joined{entrants_.size()});
            entrants_.push_back(entrant);
        }
        return {};
    }

    Result<std::vector<Entrant>> entrants() override {
        const std::lock_guard lock(mutex_);
        return entrants_;
    }

    Result<void> rename(const std::vector<std::pair<int, std::string>>& names) override {
        const std::lock_guard lock(mutex_);
        const auto checked = check_rename(entrants_, names);
        if (!checked) return checked.error();
        for (const auto& [entrant, name] : names) {
            entrants_[static_cast<std::size_t>(entrant)].name = name;
        }
        return {};
    }

    Result<void> plan(const std::vector<RoundPlan>& rounds) override {
        const std::lock_guard lock(mutex_);
        std::map<RoundKey, RoundPlan> fresh;
        std::vector<RoundKey> order;
        for (const RoundPlan& round : rounds) {
            const auto checked = check_plan(round, entrants_.size());
            if (!checked) return checked.error();
            const RoundKey key{round.stage, round.round, round.attempt};
            const RoundPlan* there = nullptr;
            if (const auto old = rounds_.find(key); old != rounds_.end()) there = &old->second;
            if (const auto now = fresh.find(key); now != fresh.end()) there = &now->second;
            if (there == nullptr) {
                fresh[key] = round;
                order.push_back(key);
            } else if (const auto same = check_same_plan(*there, round); !same) {
                return same.error();
            }
        }
        for (const RoundKey& key : order) {
            const RoundPlan& round = rounds_[key] = fresh[key];
            for (const PlannedPair& pair : round.pairs) {
                pairs_[pair.key] = pair;
                unplayed_from_ = std::min(unplayed_from_, pair.key);
            }
            events_.emplace_back(round);
        }
        return {};
    }

    Result<std::vector<Claim>> claim(const std::string&, std::size_t count,
                                     std::chrono::milliseconds lease) override {
        const std::lock_guard lock(mutex_);
        std::vector<Claim> claims;
        bool all_played = true;  // up to here
        for (auto place = pairs_.lower_bound(unplayed_from_); place != pairs_.end(); ++place) {
            if (claims.size() == count) break;
            const auto& [key, pair] = *place;
            const std::array missing{!games_.contains({key, 1}), !games_.contains({key, 2})};
            const bool played = !missing[0] && !missing[1];
            all_played = all_played && played;
            if (all_played) unplayed_from_ = key;
            if (played || leases_.held(key)) continue;
            claims.push_back({pair, missing, leases_.grant(key, lease)});
        }
        return claims;
    }

    Result<std::vector<std::uint64_t>> renew(const std::vector<std::uint64_t>& tokens,
                                             std::chrono::milliseconds lease) override {
        const std::lock_guard lock(mutex_);
        return leases_.renew(tokens, lease);
    }

    Result<void> release(const std::vector<std::uint64_t>& tokens) override {
        const std::lock_guard lock(mutex_);
        leases_.release(tokens);
        return {};
    }

    Result<std::vector<Recorded>> record(const std::vector<FinishedGame>& games) override {
        const std::lock_guard lock(mutex_);
        for (const FinishedGame& game : games) {
            const auto pair = pairs_.find(game.record.task.key.pair);
            if (pair == pairs_.end()) return not_planned(game.record.task.key);
            const auto checked = check_game(game.record, pair->second);
            if (!checked) return checked.error();
        }
        std::vector<Recorded> answers;
        for (const FinishedGame& game : games) answers.push_back(record(game));
        return answers;
    }

    Result<std::vector<Event>> events(std::uint64_t after, std::size_t limit) override {
        const std::lock_guard lock(mutex_);
        std::vector<Event> events;
        for (std::size_t i = after; i < events_.size() && events.size() < limit; ++i) {
            Event& event = events.emplace_back(Event{i + 1, {}});
            if (const auto* joined = std::get_if<Joined>(&events_[i]))
                event.what = entrants_[joined->number];
            else if (const auto* round = std::get_if<RoundPlan>(&events_[i]))
                event.what = *round;
            else
                event.what = std::get<GameResult>(events_[i]);
        }
        return events;
    }

    Result<std::optional<StoredGame>> game(const GameKey& key) override {
        const std::lock_guard lock(mutex_);
        const auto game = games_.find(key);
        if (game == games_.end()) return std::optional<StoredGame>();
        return std::optional(game->second);
    }

    Result<void> for_each_game(const std::function<bool(const StoredGame&)>& visit) override {
        std::optional<GameKey> last;
        for (;;) {
            std::unique_lock lock(mutex_);
            const auto next = last ? games_.upper_bound(*last) : games_.begin();
            if (next == games_.end()) return {};
            const StoredGame game = next->second;
            lock.unlock();
            last = game.record.task.key;
            if (!visit(game)) return {};
        }
    }

    Result<void> annotate(const std::vector<Annotation>& annotations) override {
        const std::lock_guard lock(mutex_);
        for (const Annotation& annotation : annotations) {
            if (!games_.contains(annotation.key)) return not_recorded(annotation.key);
        }
        for (const Annotation& annotation : annotations)
            games_[annotation.key].annotation = annotation.text;
        return {};
    }

    Result<std::vector<GameKey>> unannotated(const std::optional<GameKey>& after,
                                             std::size_t limit) override {
        const std::lock_guard lock(mutex_);
        std::vector<GameKey> keys;
        for (auto game = after ? games_.upper_bound(*after) : games_.begin();
             game != games_.end() && keys.size() < limit; ++game) {
            if (game->second.annotation.empty()) keys.push_back(game->first);
        }
        return keys;
    }

  private:
    using RoundKey = std::tuple<int, int, int>;  // stage, round, attempt
    struct Joined {
        std::size_t number;
    };

    Recorded record(const FinishedGame& game) {
        const GameKey& key = game.record.task.key;
        if (games_.contains(key)) return Recorded::Known;
        if (!leases_.valid(game.token, key.pair)) return Recorded::Stale;
        GameRecord& record = games_[key].record = game.record;
        make_fit_to_store(record);
        events_.emplace_back(result_of(record));
        if (games_.contains({key.pair, 3 - key.leg})) leases_.drop(key.pair);
        return Recorded::New;
    }

    std::mutex mutex_;
    Configuration configuration_;
    std::vector<Entrant> entrants_;
    std::map<RoundKey, RoundPlan> rounds_;
    std::map<PairKey, PlannedPair> pairs_;
    PairKey unplayed_from_{};  // all pairs before it have been played
    std::map<GameKey, StoredGame> games_;
    std::vector<std::variant<Joined, RoundPlan, GameResult>> events_;
    Leases leases_;
};

}  // namespace

std::unique_ptr<Store> make_memory_store(Now now) {
    return std::make_unique<MemoryStore>(std::move(now));
}

}  // namespace arena
