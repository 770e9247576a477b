// Lines to and from one player, over a pair of pipes or a socket. Every wait has a deadline,
// every buffer a limit. Belongs to the thread of its io_context.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "arena/deadlines.hpp"
#include "arena/game_record.hpp"
#include "arena/io.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

// What a player may write between two questions.
inline constexpr std::size_t kMaxReplyBytes = 8 << 20;
inline constexpr std::size_t kMaxReplyLines = 100'000;

class Connection {
  public:
    // Both descriptors nonblocking. A socket is given once, as `to_player`.
    Connection(boost::asio::io_context& context, Deadlines& deadlines,
               protocol::UniqueFd to_player, protocol::UniqueFd from_player);
    ~Connection();

    // Writes all of `bytes`; what the player writes meanwhile is taken in, so that neither
    // waits for the other. Errors: TimedOut, Disconnected.
    Awaitable<protocol::Result<void>> write(std::string_view bytes, Clock::time_point deadline);

    // Starts the count for the limits above, and drops what was written out of turn. Gives the
    // number of dropped `bestmove` lines. Does not wait.
    int begin_question();

    // The next line; it lives until the caller waits for anything. Errors: TimedOut,
    // Disconnected (only after everything that was written before has been read), TooLong (a
    // line or all of the reply).
    Awaitable<protocol::Result<std::string_view>> read_line(Clock::time_point deadline);

    // Nothing more will be written: the player reads the end of its input.
    void end_input();

    // When the last bytes came, or the end of output.
    Clock::time_point arrived() const;
    // What came behind the last line end; it lives until the next call.
    std::string_view unfinished() const;
    // Has the player written anything since begin_question()?
    bool heard() const;

    // The player's process has ended: what is in the pipe is still read, but no more awaited,
    // whoever else may hold the pipe open.
    void peer_ended();

    // A socket, to be used by others from now on; what was read and not taken is dropped.
    protocol::UniqueFd release();

  private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace arena
