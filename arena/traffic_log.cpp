#include "arena/traffic_log.hpp"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena {

protocol::Result<std::unique_ptr<TrafficLog>> TrafficLog::open(const std::string& path) {
    auto log = std::make_unique<TrafficLog>();
    log->file_.reset(std::fopen(path.c_str(), "we"));
    if (!log->file_) {
        return protocol::Error{
            protocol::Fault::BadInput,
            fmt::format("cannot write the log {}: {}", protocol::quoted(path),
                        std::generic_category().message(errno)),
            0};
    }
    std::setvbuf(log->file_.get(), nullptr, _IOLBF, 1 << 16);
    return log;
}

void TrafficLog::lines(std::string_view player, char direction, std::string_view text) {
    if (!on()) return;
    const std::lock_guard lock(mutex_);
    const double now = std::chrono::duration<double>(Clock::now() - opened_).count();
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        fmt::print(file_.get(), "{:.6f} {} {} {}\n", now, player, direction,
                   protocol::printable(line));
    }
}

}  // namespace arena
