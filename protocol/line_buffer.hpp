// Splits a byte stream into lines of bounded length. Scans each byte once.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "protocol/result.hpp"

namespace protocol {

inline constexpr std::size_t kMaxLine = 1 << 20;  // bytes without the line end

// Read into space(), then commit() the number of bytes read, then call next_line() until it
// returns nullopt. Bytes after a line are kept for the next call. Memory stays below twice the
// limit plus one read.
class LineBuffer {
  public:
    explicit LineBuffer(std::size_t max_line = kMaxLine) : max_line_(max_line) {}

    // Room for at least one byte, usually for many. Invalidates the result of next_line().
    std::span<char> space();
    void commit(std::size_t bytes);

    // The next complete line without its LF or CRLF; nullopt if none is complete. A line beyond
    // the limit is reported once, as Fault::TooLong, and dropped up to its end.
    // The view is valid until the next call of space().
    std::optional<Result<std::string_view>> next_line();

    // The number of bytes committed but not yet taken.
    std::size_t unread() const { return end_ - begin_; }

    // The bytes after the last LF, once next_line() has returned nullopt. Does not take them.
    std::string_view unfinished() const { return {bytes_.data() + begin_, unread()}; }

    // At the end of the stream: the bytes after the last LF, with the limit of a line; nullopt
    // if there are none.
    std::optional<Result<std::string_view>> rest();

  private:
    void compact();

    std::size_t max_line_;
    std::string bytes_;  // [begin_, end_) is unread; the rest is room
    std::size_t begin_ = 0;
    std::size_t scanned_ = 0;  // no LF in [begin_, scanned_)
    std::size_t end_ = 0;
    bool was_filled_ = false;  // the last commit() used all the room
    bool dropping_ = false;    // inside a line that was too long
};

}  // namespace protocol
