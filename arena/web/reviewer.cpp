#include "arena/web/reviewer.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "arena/web/lane.hpp"
#include "engine/sums/analyst.hpp"

namespace arena::web {
namespace {

constexpr std::size_t kMostGamesWaiting = 16;  // games
constexpr Milliseconds kTime{100};             // for one
constexpr int kRest = 4;                       // pause after a game, in times of its review
constexpr int kLowestPriority = 19;

}  // namespace

struct Reviewer::Impl {
    explicit Impl(Done done_with) : done(std::move(done_with)) {
        thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }

    void run(const std::stop_token& stop) {
        lower_priority(kLowestPriority);
        // Its own analyst: players never wait for locks that this thread holds.
        const auto analyst = engine::make_analyst();
        std::unique_lock lock(mutex);
        while (changed.wait(lock, stop, [&] { return !waiting.empty(); })) {
            const auto record = std::move(waiting.back());
            waiting.pop_back();
            lock.unlock();
            const auto began = Clock::now();
            const GameReview review = review_game(*record, *analyst, {began + kTime, stop});
            if (!stop.stop_requested()) done(*record, review);
            const auto rest = kRest * (Clock::now() - began);
            lock.lock();
            changed.wait_for(lock, stop, rest, [] { return false; });
        }
    }

    const Done done;
    std::mutex mutex;
    std::condition_variable_any changed;
    std::deque<std::shared_ptr<const GameRecord>> waiting;  // the newest last
    std::jthread thread;                                    // ends before what it uses
};

Reviewer::Reviewer(Done done) : impl_(new Impl(std::move(done))) {}
Reviewer::~Reviewer() = default;

void Reviewer::add(std::shared_ptr<const GameRecord> record) {
    const std::lock_guard lock(impl_->mutex);
    impl_->waiting.push_back(std::move(record));
    if (impl_->waiting.size() > kMostGamesWaiting) impl_->waiting.pop_front();
    impl_->changed.notify_all();
}

}  // namespace arena::web
