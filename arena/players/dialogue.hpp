// Lines to and from a bot, and why it has not answered: for games and for `check`.
#pragma once

#include <string>
#include <string_view>

#include "arena/base/clock.hpp"
#include "arena/base/io.hpp"
#include "arena/players/conversation.hpp"
#include "arena/process/child.hpp"
#include "protocol/result.hpp"

namespace arena {

// A bot that is open to questions. The calls are those of Conversation and Connection.
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
    virtual CpuCount cpu() const = 0;  // of its process, if the arena has started one
};

// How long to wait for a bot: for `within` besides the time for which it was ready to run, but
// other programs had the cores, and for `most` at last.
class Patience {
  public:
    Patience(const Dialogue& bot, Milliseconds within, Milliseconds most);

    Clock::time_point deadline() const { return deadline_; }
    // Once that has passed: whether there is a later one.
    bool extend();

  private:
    const Dialogue& bot_;
    Clock::time_point due_;  // not counting the time without a core
    Clock::time_point last_;
    Clock::time_point deadline_;
    CpuCount begin_;
};

// What made a bot answer that had not done so in time.
struct Belated {
    std::string_view words;   // "it came once the bot's input was closed"; empty: nothing did
    std::string_view advice;  // one remedy
    bool buffered = false;    // it had answered, and does not flush its output
};

// Finds out why a bot that was sent `ugi` or another question does not answer by `awaited`.
// Where that is its handshake, it is asked so often that the answers fill a buffer, and then by
// `uci`; then its input is closed. So a bot that does not flush is told from one that reads all
// of its input before it answers. Waits for `patience` at each step (see Patience); no
// conversation is possible afterwards.
Awaitable<Belated> provoke(Dialogue& bot, std::string awaited, Milliseconds patience);

}  // namespace arena
