#include "arena/players/stderr_text.hpp"

#include <algorithm>

namespace arena {

void StderrText::add(std::string_view text) {
    const std::size_t room = std::min(kHead - head_.size(), text.size());
    head_ += text.substr(0, room);
    text.remove_prefix(room);
    if (text.size() > kTail) {
        left_out_ += tail_.size() + text.size() - kTail;
        tail_ = text.substr(text.size() - kTail);
        return;
    }
    tail_ += text;
    if (tail_.size() <= 2 * kTail) return;
    left_out_ += tail_.size() - kTail;
    tail_.erase(0, tail_.size() - kTail);
}

std::string StderrText::text() const {
    if (left_out_ == 0) return head_ + tail_;
    return head_ + "\n... " + std::to_string(left_out_) + " bytes left out ...\n" + tail_;
}

}  // namespace arena
