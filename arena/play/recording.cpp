#include "arena/play/recording.hpp"

#include <iterator>

#include <boost/asio/awaitable.hpp>

#include "arena/base/compute.hpp"

namespace arena {

Recording::Recording(Store& store, std::chrono::milliseconds gather, bool waits,
                     OnRecorded on_recorded,
                     std::function<void(const protocol::Error&)> on_error)
    : store_(store),
      gather_(gather),
      waits_(waits),
      on_recorded_(std::move(on_recorded)),
      on_error_(std::move(on_error)),
      thread_([this] { run(); }) {}

Recording::~Recording() { finish(); }

bool Recording::is_full() const {
    const std::lock_guard lock(mutex_);
    return waiting_.size() >= kMostWaiting && !failed_;
}

Awaitable<void> Recording::add(GameRecord game) {
    const bool is_taken = !is_full();  // at once, into the commit of others
    if (is_taken) put(std::move(game));
    if (is_taken && !waits_) co_return;
    const std::function<void()> wait = [&] {
        if (!is_taken) put(std::move(game));
        if (waits_) flush();
    };
    co_await compute(waiters_, wait);
}

void Recording::put(GameRecord game) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return waiting_.size() < kMostWaiting || failed_; });
    if (failed_) return;
    waiting_.push_back(std::move(game));
    ++taken_;
    // The first game starts the wait for others, the last one ends it.
    if (waiting_.size() == 1 || waiting_.size() >= kMostInCommit) came_.notify_one();
}

void Recording::flush() {
    std::unique_lock lock(mutex_);
    const std::uint64_t taken = taken_;
    told_.wait(lock, [this, taken] { return told_of_ >= taken || failed_; });
}

void Recording::finish() {
    waiters_.join();
    {
        const std::lock_guard lock(mutex_);
        finished_ = true;
        came_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
}

// The games of the next commit; empty: there will be no more.
std::vector<GameRecord> Recording::gather() {
    std::unique_lock lock(mutex_);
    told_of_ = taken_ - waiting_.size();
    told_.notify_all();
    came_.wait(lock, [this] { return !waiting_.empty() || finished_; });
    came_.wait_for(lock, gather_,
                   [this] { return waiting_.size() >= kMostInCommit || finished_; });
    std::vector<GameRecord> games;
    if (waiting_.size() <= kMostInCommit) {
        games.swap(waiting_);
    } else {
        const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(kMostInCommit);
        games.assign(std::move_iterator(waiting_.begin()), std::move_iterator(end));
        waiting_.erase(waiting_.begin(), end);
    }
    room_.notify_all();
    return games;
}

void Recording::run() {
    for (;;) {
        const auto games = gather();
        if (games.empty()) return;
        const auto recorded = store_.record(games);
        if (recorded) {
            on_recorded_(games, *recorded);
            continue;
        }
        {
            const std::lock_guard lock(mutex_);
            failed_ = true;
            waiting_.clear();
        }
        room_.notify_all();
        told_.notify_all();
        on_error_(recorded.error());
        return;
    }
}

}  // namespace arena
