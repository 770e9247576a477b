// Lines out of a byte stream, bounded: each byte is looked at once, however the bytes arrive.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "protocol/result.hpp"

namespace protocol {

inline constexpr std::size_t kMaxLine = 1 << 20;  // bytes, the line end not counted

// Read into space(), then commit() what came, then take next_line() until there is none.
// Bytes behind a line's end are kept for the next call. Memory stays below twice the limit plus
// one read.
class LineBuffer {
  public:
    explicit LineBuffer(std::size_t max_line = kMaxLine) : max_line_(max_line) {}

    // Room for at least one byte, usually for many. Ends the life of the last next_line().
    std::span<char> space();
    void commit(std::size_t bytes);

    // The next complete line without its LF or CRLF; nullopt where none is complete. A line
    // beyond the limit is told once, as Fault::TooLong, and is dropped up to its end.
    // The view lives until the next call of space().
    std::optional<Result<std::string_view>> next_line();

    // Bytes that came and have not been taken yet.
    std::size_t unread() const { return end_ - begin_; }

    // What stands behind the last LF, once next_line() has given all there is; it stays.
    std::string_view unfinished() const { return {bytes_.data() + begin_, unread()}; }

    // At the end of the stream: what stands behind the last LF; nullopt where nothing does. It
    // has the limit of a line.
    std::optional<Result<std::string_view>> rest();

  private:
    void compact();

    std::size_t max_line_;
    std::string bytes_;  // [begin_, end_) is unread; the rest is room
    std::size_t begin_ = 0;
    std::size_t scanned_ = 0;  // no LF in [begin_, scanned_)
    std::size_t end_ = 0;
    bool was_filled_ = false;  // all the room, by the last commit()
    bool dropping_ = false;    // inside a line that was too long
};

}  // namespace protocol
