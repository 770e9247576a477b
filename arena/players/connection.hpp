// Lines to and from one player, over a pair of pipes or a socket. Every wait has a deadline and
// every buffer a limit. Belongs to the thread of its io_context.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "arena/base/run_alone.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

// Limits of a player's output between two questions.
inline constexpr std::size_t kMaxReplyBytes = 8 << 20;
inline constexpr std::size_t kMaxReplyLines = 100'000;

class Connection {
  public:
    // A socket is given once, as `to_player`.
    Connection(EventLoop loop, protocol::UniqueFd to_player,
               protocol::UniqueFd from_player = {},
               std::size_t max_reply_bytes = kMaxReplyBytes);
    ~Connection();

    // Writes all of `bytes`. Meanwhile reads what the player writes, so that neither blocks the
    // other. Errors: TimedOut, Disconnected.
    Awaitable<protocol::Result<void>> write(std::string_view bytes, Clock::time_point deadline);

    // Writes what there is room for, and removes it from `bytes`; nullopt: write() must wait
    // for more room. The error: Disconnected.
    std::optional<protocol::Result<void>> try_write(std::string_view& bytes);

    // Restarts the count for the limits above and drops output out of turn. Returns the number
    // of dropped `bestmove` lines. Does not wait.
    int begin_question();

    // The next line, valid until the caller's next wait. Errors: TimedOut, Disconnected
    // (only after everything written before has been read), TooLong (a line, or the whole
    // reply).
    Awaitable<protocol::Result<std::string_view>> read_line(Clock::time_point deadline);
    // The same in two steps, which cost less: the line or the error if there is one already,
    // and else a wait, after which there may be. False: the connection was destroyed meanwhile.
    std::optional<protocol::Result<std::string_view>> try_read_line(Clock::time_point deadline);
    Awaitable<bool> wait(Clock::time_point deadline);

    // Closes the direction to the player, which reads the end of its input.
    void end_input();

    // The time of the last bytes or of the end of output.
    SteadyClock::time_point arrived() const;
    // The bytes after the last line end, valid until the next call.
    std::string_view unfinished() const;
    // Whether the player has written anything since begin_question().
    bool heard() const;
    // Whether it has read nothing of what it was sent since begin_question(). Known of a pipe
    // alone; else false.
    bool is_unread() const;

    // The player's process has ended: the contents of the pipe are still read, but there is no
    // wait for more, even if another process holds the pipe open.
    void peer_ended();

    // Releases the socket to another owner; bytes read but not taken are dropped.
    protocol::UniqueFd release();

  private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace arena
