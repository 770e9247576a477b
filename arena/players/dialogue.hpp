// Lines to and from a bot, and why it has not answered: for games and for `check`.
#pragma once

#include <string>
#include <string_view>

#include "arena/base/clock.hpp"
#include "arena/base/io.hpp"
#include "arena/players/conversation.hpp"
#include "protocol/result.hpp"

namespace arena {

// As in Conversation and Connection.
class Dialogue {
  public:
    virtual ~Dialogue() = default;

    virtual Clock::time_point now() const = 0;
    virtual Awaitable<protocol::Result<void>> send(std::string_view lines,
                                                   Clock::time_point deadline) = 0;
    virtual Awaitable<Conversation::Line> hear(std::string_view awaited,
                                               Clock::time_point deadline,
                                               std::string_view other) = 0;
    virtual void end_input() = 0;
};

// What made a bot answer that had not done so in time.
struct Belated {
    std::string_view words;   // "it came once the bot's input was closed"; empty: nothing did
    std::string_view advice;  // one remedy
    bool buffered = false;    // it had answered, and does not flush its output
};

// Finds out why a bot that was sent `ugi` or another question does not answer by `awaited`.
// Where that is its handshake, it is asked so often that the answers fill a buffer; then its
// input is closed. So a bot that does not flush is told from one that reads all of its input
// before it answers. Waits for `patience` at each step; no conversation is possible afterwards.
Awaitable<Belated> provoke(Dialogue& bot, std::string awaited, Milliseconds patience);

}  // namespace arena
