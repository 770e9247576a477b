// A bot as a check sees it: lines, a process perhaps, and the clock by which it is awaited. The
// clock is the peer's own, so that a test can take a scripted bot whose silence costs no time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "arena/base/io.hpp"
#include "arena/players/dialogue.hpp"
#include "arena/players/link.hpp"
#include "arena/players/player_spec.hpp"

namespace arena {

class Peer : public Dialogue {
  public:
    // Starts the bot, dials it, or waits for it to dial in. `listener` gets every line, and its
    // stderr ('!').
    virtual Awaitable<protocol::Result<void>> open(Clock::time_point deadline,
                                                   Conversation::Listener listener) = 0;
    virtual bool is_open() const = 0;
    // Kills its process, or closes the connection.
    virtual void close() = 0;

    // The rest, and those of Dialogue, only while it is open. These as in Conversation and
    // Connection:
    virtual Awaitable<protocol::Result<void>> shake_hands(Clock::time_point deadline) = 0;
    virtual const Introduction& introduction() const = 0;
    virtual Clock::time_point arrived() const = 0;
    virtual std::string_view unfinished() const = 0;
    virtual int begin_question() = 0;

    // Of its process, if the arena has started one.
    virtual bool has_process() const = 0;
    // Whether it is excused for not having answered since it was opened: see was_starved().
    virtual bool is_starved() const { return false; }
    // The limit of its memory in words; empty: none.
    virtual std::string memory_limit() const = 0;
    // See Launcher::environment_text().
    virtual std::string_view environment() const = 0;
    // How it ended, after the end of its output, once all of its stderr has been read. nullopt:
    // not known.
    virtual Awaitable<std::optional<ExitStatus>> await_exit() = 0;
    // Whether the process has ended by then, or the peer has closed the connection.
    virtual Awaitable<bool> wait_for_end(Clock::time_point deadline) = 0;
    // nullopt while it runs, or if not known.
    virtual std::optional<ExitStatus> exit_status() const = 0;
};

// Makes a peer that can be opened, also several times. The specification outlives it.
using MakePeer = std::function<std::unique_ptr<Peer>(const PlayerSpec& spec)>;

// A process or a socket. The context outlives it.
std::unique_ptr<Peer> linked_peer(const PlayerSpec& spec, std::size_t index,
                                  const PlayerContext& context);

}  // namespace arena
