#include "arena/players/stderr_text.hpp"

#include <algorithm>

namespace arena {

void StderrText::add(std::string_view text) {
    const std::size_t room = std::min(most_head_ - head_.size(), text.size());
    head_ += text.substr(0, room);
    text.remove_prefix(room);
    if (text.size() > most_tail_) {
        left_out_ += tail_.size() + text.size() - most_tail_;
        tail_ = text.substr(text.size() - most_tail_);
        return;
    }
    tail_ += text;
    if (tail_.size() <= 2 * most_tail_) return;
    left_out_ += tail_.size() - most_tail_;
    tail_.erase(0, tail_.size() - most_tail_);
}

std::string StderrText::text() const {
    if (left_out_ == 0) return head_ + tail_;
    return head_ + "\n... " + std::to_string(left_out_) + " bytes left out ...\n" + tail_;
}

}  // namespace arena
