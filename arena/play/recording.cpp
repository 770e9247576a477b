#include "arena/play/recording.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "arena/base/compute.hpp"
#include "arena/record/sharing.hpp"

namespace arena {

using protocol::Result;

// ---- the writer ----

Writer::Writer(Store& store, std::chrono::milliseconds gather, OnRecorded on_recorded,
               std::function<void(const protocol::Error&)> on_error)
    : store_(store),
      gather_(gather),
      on_recorded_(std::move(on_recorded)),
      on_error_(std::move(on_error)),
      thread_([this] { run(); }) {}

Writer::~Writer() { finish(); }

bool Writer::is_full() const {
    const std::lock_guard lock(mutex_);
    return waiting_.size() >= kMostWaiting && !failed_;
}

void Writer::add(GameRecord game) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return waiting_.size() < kMostWaiting || failed_; });
    if (failed_) return;
    waiting_.push_back(std::move(game));
    // The first game starts the wait for others, the last one ends it.
    if (waiting_.size() == 1 || waiting_.size() >= kMostInCommit) came_.notify_one();
}

void Writer::flush() {
    std::unique_lock lock(mutex_);
    told_.wait(lock, [this] { return (waiting_.empty() && !is_writing_) || failed_; });
}

void Writer::finish() {
    {
        const std::lock_guard lock(mutex_);
        finished_ = true;
        came_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
}

// The games of the next commit; empty: there will be no more.
std::vector<GameRecord> Writer::gather() {
    std::unique_lock lock(mutex_);
    is_writing_ = false;
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
    is_writing_ = !games.empty();
    room_.notify_all();
    return games;
}

void Writer::run() {
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

// ---- the verifier ----

std::string difference_of(const GameRecord& recorded, const GameRecord& now) {
    const auto& there = recorded.moves;
    const auto& here = now.moves;
    const auto move = [](const std::vector<std::string>& moves, std::size_t ply) {
        return ply < moves.size() ? moves[ply] : std::string("none");
    };
    for (std::size_t ply = 0; ply < std::max(there.size(), here.size()); ++ply) {
        if (move(there, ply) == move(here, ply)) continue;
        return fmt::format("move {} is {} there, {} here", ply + 1, move(there, ply),
                           move(here, ply));
    }
    if (recorded.reason == now.reason && recorded.winner == now.winner) return {};
    return fmt::format("all moves are the same, but it ended by {} there, {} here",
                       name(recorded.reason), name(now.reason));
}

bool Verifier::can_verify(const GameRecord& record) {
    const bool has_strikes = !record.strikes[0].empty() || !record.strikes[1].empty();
    return !has_strikes && (!is_fault(record.reason) || record.reason == Reason::IllegalMove) &&
           record.reason != Reason::Void;
}

void Verifier::expect(const GameKey& key) {
    const std::lock_guard lock(mutex_);
    expected_.insert(key);
}

bool Verifier::takes(const GameKey& key) {
    const std::lock_guard lock(mutex_);
    return expected_.erase(key) > 0;
}

void Verifier::compare(const GameRecord& now) {
    const auto done = compare_or_fail(now);
    if (!done) fail_(done.error());
}

Result<void> Verifier::compare_or_fail(const GameRecord& now) {
    Sharing* sharing = store_.sharing();
    const auto game = store_.game(now.task.key);
    if (!game) return game.error();
    // A game that ended here by time or by a process shows nothing of the other machine.
    if (sharing == nullptr || !*game || !can_verify(now)) return {};
    ++games_;
    const std::string difference = difference_of((*game)->record, now);
    if (!difference.empty()) {
        const auto workers = sharing->workers();
        if (!workers) return workers.error();
        tell_(fmt::format("mismatch: game {} of {}: {}", game_name(now.task),
                          worker_name(*workers, (*game)->worker), difference));
    }
    return sharing->verify({now.task.key, 0, difference});
}

// ---- the recording ----

Awaitable<void> Recording::add(GameRecord record) {
    if (verifier_.takes(record.task.key)) {
        const std::function<void()> compare = [&] { verifier_.compare(record); };
        co_await compute(waiting_, compare);
        co_return;
    }
    if (!waits_ && !writer_.is_full()) {
        writer_.add(std::move(record));
        co_return;
    }
    const std::function<void()> wait = [&] {
        writer_.add(std::move(record));
        if (waits_) writer_.flush();
    };
    co_await compute(waiting_, wait);
}

void Recording::finish() {
    waiting_.join();
    writer_.finish();
}

}  // namespace arena
