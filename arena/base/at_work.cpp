#include "arena/base/at_work.hpp"

#include <chrono>

#include <fmt/format.h>

namespace arena {

AtWork::AtWork(Console& console) : console_(console) {
    if (console.terminal())
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

AtWork::~AtWork() {
    if (!thread_.joinable()) return;
    thread_ = {};
    console_.progress("");
}

void AtWork::tell(const std::string& text) {
    if (!thread_.joinable()) return;
    const std::lock_guard lock(mutex_);
    if (text != text_) since_ = SteadyClock::now();
    text_ = text;
    show();
}

void AtWork::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        if (!text_.empty()) show();
        end_.wait_for(lock, stop, std::chrono::seconds(1),
                      [&stop] { return stop.stop_requested(); });
    }
}

void AtWork::show() {
    const auto passed =
        std::chrono::duration_cast<std::chrono::seconds>(SteadyClock::now() - since_);
    const bool takes_long = passed.count() > 0 && !text_.empty();
    console_.progress(takes_long ? fmt::format("{} ({} s)", text_, passed.count()) : text_);
}

}  // namespace arena
