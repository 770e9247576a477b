#include "protocol/line_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace protocol {
namespace {

// Small at first; grows for a peer whose bytes fill it.
constexpr std::size_t kLeastSpace = 1024;
constexpr std::size_t kMostForMore = 16384;

std::string_view without_cr(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

Error too_long(std::size_t max_line) {
    return {Fault::TooLong, "read a line beyond " + std::to_string(max_line) +
                                " bytes, expected a shorter one"};
}

}  // namespace

std::span<char> LineBuffer::space() {
    if (begin_ == end_) begin_ = scanned_ = end_ = 0;
    if (was_filled_ && bytes_.size() < kMostForMore) bytes_.resize(2 * bytes_.size());
    was_filled_ = false;
    if (bytes_.size() - end_ < kLeastSpace) {
        // The work stays linear in the bytes: move at most three times the consumed bytes, or
        // double the buffer.
        if (begin_ > 0 && begin_ >= bytes_.size() / 4) compact();
        if (bytes_.size() - end_ < kLeastSpace) {
            bytes_.resize(std::max(2 * bytes_.size(), end_ + kLeastSpace));
        }
    }
    return {bytes_.data() + end_, bytes_.size() - end_};
}

void LineBuffer::commit(std::size_t bytes) {
    end_ += bytes;
    was_filled_ = end_ == bytes_.size();
}

std::optional<Result<std::string_view>> LineBuffer::next_line() {
    for (;;) {
        const char* from = bytes_.data() + scanned_;
        const void* found =
            end_ > scanned_ ? std::memchr(from, '\n', end_ - scanned_) : nullptr;
        if (found == nullptr) {
            scanned_ = end_;
            const std::size_t partial = end_ - begin_;
            if (!dropping_ && partial <= max_line_ + 1) return std::nullopt;  // 1 for a CR
            begin_ = end_;
            if (std::exchange(dropping_, true)) return std::nullopt;
            break;
        }
        const std::size_t stop =
            static_cast<std::size_t>(static_cast<const char*>(found) - bytes_.data());
        const std::string_view line(bytes_.data() + begin_, stop - begin_);
        begin_ = scanned_ = stop + 1;
        if (std::exchange(dropping_, false)) continue;
        if (without_cr(line).size() <= max_line_) return without_cr(line);
        break;
    }
    return too_long(max_line_);
}

std::optional<Result<std::string_view>> LineBuffer::rest() {
    if (dropping_ || begin_ == end_) return std::nullopt;
    const std::string_view line(bytes_.data() + begin_, end_ - begin_);
    begin_ = scanned_ = end_;
    if (without_cr(line).size() <= max_line_) return without_cr(line);
    return too_long(max_line_);
}

void LineBuffer::compact() {
    std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
    scanned_ -= begin_;
    end_ -= begin_;
    begin_ = 0;
}

}  // namespace protocol
