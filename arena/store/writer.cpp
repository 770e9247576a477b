#include "arena/store/writer.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace arena {

namespace asio = boost::asio;

Writer::Writer(Store& store, std::size_t most_waiting, OnRecorded on_recorded,
               std::function<void(const protocol::Error&)> on_error)
    : store_(store),
      most_waiting_(most_waiting),
      on_recorded_(std::move(on_recorded)),
      on_error_(std::move(on_error)),
      thread_([this] { run(); }) {}

Writer::~Writer() { finish(); }

Awaitable<void> Writer::add(GameRecord record) {
    const std::uint64_t token = record.task.token;
    Waiting waiting{{std::move(record), token}, Clock::now(), {}};
    if (!is_full()) {
        push(std::move(waiting));
        co_return;
    }
    auto hand_over = [this, &waiting](auto handler) {
        auto guard = asio::make_work_guard(asio::get_associated_executor(handler));
        auto kept = std::make_shared<decltype(handler)>(std::move(handler));
        waiting.resume = [kept, guard] { asio::post(guard.get_executor(), std::move(*kept)); };
        push(std::move(waiting));
    };
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(hand_over,
                                                                         asio::use_awaitable);
}

void Writer::flush() {
    const Lock lock(mutex_);
    hurry_ = true;
    changed_.notify_one();
}

void Writer::finish() {
    {
        const Lock lock(mutex_);
        finishing_ = true;
        changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
}

bool Writer::is_full() {
    const Lock lock(mutex_);
    return queue_.size() >= most_waiting_;
}

void Writer::push(Waiting waiting) {
    Lock lock(mutex_);
    if (finishing_ || failed_) {
        lock.unlock();
        if (waiting.resume) waiting.resume();
        return;
    }
    if (waiting.resume) hurry_ = true;
    queue_.push_back(std::move(waiting));
    if (queue_.size() == 1 || hurry_ || queue_.size() >= kLargestGroup) changed_.notify_one();
}

void Writer::run() {
    Lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return !queue_.empty() || finishing_; });
        if (queue_.empty()) return;
        changed_.wait_until(lock, queue_.front().since + kLongestWait, [this] {
            return hurry_ || finishing_ || queue_.size() >= kLargestGroup;
        });
        const auto size = std::min(queue_.size(), kLargestGroup);
        const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(size);
        std::deque<Waiting> group(std::move_iterator(queue_.begin()), std::move_iterator(end));
        queue_.erase(queue_.begin(), end);
        if (queue_.empty()) hurry_ = false;
        lock.unlock();
        commit(std::move(group));
        lock.lock();
    }
}

void Writer::commit(std::deque<Waiting> group) {
    std::vector<FinishedGame> games;
    for (Waiting& waiting : group) games.push_back(std::move(waiting.game));
    // Only this thread changes it.
    if (!failed_) {
        const auto answers = store_.record(games);
        if (answers) {
            on_recorded_(games, *answers);
        } else {
            {
                const Lock lock(mutex_);
                failed_ = true;
            }
            on_error_(answers.error());
        }
    }
    for (const Waiting& waiting : group) {
        if (waiting.resume) waiting.resume();
    }
}

}  // namespace arena
