#include "arena/players/traffic_log.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "arena/players/conversation.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

// Together well below the default margin of a clock.
constexpr Milliseconds kNap{10};
constexpr Milliseconds kLate{10};

// The name with escapes for words that look like a direction, an instance or the log's own
// "...": these could make a line look like another player's.
std::string logged_name(std::string_view player) {
    std::string name;
    for (std::size_t i = 0; i < player.size(); ++i) {
        const char c = player[i];
        const bool begins = i == 0 || player[i - 1] == ' ';
        const bool ends = i + 1 == player.size() || player[i + 1] == ' ';
        const bool is_direction = begins && ends && (c == '<' || c == '>' || c == '!');
        const bool is_instance = begins && c == '#';
        const bool is_own = i == 0 && player.starts_with("...");
        if (is_direction || is_instance || is_own)
            name += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            name += c;
    }
    return name;
}

}  // namespace

protocol::Result<std::unique_ptr<TrafficLog>> TrafficLog::open(const std::string& path,
                                                               std::size_t room) {
    auto log = std::make_unique<TrafficLog>();
    const auto left_out = [log = log.get()](std::uint64_t lines) {
        return fmt::format("{:.6f} ... {} lines left out\n", log->now(), lines);
    };
    auto file = BackgroundFile::open({path, "the log", left_out, room});
    if (!file) return file.error();
    log->file_ = *std::move(file);
    return log;
}

void TrafficLog::lines(std::string_view player, char direction, std::string_view text,
                       int instance) {
    if (!on()) return;
    const auto count = std::ranges::count(text, '\n') + !text.ends_with('\n');
    file_->add(static_cast<std::uint64_t>(count), [&] {
        std::string entry;
        std::string name = logged_name(player);
        if (instance > 1) name += fmt::format(" #{}", instance);
        for (const double time = now(); !text.empty();) {
            const std::string_view line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(text.size(), line.size() + 1));
            entry += fmt::format("{:.6f} {} {} {}\n", time, name, direction,
                                 protocol::printable(without_secret(line)));
        }
        return entry;
    });
}

int TrafficLog::number_instance(std::size_t player) {
    const std::lock_guard lock(instances_mutex_);
    std::set<int>& taken = instances_[player];
    int number = 1;
    while (taken.contains(number)) ++number;
    taken.insert(number);
    return number;
}

void TrafficLog::give_back(std::size_t player, int instance) {
    const std::lock_guard lock(instances_mutex_);
    instances_[player].erase(instance);
}

void TrafficLog::log_late_timers() {
    if (!on()) return;
    ticker_.emplace(kNap, [this](Microseconds overslept) {
        if (overslept < kLate) return;
        file_->add(1, [&] {
            return fmt::format("{:.6f} ... a timer woke {:.1f} ms late\n", now(),
                               static_cast<double>(overslept.count()) / 1000);
        });
    });
}

protocol::Result<void> TrafficLog::state() const {
    return on() ? file_->state() : protocol::Result<void>();
}

protocol::Result<void> TrafficLog::finish(std::stop_token interrupted,
                                          std::chrono::milliseconds patience) {
    ticker_.reset();
    return on() ? file_->finish(std::move(interrupted), patience) : protocol::Result<void>();
}

double TrafficLog::now() const {
    return std::chrono::duration<double>(SteadyClock::now() - opened_).count();
}

}  // namespace arena
