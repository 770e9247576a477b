// Callers append text under a lock; the thread takes all of it at once and writes it. Every
// wait of the thread is a poll() of a few milliseconds, because at the end it must notice that
// the reader of a pipe or FIFO accepts nothing more, and give up.
#include "arena/base/background_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "arena/base/clock.hpp"
#include "arena/base/files.hpp"
#include "arena/base/interrupts.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;
using protocol::UniqueFd;

constexpr int kPollInterval = 50;  // milliseconds between checks for the end
constexpr std::chrono::milliseconds kPatienceInterrupted{500};

std::string text_of(int error) { return std::generic_category().message(error); }

Error cannot_write(const BackgroundFile::Settings& settings, const std::string& why) {
    const std::string where =
        settings.path == "-" ? "to standard output" : protocol::quoted(settings.path);
    return {Fault::Disconnected,
            fmt::format("cannot write {} {}: {}", settings.what, where, why), 0};
}

}  // namespace

Result<std::unique_ptr<BackgroundFile>> BackgroundFile::open(Settings settings) {
    UniqueFd file;
    if (settings.path != "-") {
        if (is_sqlite(settings.path))
            return cannot_write(settings, "it is a record, expected another file");
        constexpr int kFlags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK;
        file.reset(::open(settings.path.c_str(), kFlags, 0666));
        if (!file && errno != ENXIO) return cannot_write(settings, text_of(errno));
    }
    return std::unique_ptr<BackgroundFile>(
        new BackgroundFile(std::move(settings), std::move(file)));
}

BackgroundFile::BackgroundFile(Settings settings, UniqueFd file)
    : settings_(std::move(settings)), file_(std::move(file)) {
    const SignalsElsewhere signals;
    writer_ = std::thread([this] { run(); });
}

BackgroundFile::~BackgroundFile() { end({}, kPatience); }

void BackgroundFile::add(std::uint64_t lines, const std::function<std::string()>& text) {
    const std::lock_guard lock(mutex_);
    if (!state_ || finishing_) return;
    const std::string entry = text();
    // Keeps the order: after a gap nothing is added until the gap has been reported.
    if (left_out_ > 0 || waiting_.size() + entry.size() > settings_.room) {
        left_out_ += lines;
    } else {
        waiting_ += entry;
    }
    changed_.notify_one();
}

Result<void> BackgroundFile::state() const {
    const std::lock_guard lock(mutex_);
    return state_;
}

Result<void> BackgroundFile::finish(std::stop_token interrupted,
                                    std::chrono::milliseconds patience) {
    end(std::move(interrupted), patience);
    empty_once();
    if (file_ && ::close(file_.release()) != 0) fail(text_of(errno));
    return state();
}

void BackgroundFile::end(std::stop_token interrupted, std::chrono::milliseconds patience) {
    if (!writer_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        finishing_ = true;
        patience_ = patience;
        interrupted_ = std::move(interrupted);
        progress_ = SteadyClock::now();
    }
    changed_.notify_one();
    writer_.join();
}

// A run that is refused, as where another one writes this file, leaves it as it is.
void BackgroundFile::empty_once() {
    if (!file_ || std::exchange(is_emptied_, true)) return;
    // A pipe or a device has nothing to empty.
    if (::ftruncate(file_.get(), 0) != 0 && errno != EINVAL) fail(text_of(errno));
}

void BackgroundFile::run() {
    for (std::string text = take(); !text.empty(); text = take()) {
        if (!wait_for_reader() || !write(text)) return;
    }
}

// Waits for something to write; empty at the end.
std::string BackgroundFile::take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !waiting_.empty() || left_out_ > 0 || finishing_; });
    std::string text = std::exchange(waiting_, {});
    const std::uint64_t left_out = std::exchange(left_out_, 0);
    if (left_out > 0) text += settings_.left_out(left_out);
    return text;
}

// Returns false after a failure, which it has reported.
bool BackgroundFile::wait_for_reader() {
    while (!file_ && settings_.path != "-") {
        file_.reset(::open(settings_.path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
        if (file_) break;
        if (errno != ENXIO) {
            fail(text_of(errno));
            return false;
        }
        if (has_run_out()) return false;
        ::poll(nullptr, 0, kPollInterval);
    }
    return true;
}

// In pieces that a pipe with room accepts at once, because standard output may block.
bool BackgroundFile::write(std::string_view text) {
    empty_once();
    const int descriptor = file_ ? file_.get() : STDOUT_FILENO;
    while (!text.empty()) {
        if (!wait_until_writable(descriptor)) return false;
        const auto size = std::min<std::size_t>(text.size(), PIPE_BUF);
        const ssize_t count = ::write(descriptor, text.data(), size);
        if (count < 0 && errno != EAGAIN && errno != EINTR) {
            fail(text_of(errno));
            return false;
        }
        if (count <= 0) continue;
        text.remove_prefix(static_cast<std::size_t>(count));
        const std::lock_guard lock(mutex_);
        progress_ = SteadyClock::now();
    }
    return true;
}

bool BackgroundFile::wait_until_writable(int descriptor) {
    for (;;) {
        pollfd wait{descriptor, POLLOUT, 0};
        if (::poll(&wait, 1, kPollInterval) > 0) return true;  // or write() reports the error
        if (has_run_out()) return false;
    }
}

// At the end: whether the reader has accepted nothing for too long, which is then reported.
bool BackgroundFile::has_run_out() {
    {
        const std::lock_guard lock(mutex_);
        const auto patience = interrupted_.stop_requested()
                                  ? std::min(patience_, kPatienceInterrupted)
                                  : patience_;
        if (!finishing_ || SteadyClock::now() < progress_ + patience) return false;
    }
    fail("nobody reads it, and some lines are lost");
    return true;
}

void BackgroundFile::fail(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (state_) state_ = cannot_write(settings_, why);
    waiting_.clear();
}

}  // namespace arena
