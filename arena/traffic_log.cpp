#include "arena/traffic_log.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "arena/record.hpp"
#include "protocol/text.hpp"

namespace arena {

namespace {

protocol::Error cannot_write(const std::string& path, int error) {
    return {protocol::Fault::BadInput,
            fmt::format("cannot write the log {}: {}", protocol::quoted(path),
                        std::generic_category().message(error)),
            0};
}

}  // namespace

protocol::Result<std::unique_ptr<TrafficLog>> TrafficLog::open(const std::string& path,
                                                               std::size_t room) {
    protocol::UniqueFd file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!file) return cannot_write(path, errno);
    auto log = std::make_unique<TrafficLog>();
    log->start(std::move(file), path, room);
    return log;
}

void TrafficLog::start(protocol::UniqueFd file, const std::string& path, std::size_t room) {
    file_ = std::move(file);
    path_ = path;
    room_ = room;
    // Signals are for the thread that starts this one.
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    writer_ = std::thread([this] { write_what_comes(); });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void TrafficLog::lines(std::string_view player, char direction, std::string_view text) {
    if (!on()) return;
    const std::lock_guard lock(mutex_);
    if (!state_) return;
    std::string entry;
    std::uint64_t count = 0;
    for (const double time = now(); !text.empty(); ++count) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        entry += fmt::format("{:.6f} {} {} {}\n", time, player, direction,
                             protocol::printable(line));
    }
    // In order: after a gap nothing is added until the gap is told.
    if (left_out_ > 0 || waiting_.size() + entry.size() > room_) {
        left_out_ += count;
    } else {
        waiting_ += entry;
    }
    changed_.notify_one();
}

protocol::Result<void> TrafficLog::state() {
    const std::lock_guard lock(mutex_);
    return state_;
}

protocol::Result<void> TrafficLog::finish() {
    if (!on()) return state();
    {
        const std::lock_guard lock(mutex_);
        finishing_ = true;
    }
    changed_.notify_one();
    writer_.join();
    if (::close(file_.release()) != 0) fail(errno);
    return state();
}

void TrafficLog::write_what_comes() {
    for (std::string text = take(); !text.empty(); text = take()) {
        const int error = write_all(file_.get(), text);
        if (error != 0) return fail(error);
    }
}

// Waits for something to write; empty at the end.
std::string TrafficLog::take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !waiting_.empty() || left_out_ > 0 || finishing_; });
    std::string text = std::exchange(waiting_, {});
    const std::uint64_t left_out = std::exchange(left_out_, 0);
    if (left_out > 0) text += fmt::format("{:.6f} ... {} lines left out\n", now(), left_out);
    return text;
}

double TrafficLog::now() const {
    return std::chrono::duration<double>(Clock::now() - opened_).count();
}

void TrafficLog::fail(int error) {
    const std::lock_guard lock(mutex_);
    if (state_) state_ = cannot_write(path_, error);
    waiting_.clear();
}

}  // namespace arena
