#include "arena/base/at_work.hpp"

#include <chrono>

#include <fmt/format.h>

namespace arena {

AtWork::AtWork(Console& console) : console_(console) {
    if (!console.terminal()) return;
    seconds_.emplace(std::chrono::seconds(1), [this](Microseconds) {
        const std::lock_guard lock(mutex_);
        if (!text_.empty()) show();
    });
}

AtWork::~AtWork() {
    if (!seconds_) return;
    seconds_.reset();
    console_.progress("");
}

void AtWork::tell(const std::string& text) {
    if (!seconds_) return;
    const std::lock_guard lock(mutex_);
    if (text != text_) since_ = SteadyClock::now();
    text_ = text;
    show();
}

void AtWork::show() {
    const auto passed =
        std::chrono::duration_cast<std::chrono::seconds>(SteadyClock::now() - since_);
    const bool takes_long = passed.count() > 0 && !text_.empty();
    console_.progress(takes_long ? fmt::format("{} ({} s)", text_, passed.count()) : text_);
}

}  // namespace arena
