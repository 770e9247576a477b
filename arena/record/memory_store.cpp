#include "arena/record/open_store.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include "arena/record/store_rules.hpp"

namespace arena {
namespace {

using protocol::Result;

using RoundKey = std::tuple<int, int, int>;
RoundKey key_of(const RoundPlan& plan) { return {plan.stage, plan.round, plan.attempt}; }

class MemoryStore : public Store {
  public:
    explicit MemoryStore(Keep keep) : keeps_(keep == Keep::Games) {}

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
            events_.emplace_back(entrants_.size());
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
        for (const auto& [entrant, name] : names)
            entrants_[static_cast<std::size_t>(entrant)].name = name;
        return {};
    }

    Result<void> plan(const std::vector<RoundPlan>& rounds) override {
        const std::lock_guard lock(mutex_);
        std::map<RoundKey, const RoundPlan*> known;  // of this call
        std::vector<const RoundPlan*> fresh;
        for (const RoundPlan& round : rounds) {
            auto checked = check_plan(round, entrants_.size());
            if (!checked) return checked;
            const auto old = rounds_.find(key_of(round));
            const bool is_old = old != rounds_.end();
            const auto [there, is_first] =
                known.try_emplace(key_of(round), is_old ? &old->second : &round);
            if (is_first && !is_old) fresh.push_back(&round);
            if (there->second != &round) checked = check_same_plan(*there->second, round);
            if (!checked) return checked;
        }
        for (const RoundPlan* round : fresh) {
            for (const PlannedPair& pair : round->pairs) {
                pairs_[pair.key] = {pair};
                unclaimed_.insert(pair.key);
            }
            if (keeps_) rounds_[key_of(*round)] = *round;
            events_.emplace_back(*round);
        }
        return {};
    }

    Result<std::vector<Claim>> claim(std::size_t count) override {
        const std::lock_guard lock(mutex_);
        std::vector<Claim> claims;
        while (!unclaimed_.empty() && claims.size() < count) {
            const PairKey key = unclaimed_.extract(unclaimed_.begin()).value();
            claims.push_back(pairs_[key]);
        }
        return claims;
    }

    Result<std::vector<Recorded>> record(const std::vector<GameRecord>& games) override {
        const std::lock_guard lock(mutex_);
        for (const GameRecord& game : games) {
            const auto pair = pairs_.find(game.task.key.pair);
            if (pair == pairs_.end()) return not_planned(game.task.key);
            const auto checked = check_game(game, pair->second.pair);
            if (!checked) return checked.error();
        }
        std::vector<Recorded> answers;
        for (const GameRecord& game : games) answers.push_back(record(game));
        return answers;
    }

    Result<std::vector<Event>> events(std::uint64_t after, std::size_t limit) override {
        const std::lock_guard lock(mutex_);
        for (; !keeps_ && forgotten_ < after && !events_.empty(); ++forgotten_)
            events_.pop_front();
        std::vector<Event> events;
        for (std::size_t i = std::max(after, forgotten_) - forgotten_;
             i < events_.size() && events.size() < limit; ++i) {
            Event& event = events.emplace_back(Event{forgotten_ + i + 1, {}});
            if (const auto* joined = std::get_if<std::size_t>(&events_[i]))
                event.what = entrants_[*joined];
            else if (const auto* round = std::get_if<RoundPlan>(&events_[i]))
                event.what = *round;
            else
                event.what = std::get<GameResult>(events_[i]);
        }
        return events;
    }

    Result<std::optional<GameRecord>> game(const GameKey& key) override {
        const std::lock_guard lock(mutex_);
        const auto game = games_.find(key);
        if (game == games_.end()) return std::optional<GameRecord>();
        return std::optional(game->second);
    }

    Result<void> for_each_game(const std::function<bool(const GameRecord&)>& visit) override {
        std::optional<GameKey> last;
        for (;;) {
            std::unique_lock lock(mutex_);
            const auto next = last ? games_.upper_bound(*last) : games_.begin();
            if (next == games_.end()) return {};
            const GameRecord game = next->second;
            lock.unlock();
            last = game.task.key;
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

  private:
    Recorded record(const GameRecord& game) {
        const GameKey& key = game.task.key;
        const auto pair = pairs_.find(key.pair);
        if (pair == pairs_.end()) return Recorded::Known;  // forgotten in this batch
        std::array<bool, 2>& missing = pair->second.missing;
        if (!std::exchange(missing[key.leg == 2 ? 1 : 0], false)) return Recorded::Known;
        events_.emplace_back(result_of(game));
        if (keeps_) {
            GameRecord& stored = games_[key] = game;
            stored.annotation.clear();
            make_fit_to_store(stored);
        }
        if (!missing[0] && !missing[1]) {
            unclaimed_.erase(key.pair);
            if (!keeps_) pairs_.erase(pair);
        }
        return Recorded::New;
    }

    const bool keeps_;
    std::mutex mutex_;  // of all below
    Configuration configuration_;
    std::vector<Entrant> entrants_;
    std::map<RoundKey, RoundPlan> rounds_;
    std::map<PairKey, Claim> pairs_;
    std::set<PairKey> unclaimed_;
    std::map<GameKey, GameRecord> games_;
    std::deque<std::variant<std::size_t, RoundPlan, GameResult>> events_;  // number of a player
    std::uint64_t forgotten_ = 0;  // events before the first of these
};

}  // namespace

std::unique_ptr<Store> make_memory_store(Keep keep) {
    return std::make_unique<MemoryStore>(keep);
}

}  // namespace arena
