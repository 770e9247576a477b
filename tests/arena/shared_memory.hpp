// A record in memory that several stores share, each in the place of a process: leases, the
// lead and late results follow the same rules as in a database, but by a clock that the test
// moves. So it is the oracle of the others.
//
// The record itself is the arena's store in memory (SharedState::store); what is here are its
// processes (MemorySession). Changes are told of on a thread (ChangeNotifier), as by a
// database: a callback may use the store.
#pragma once

#include <limits>

#include "arena/base/clock.hpp"
#include "arena/record/open_store.hpp"
#include "arena/record/sharing.hpp"
#include "arena/record/store_rules.hpp"

namespace arena {

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

// The lease of a store holds while it exists; one that is destroyed without leave() is as a
// process that died: its lease ends by the clock, and the lead is free at once.
class SharedMemory {
  public:
    using Now = std::function<Clock::time_point()>;
    explicit SharedMemory(std::chrono::milliseconds lease = std::chrono::seconds(30),
                          Now now = Clock::now)
        : state_(std::make_shared<SharedState>()) {
        state_->lease = lease;
        state_->now = std::move(now);
    }

    // Stores may outlive this.
    std::unique_ptr<Store> attach() { return std::make_unique<MemorySession>(state_); }
    // The store's leases and its lead end now, as if its connection had been lost for long.
    void lapse(Store& store) { dynamic_cast<MemorySession&>(store).lapse(); }
    // The next finish() takes effect, but its store loses its connection before it is told so.
    void lapse_in_finish() {
        const std::lock_guard lock(state_->mutex);
        state_->lapses_in_finish = true;
    }

  private:
    struct Pair {
        PlannedPair plan;
        std::array<int, 2> played{};  // by leg: who has played it
        int worker = 0;               // that has leased it
    };

    // A store that is attached.
    struct Worker {
        WorkerStatus status;
        Clock::time_point since;
        std::optional<Clock::time_point> until;  // the end of its lease, once its store is gone
        std::set<PairKey> leases;
        bool has_led = false;
    };

    struct SharedState {
        std::chrono::milliseconds lease{0};
        Now now;
        ChangeNotifier notifier;
        std::mutex mutex;  // of all below
        std::unique_ptr<Store> store = make_memory_store();
        std::map<PairKey, Pair> pairs;
        std::set<PairKey> unclaimed;
        std::map<int, Worker> workers;
        int leader = 0;
        bool is_finished = false;
        bool lapses_in_finish = false;
        std::map<int, std::string> builds;

        bool is_live(const Worker& worker) const {
            return !worker.until || now() < *worker.until;
        }
        // Gives a leased pair back to be claimed.
        void free(const PairKey& key) {
            pairs.at(key).worker = 0;
            unclaimed.insert(key);
        }
        void free_all(Worker& worker) {
            for (const PairKey& key : std::exchange(worker.leases, {})) free(key);
        }
        void give_up_lead(int id) {
            if (leader == id) leader = 0;
        }
    };

    class MemorySession : public Sharing {
      public:
        explicit MemorySession(std::shared_ptr<SharedState> state) : state_(std::move(state)) {
            const std::lock_guard lock(mutex_);
            id_ = static_cast<int>(state_->workers.size()) + 1;
            worker_ = &state_->workers[id_];
            worker_->status.id = id_;
            worker_->since = state_->now();
        }
        ~MemorySession() override {
            state_->notifier.set(id_, nullptr);
            const std::lock_guard lock(mutex_);
            if (!worker_->until) worker_->until = state_->now() + state_->lease;
            state_->give_up_lead(id_);
        }

        // ---- the record ----

        protocol::Result<void> open(const Configuration& configuration) override {
            return state_->store->open(configuration);
        }
        protocol::Result<Configuration> configuration() override {
            return state_->store->configuration();
        }
        protocol::Result<void> join(const std::vector<Entrant>& entrants) override {
            const std::lock_guard lock(mutex_);
            if (!entrants.empty()) state_->is_finished = false;
            return told(state_->store->join(entrants));
        }
        protocol::Result<std::vector<Entrant>> entrants() override {
            return state_->store->entrants();
        }
        protocol::Result<void> rename(
            const std::vector<std::pair<int, std::string>>& names) override {
            return state_->store->rename(names);
        }
        protocol::Result<void> plan(const std::vector<RoundPlan>& rounds) override {
            const std::lock_guard lock(mutex_);
            if (const auto leads = check_leads(); !leads) return leads;
            auto planned = state_->store->plan(rounds);
            const auto claims = *state_->store->claim(std::numeric_limits<std::size_t>::max());
            for (const Claim& claim : claims) {
                state_->pairs[claim.pair.key].plan = claim.pair;
                state_->unclaimed.insert(claim.pair.key);
            }
            if (!claims.empty()) state_->is_finished = false;
            return told(std::move(planned));
        }
        protocol::Result<std::vector<Event>> events(std::uint64_t after,
                                                    std::size_t limit) override {
            return state_->store->events(after, limit);
        }
        protocol::Result<std::optional<GameRecord>> game(const GameKey& key) override {
            return state_->store->game(key);
        }
        protocol::Result<void> for_each_game(
            const std::function<bool(const GameRecord&)>& visit) override {
            return state_->store->for_each_game(visit);
        }
        protocol::Result<void> annotate(const std::vector<Annotation>& annotations) override {
            return state_->store->annotate(annotations);
        }

        // ---- claims and games ----

        protocol::Result<std::vector<Claim>> claim(std::size_t count) override {
            const std::lock_guard lock(mutex_);
            worker_->until.reset();
            for (auto& [id, worker] : state_->workers) {
                if (!state_->is_live(worker)) state_->free_all(worker);
            }
            std::vector<Claim> claims;
            while (!state_->unclaimed.empty() && claims.size() < count) {
                const PairKey key =
                    state_->unclaimed.extract(state_->unclaimed.begin()).value();
                Pair& pair = state_->pairs[key];
                const std::array missing{pair.played[0] == 0, pair.played[1] == 0};
                if (!missing[0] && !missing[1]) continue;
                pair.worker = id_;
                worker_->leases.insert(key);
                // After a lapse it may still be playing this pair.
                if (held_.insert(key).second) claims.push_back({pair.plan, missing});
            }
            return claims;
        }

        protocol::Result<std::vector<Recorded>> record(
            const std::vector<GameRecord>& games) override {
            const std::lock_guard lock(mutex_);
            for (const GameRecord& game : games) {
                const auto pair = state_->pairs.find(game.task.key.pair);
                if (pair == state_->pairs.end()) return not_planned(game.task.key);
                const auto checked = check_game(game, pair->second.plan);
                if (!checked) return checked.error();
            }
            std::vector<Recorded> answers;
            for (const GameRecord& game : games) answers.push_back(record(game));
            state_->notifier.notify();
            return answers;
        }

        // ---- sharing ----

        protocol::Result<int> enlist(const WorkerInfo& info) override {
            const std::lock_guard lock(mutex_);
            worker_->status.info = info;
            worker_->until.reset();
            return id_;
        }
        protocol::Result<void> leave() override {
            const std::lock_guard lock(mutex_);
            state_->free_all(*worker_);
            held_.clear();
            worker_->until = state_->now();
            state_->give_up_lead(id_);
            state_->notifier.notify();
            return {};
        }
        protocol::Result<void> release(const std::vector<PairKey>& pairs) override {
            const std::lock_guard lock(mutex_);
            for (const PairKey& key : pairs) {
                held_.erase(key);
                if (worker_->leases.erase(key) > 0) state_->free(key);
            }
            state_->notifier.notify();
            return {};
        }
        std::chrono::milliseconds lease() const override { return state_->lease; }

        protocol::Result<bool> lead() override {
            const std::lock_guard lock(mutex_);
            if (state_->leader == 0) state_->leader = id_;
            worker_->has_led = state_->leader == id_;
            return worker_->has_led;
        }
        protocol::Result<void> finish() override {
            const std::lock_guard lock(mutex_);
            auto leads = check_leads();
            if (!leads) return leads;
            state_->is_finished = true;
            state_->notifier.notify();
            if (!std::exchange(state_->lapses_in_finish, false)) return {};
            state_->give_up_lead(id_);
            return not_the_planner();
        }
        protocol::Result<bool> finished() override {
            const std::lock_guard lock(mutex_);
            return state_->is_finished;
        }
        void on_change(std::function<void()> changed) override {
            state_->notifier.set(id_, std::move(changed));
        }

        protocol::Result<std::vector<WorkerStatus>> workers() override {
            const std::lock_guard lock(mutex_);
            std::vector<WorkerStatus> workers;
            for (const auto& [id, worker] : state_->workers) {
                WorkerStatus& status = workers.emplace_back(worker.status);
                status.is_live = state_->is_live(worker);
                status.leases = worker.leases.size();
                const std::chrono::duration<double> age = state_->now() - worker.since;
                if (age.count() > 0)
                    status.rate = static_cast<double>(status.games) / age.count();
            }
            return workers;
        }
        protocol::Result<QueueStatus> queue() override {
            const std::lock_guard lock(mutex_);
            QueueStatus queue;
            queue.waiting = state_->unclaimed.size();
            for (const auto& [id, worker] : state_->workers)
                queue.leased += worker.leases.size();
            const auto read = for_each_event(
                *state_->store, [&](const Event& event) { queue.events = event.number; });
            if (!read) return read.error();
            queue.has_planner = state_->leader != 0;
            queue.is_finished = state_->is_finished;
            return queue;
        }
        protocol::Result<std::string> build(int player, const std::string& hashes) override {
            const std::lock_guard lock(mutex_);
            return state_->builds.try_emplace(player, hashes).first->second;
        }
        protocol::Result<std::vector<std::pair<int, std::string>>> builds() override {
            const std::lock_guard lock(mutex_);
            return std::vector<std::pair<int, std::string>>(state_->builds.begin(),
                                                            state_->builds.end());
        }

        // The end of its lease.
        void lapse() {
            const std::lock_guard lock(mutex_);
            state_->free_all(*worker_);
            state_->give_up_lead(id_);
        }

      private:
        protocol::Result<void> told(protocol::Result<void> done) {
            state_->notifier.notify();
            return done;
        }

        protocol::Result<void> check_leads() {
            if (!worker_->has_led && state_->leader == 0) state_->leader = id_;
            if (state_->leader != id_) return not_the_planner();
            worker_->has_led = true;
            return {};
        }

        Recorded record(const GameRecord& game) {
            const GameKey& key = game.task.key;
            Pair& pair = state_->pairs.at(key.pair);
            int& by = pair.played[key.leg == 2 ? 1 : 0];
            if (by != 0) return by == id_ ? Recorded::Known : late(key);
            if (pair.worker != 0 && pair.worker != id_) return late(key);
            if (!state_->store->record({game})) return late(key);
            by = id_;
            ++worker_->status.games;
            if (pair.played[0] != 0 && pair.played[1] != 0) {
                state_->unclaimed.erase(key.pair);
                worker_->leases.erase(key.pair);
                held_.erase(key.pair);
            }
            return Recorded::New;
        }

        Recorded late(const GameKey& key) {
            ++worker_->status.late;
            held_.erase(key.pair);
            return Recorded::Late;
        }

        const std::shared_ptr<SharedState> state_;
        std::mutex& mutex_ = state_->mutex;
        int id_ = 0;
        Worker* worker_ = nullptr;
        std::set<PairKey> held_;  // claimed by this store, and not played yet
    };

    std::shared_ptr<SharedState> state_;
};

}  // namespace arena
