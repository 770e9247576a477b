#include "arena/traffic_log.hpp"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena {

namespace {

protocol::Error cannot_write(const std::string& path) {
    return {protocol::Fault::BadInput,
            fmt::format("cannot write the log {}: {}", protocol::quoted(path),
                        std::generic_category().message(errno)),
            0};
}

}  // namespace

protocol::Result<std::unique_ptr<TrafficLog>> TrafficLog::open(const std::string& path) {
    auto log = std::make_unique<TrafficLog>();
    log->file_.reset(std::fopen(path.c_str(), "we"));
    if (!log->file_) return cannot_write(path);
    log->path_ = path;
    return log;
}

void TrafficLog::lines(std::string_view player, char direction, std::string_view text) {
    if (!on()) return;
    const std::lock_guard lock(mutex_);
    const double now = std::chrono::duration<double>(Clock::now() - opened_).count();
    std::string entry;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        entry +=
            fmt::format("{:.6f} {} {} {}\n", now, player, direction, protocol::printable(line));
    }
    if (!state_) return;
    const bool written =
        std::fwrite(entry.data(), 1, entry.size(), file_.get()) == entry.size();
    if (!written || std::fflush(file_.get()) != 0) state_ = cannot_write(path_);
}

protocol::Result<void> TrafficLog::state() {
    const std::lock_guard lock(mutex_);
    return state_;
}

}  // namespace arena
