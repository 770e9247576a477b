#include "arena/web/watch.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "arena/base/bad_input.hpp"
#include "arena/game/game_analysis.hpp"
#include "arena/web/lane.hpp"
#include "arena/web/live_feed.hpp"
#include "arena/web/record_pages.hpp"
#include "arena/web/service.hpp"
#include "engine/sums/analyst.hpp"

namespace arena::web {
namespace {

constexpr int kNice = 10;
constexpr Milliseconds kReviewTime{100};  // for one game
constexpr Milliseconds kLastTime{800};    // for one that has had no core before

// Reviews finished games while others are played, on one thread of the lowest priority that is
// idle most of the time. If games come faster than that, it reviews the newest.
class Reviewer {
  public:
    // On its thread, with the game and its note.
    using Done = std::function<void(const std::shared_ptr<const GameRecord>&)>;

    explicit Reviewer(Done done) : done_(std::move(done)) {
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }

    // From any thread; does not wait.
    void add(std::shared_ptr<const GameRecord> record) {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(record));
        if (waiting_.size() > kMostWaiting) waiting_.pop_front();
        changed_.notify_all();
    }

  private:
    static constexpr std::size_t kMostWaiting = 16;  // games
    static constexpr int kRest = 4;  // the pause after a review, in multiples of its CPU time
    static constexpr int kLowestPriority = 19;

    void run(const std::stop_token& stop) {
        lower_priority(kLowestPriority);
        // Its own analyst: players never wait for locks that this thread holds.
        const auto analyst = engine::make_analyst();
        std::unique_lock lock(mutex_);
        while (changed_.wait(lock, stop, [&] { return !waiting_.empty(); })) {
            const auto record = std::make_shared<GameRecord>(*waiting_.back());
            waiting_.pop_back();
            lock.unlock();
            const auto cpu_before = thread_cpu();
            record->annotation = to_string(review_in_time(*record, *analyst, stop));
            if (!stop.stop_requested()) done_(record);
            const auto rest = kRest * (thread_cpu() - cpu_before);
            lock.lock();
            changed_.wait_for(lock, stop, rest, [] { return false; });
        }
    }

    const Done done_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::shared_ptr<const GameRecord>> waiting_;  // the newest last
    std::jthread thread_;                                    // ends before what it uses
};

class Watch : public LiveFeed {
  public:
    Watch()
        : LiveFeed([this](auto record) { reviewer_.add(std::move(record)); }),
          reviewer_([this](const auto& record) { reviewed(record); }) {}
    // The server ends first: it uses the feed.
    ~Watch() override {
        await_watchers();
        service_.reset();
    }

    protocol::Result<void> start(const PlayOptions& options, const std::string& record) {
        if (record.empty() && !options.web.clinic.empty())
            return bad_input("--web shows the pages of a clinic's record: expected --record");
        ServiceOptions wanted;
        wanted.server.listen = *options.web.listen;
        wanted.server.insecure = options.insecure;
        wanted.server.certificate = options.web.certificate;
        wanted.server.key = options.web.key;
        wanted.server.hosts = options.web.hosts;
        wanted.server.listen_option = "--web";
        wanted.server.tls_option = "--web-tls";
        wanted.api.seed = options.seed;
        if (!record.empty()) {
            auto records = find_records({record});
            if (!records) return records.error();
            wanted.records = *std::move(records);
            wanted.clinic = options.web.clinic;
        }
        if (!options.web.hosts.empty()) host_ = options.web.hosts.front();
        page_ = wanted.clinic.empty() ? "live" : "clinic/";
        auto service = Service::start(std::move(wanted), *analyst_, this, nullptr);
        if (!service) return service.error();
        service_ = *std::move(service);
        return {};
    }

    std::string url() const override { return service_->url(host_) + page_; }

  private:
    Reviewer reviewer_;
    // Separate from that of the players, so that they never wait for a request.
    std::unique_ptr<engine::Analyst> analyst_ = engine::make_analyst();
    std::unique_ptr<Service> service_;
    std::string host_;  // a name for the address; empty: none is given
    std::string page_;  // to look at first
};

}  // namespace

GameAnalysis review_in_time(const GameRecord& record, const engine::Analyst& analyst,
                            const std::stop_token& stop) {
    const auto cpu_before = thread_cpu();
    for (auto time = kReviewTime;; time *= 2) {
        const engine::Budget budget{SteadyClock::now() + time, stop};
        GameAnalysis analysis = review_game(record, analyst, budget);
        const bool had_core = thread_cpu() - cpu_before >= kReviewTime / 2;
        if (!budget.is_spent() || had_core || stop.stop_requested() || time == kLastTime)
            return analysis;
    }
}

protocol::Result<std::unique_ptr<Spectator>> open_watch(const PlayOptions& options,
                                                        const std::string& record) {
    using Started = protocol::Result<std::unique_ptr<Spectator>>;
    // Threads inherit the priority of the thread that starts them, and cannot raise it again.
    auto starting = std::async(std::launch::async, [&]() -> Started {
        lower_priority(kNice);
        auto watch = std::make_unique<Watch>();
        const auto started = watch->start(options, record);
        if (!started) return started.error();
        return std::unique_ptr<Spectator>(std::move(watch));
    });
    return starting.get();
}

}  // namespace arena::web
