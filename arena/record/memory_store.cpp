// A store in memory, for contests without a record and for tests.
//
// Sessions (MemoryStore) share one MemoryRecord, which a mutex guards. The program has one
// session; with Keep::Nothing its record forgets each pair that is complete. Tests attach
// several sessions to a SharedMemory, each in the place of a process: leases, the lead and
// late results follow the same rules as in a database, but by a clock that the test moves. So
// this store is the oracle of the others.
//
// Changes are reported on a thread (ChangeNotifier), as by a database: a callback may use the
// store.
#include "arena/record/memory_store.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "arena/record/checks.hpp"
#include "arena/record/sharing.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

using RoundKey = std::tuple<int, int, int>;  // stage, round, attempt

struct JoinedEvent {
    std::size_t number;
};

// With the games that have been played, by leg.
struct MemoryPair {
    PlannedPair plan;
    std::array<bool, 2> played{};
    int worker = 0;  // that has leased it
};

// A store that is attached to the record.
struct MemorySession {
    WorkerStatus status;
    Clock::time_point since;
    std::optional<Clock::time_point> until;  // the end of its lease, once its store is gone
    std::set<PairKey> leases;
    bool has_led = false;
};

// Calls back on a thread of its own.
class ChangeNotifier {
  public:
    ~ChangeNotifier() {
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
        }
        woken_.notify_all();
        if (thread_.joinable()) thread_.join();
    }
    // Returns once the former function of this id is not running.
    void set(int id, std::function<void()> changed) {
        const std::lock_guard lock(calling_);
        if (changed && !thread_.joinable()) thread_ = std::thread([this] { run(); });
        if (changed)
            changed_[id] = std::move(changed);
        else
            changed_.erase(id);
    }
    void notify() {
        {
            const std::lock_guard lock(mutex_);
            dirty_ = true;
        }
        woken_.notify_all();
    }

  private:
    void run() {
        std::unique_lock lock(mutex_);
        for (;;) {
            woken_.wait(lock, [this] { return dirty_ || ended_; });
            if (ended_) return;
            dirty_ = false;
            lock.unlock();
            {
                const std::lock_guard calling(calling_);
                for (const auto& [id, changed] : changed_) changed();
            }
            lock.lock();
        }
    }

    std::mutex calling_;  // taken before mutex_
    std::map<int, std::function<void()>> changed_;
    std::mutex mutex_;
    std::condition_variable woken_;
    bool dirty_ = false;
    bool ended_ = false;
    std::thread thread_;
};

// The data that its stores share.
struct MemoryRecord {
    std::chrono::milliseconds lease{0};
    SharedMemory::Now now = Clock::now;
    ChangeNotifier notifier;

    std::mutex mutex;  // of all below
    Configuration configuration;
    std::vector<Entrant> entrants;
    std::map<RoundKey, RoundPlan> rounds;
    std::map<PairKey, MemoryPair> pairs;
    std::set<PairKey> unclaimed;
    std::map<GameKey, StoredGame> games;
    std::deque<std::variant<JoinedEvent, RoundPlan, GameResult>> events;
    std::uint64_t forgotten = 0;  // events before the first of these
    std::map<int, MemorySession> sessions;
    int leader = 0;
    bool is_finished = false;
    std::map<int, std::string> builds;
    std::map<std::pair<GameKey, int>, std::string> verified;

    bool is_live(const MemorySession& session) const {
        return !session.until || now() < *session.until;
    }
    // Gives a leased pair back to be claimed.
    void free(const PairKey& key) {
        const auto pair = pairs.find(key);
        if (pair == pairs.end()) return;
        pair->second.worker = 0;
        unclaimed.insert(key);
    }
    void free_all(MemorySession& session) {
        for (const PairKey& key : std::exchange(session.leases, {})) free(key);
    }
    void give_up_lead(int id) {
        if (leader == id) leader = 0;
    }
};

class MemoryStore : public Sharing {
  public:
    MemoryStore(std::shared_ptr<MemoryRecord> core, Keep keep, bool is_shared)
        : record_(std::move(core)), keeps_(keep == Keep::Games), is_shared_(is_shared) {
        const std::lock_guard lock(mutex_);
        id_ = static_cast<int>(record_->sessions.size()) + 1;
        session_ = &record_->sessions[id_];
        session_->status.id = id_;
        session_->since = record_->now();
    }
    ~MemoryStore() override {
        record_->notifier.set(id_, nullptr);
        const std::lock_guard lock(mutex_);
        if (!session_->until) session_->until = record_->now() + record_->lease;
        record_->give_up_lead(id_);
    }

    Result<void> open(const Configuration& configuration) override {
        const std::lock_guard lock(mutex_);
        if (!record_->configuration.empty() && record_->configuration != configuration)
            return other_configuration(record_->configuration, configuration);
        record_->configuration = configuration;
        return {};
    }

    Result<Configuration> configuration() override {
        const std::lock_guard lock(mutex_);
        return record_->configuration;
    }

    Result<void> join(const std::vector<Entrant>& entrants) override {
        const std::lock_guard lock(mutex_);
        const auto checked = check_join(record_->entrants, entrants);
        if (!checked) return checked.error();
        for (const Entrant& entrant : entrants) {
            record_->events.emplace_back(JoinedEvent{record_->entrants.size()});
            record_->entrants.push_back(entrant);
        }
        if (!entrants.empty()) record_->is_finished = false;
        changed();
        return {};
    }

    Result<std::vector<Entrant>> entrants() override {
        const std::lock_guard lock(mutex_);
        return record_->entrants;
    }

    Result<void> rename(const std::vector<std::pair<int, std::string>>& names) override {
        const std::lock_guard lock(mutex_);
        const auto checked = check_rename(record_->entrants, names);
        if (!checked) return checked.error();
        for (const auto& [entrant, name] : names) {
            record_->entrants[static_cast<std::size_t>(entrant)].name = name;
        }
        return {};
    }

    Result<void> plan(const std::vector<RoundPlan>& rounds) override {
        const std::lock_guard lock(mutex_);
        if (const auto leads = check_leads(); !leads) return leads;
        std::map<RoundKey, RoundPlan> fresh;
        std::vector<RoundKey> order;
        for (const RoundPlan& round : rounds) {
            const auto checked = check_plan(round, record_->entrants.size());
            if (!checked) return checked.error();
            const RoundKey key{round.stage, round.round, round.attempt};
            const RoundPlan* there = nullptr;
            if (const auto old = record_->rounds.find(key); old != record_->rounds.end())
                there = &old->second;
            if (const auto now = fresh.find(key); now != fresh.end()) there = &now->second;
            if (there == nullptr) {
                fresh[key] = round;
                order.push_back(key);
            } else if (const auto same = check_same_plan(*there, round); !same) {
                return same.error();
            }
        }
        for (const RoundKey& key : order) {
            RoundPlan& round = fresh[key];
            for (const PlannedPair& pair : round.pairs) {
                record_->pairs[pair.key] = {pair, {}, 0};
                record_->unclaimed.insert(pair.key);
            }
            if (keeps_) record_->rounds[key] = round;
            record_->events.emplace_back(std::move(round));
        }
        if (!order.empty()) record_->is_finished = false;
        changed();
        return {};
    }

    Result<std::vector<Claim>> claim(std::size_t count) override {
        const std::lock_guard lock(mutex_);
        session_->until.reset();
        for (auto& [id, session] : record_->sessions) {
            if (!record_->is_live(session)) record_->free_all(session);
        }
        std::vector<Claim> claims;
        while (!record_->unclaimed.empty() && claims.size() < count) {
            const PairKey key = record_->unclaimed.extract(record_->unclaimed.begin()).value();
            MemoryPair& pair = record_->pairs[key];
            const std::array missing{!pair.played[0], !pair.played[1]};
            if (!missing[0] && !missing[1]) continue;
            pair.worker = id_;
            session_->leases.insert(key);
            // After a lapse it may still be playing this pair.
            if (held_.insert(key).second) claims.push_back({pair.plan, missing});
        }
        return claims;
    }

    Result<std::vector<Recorded>> record(const std::vector<GameRecord>& games) override {
        const std::lock_guard lock(mutex_);
        for (const GameRecord& game : games) {
            const auto pair = record_->pairs.find(game.task.key.pair);
            if (pair == record_->pairs.end()) return not_planned(game.task.key);
            const auto checked = check_game(game, pair->second.plan);
            if (!checked) return checked.error();
        }
        std::vector<Recorded> answers;
        for (const GameRecord& game : games) answers.push_back(record(game));
        changed();
        return answers;
    }

    Result<std::vector<Event>> events(std::uint64_t after, std::size_t limit) override {
        const std::lock_guard lock(mutex_);
        for (; !keeps_ && record_->forgotten < after && !record_->events.empty();
             ++record_->forgotten)
            record_->events.pop_front();
        std::vector<Event> events;
        for (std::size_t i = std::max(after, record_->forgotten) - record_->forgotten;
             i < record_->events.size() && events.size() < limit; ++i) {
            Event& event = events.emplace_back(Event{record_->forgotten + i + 1, {}});
            if (const auto* joined = std::get_if<JoinedEvent>(&record_->events[i]))
                event.what = record_->entrants[joined->number];
            else if (const auto* round = std::get_if<RoundPlan>(&record_->events[i]))
                event.what = *round;
            else
                event.what = std::get<GameResult>(record_->events[i]);
        }
        return events;
    }

    Result<std::optional<StoredGame>> game(const GameKey& key) override {
        const std::lock_guard lock(mutex_);
        const auto game = record_->games.find(key);
        if (game == record_->games.end()) return std::optional<StoredGame>();
        return std::optional(game->second);
    }

    Result<void> for_each_game(const std::function<bool(const StoredGame&)>& visit) override {
        std::optional<GameKey> last;
        for (;;) {
            std::unique_lock lock(mutex_);
            const auto next = last ? record_->games.upper_bound(*last) : record_->games.begin();
            if (next == record_->games.end()) return {};
            const StoredGame game = next->second;
            lock.unlock();
            last = game.record.task.key;
            if (!visit(game)) return {};
        }
    }

    Result<void> annotate(const std::vector<Annotation>& annotations) override {
        const std::lock_guard lock(mutex_);
        for (const Annotation& annotation : annotations) {
            if (!record_->games.contains(annotation.key)) return not_recorded(annotation.key);
        }
        for (const Annotation& annotation : annotations)
            record_->games[annotation.key].annotation = annotation.text;
        return {};
    }

    Result<std::vector<GameKey>> unannotated(const std::optional<GameKey>& after,
                                             std::size_t limit) override {
        const std::lock_guard lock(mutex_);
        std::vector<GameKey> keys;
        for (auto game = after ? record_->games.upper_bound(*after) : record_->games.begin();
             game != record_->games.end() && keys.size() < limit; ++game) {
            if (game->second.annotation.empty()) keys.push_back(game->first);
        }
        return keys;
    }

    // ---- sharing ----

    Sharing* sharing() override { return is_shared_ ? this : nullptr; }

    Result<int> enlist(const WorkerInfo& info) override {
        const std::lock_guard lock(mutex_);
        session_->status.info = info;
        session_->until.reset();
        return id_;
    }

    Result<void> leave() override {
        const std::lock_guard lock(mutex_);
        record_->free_all(*session_);
        held_.clear();
        session_->until = record_->now();
        record_->give_up_lead(id_);
        changed();
        return {};
    }

    Result<void> release(const std::vector<PairKey>& pairs) override {
        const std::lock_guard lock(mutex_);
        for (const PairKey& key : pairs) {
            held_.erase(key);
            if (session_->leases.erase(key) > 0) record_->free(key);
        }
        changed();
        return {};
    }

    std::chrono::milliseconds lease() const override { return record_->lease; }
    bool may_plan() const override { return true; }

    Result<bool> lead() override {
        const std::lock_guard lock(mutex_);
        if (record_->leader == 0) record_->leader = id_;
        session_->has_led = record_->leader == id_;
        return session_->has_led;
    }

    Result<void> finish() override {
        const std::lock_guard lock(mutex_);
        auto leads = check_leads();
        if (!leads) return leads;
        record_->is_finished = true;
        changed();
        return {};
    }

    Result<bool> finished() override {
        const std::lock_guard lock(mutex_);
        return record_->is_finished;
    }

    void on_change(std::function<void()> changed) override {
        record_->notifier.set(id_, std::move(changed));
    }

    Result<std::vector<WorkerStatus>> workers() override {
        const std::lock_guard lock(mutex_);
        std::vector<WorkerStatus> workers;
        for (const auto& [id, session] : record_->sessions) {
            WorkerStatus& worker = workers.emplace_back(session.status);
            worker.is_live = record_->is_live(session);
            worker.leases = session.leases.size();
            const std::chrono::duration<double> age = record_->now() - session.since;
            if (age.count() > 0) worker.rate = static_cast<double>(worker.games) / age.count();
        }
        return workers;
    }

    Result<QueueStatus> queue() override {
        const std::lock_guard lock(mutex_);
        QueueStatus queue;
        queue.waiting = record_->unclaimed.size();
        for (const auto& [id, session] : record_->sessions)
            queue.leased += session.leases.size();
        queue.events = record_->events.size();
        queue.has_planner = record_->leader != 0;
        queue.is_finished = record_->is_finished;
        return queue;
    }

    Result<std::string> build(int player, const std::string& hashes) override {
        const std::lock_guard lock(mutex_);
        return record_->builds.try_emplace(player, hashes).first->second;
    }

    Result<std::vector<std::pair<int, std::string>>> builds() override {
        const std::lock_guard lock(mutex_);
        return std::vector<std::pair<int, std::string>>(record_->builds.begin(),
                                                        record_->builds.end());
    }

    Result<void> verify(const Verification& verification) override {
        const std::lock_guard lock(mutex_);
        const auto game = record_->games.find(verification.key);
        if (game == record_->games.end() || game->second.worker == id_)
            return not_of_another(verification.key);
        record_->verified[{verification.key, id_}] = verification.difference;
        return {};
    }

    Result<std::vector<Verification>> verifications(bool differing) override {
        const std::lock_guard lock(mutex_);
        std::vector<Verification> verifications;
        for (const auto& [by, difference] : record_->verified) {
            if (!differing || !difference.empty())
                verifications.push_back({by.first, by.second, difference});
        }
        return verifications;
    }

    // The end of its lease.
    void lapse() {
        const std::lock_guard lock(mutex_);
        record_->free_all(*session_);
        record_->give_up_lead(id_);
    }

  private:
    void changed() {
        if (is_shared_) record_->notifier.notify();
    }

    Result<void> check_leads() {
        if (!session_->has_led && record_->leader == 0) record_->leader = id_;
        if (record_->leader != id_) return not_the_planner();
        session_->has_led = true;
        return {};
    }

    Recorded record(const GameRecord& game) {
        const GameKey& key = game.task.key;
        const auto found = record_->pairs.find(key.pair);
        if (found == record_->pairs.end()) return Recorded::Known;  // forgotten in this batch
        MemoryPair& pair = found->second;
        const auto known = record_->games.find(key);
        if (pair.played[key.leg == 2 ? 1 : 0]) {
            const bool is_own =
                known == record_->games.end() || known->second.worker == worker();
            return is_own ? Recorded::Known : late(key);
        }
        if (pair.worker != 0 && pair.worker != id_) return late(key);
        pair.played[key.leg == 2 ? 1 : 0] = true;
        ++session_->status.games;
        record_->events.emplace_back(result_of(game));
        if (keeps_) {
            StoredGame& stored = record_->games[key];
            stored.record = game;
            stored.worker = worker();
            make_fit_to_store(stored.record);
        }
        if (pair.played[0] && pair.played[1]) {
            record_->unclaimed.erase(key.pair);
            session_->leases.erase(key.pair);
            held_.erase(key.pair);
            if (!keeps_) record_->pairs.erase(found);
        }
        return Recorded::New;
    }

    Recorded late(const GameKey& key) {
        ++session_->status.late;
        held_.erase(key.pair);
        return Recorded::Late;
    }

    int worker() const { return is_shared_ ? id_ : 0; }

    const std::shared_ptr<MemoryRecord> record_;
    std::mutex& mutex_ = record_->mutex;
    const bool keeps_;
    const bool is_shared_;
    int id_ = 0;
    MemorySession* session_ = nullptr;
    std::set<PairKey> held_;  // claimed by this store, and not played yet
};

}  // namespace

std::unique_ptr<Store> make_memory_store(Keep keep) {
    return std::make_unique<MemoryStore>(std::make_shared<MemoryRecord>(), keep, false);
}

struct SharedMemory::Shared : MemoryRecord {};

SharedMemory::SharedMemory(std::chrono::milliseconds lease, Now now)
    : shared_(std::make_shared<Shared>()) {
    shared_->lease = lease;
    shared_->now = std::move(now);
}

SharedMemory::~SharedMemory() = default;

std::unique_ptr<Store> SharedMemory::attach() {
    return std::make_unique<MemoryStore>(shared_, Keep::Games, true);
}

void SharedMemory::lapse(Store& store) { dynamic_cast<MemoryStore&>(store).lapse(); }

}  // namespace arena
