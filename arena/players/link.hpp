// The link to a player that speaks the protocol: its process with its pipes, or a socket.
#pragma once

#include <memory>
#include <optional>

#include "arena/base/io.hpp"
#include "arena/players/diagnosis.hpp"
#include "arena/players/dialogue.hpp"
#include "arena/players/player_context.hpp"
#include "arena/players/player_spec.hpp"
#include "protocol/result.hpp"

namespace arena {

class BorrowedSession;

// An open link, from its start to its end.
struct Link : Dialogue {
    std::unique_ptr<Connection> connection;
    std::optional<Conversation> talk;           // over the connection
    std::unique_ptr<Child> child;               // none for a TCP peer
    std::unique_ptr<BorrowedSession> borrowed;  // of a player from the lobby

    Link();
    ~Link() override;

    Clock::time_point now() const override { return Clock::now(); }
    Awaitable<protocol::Result<void>> send(std::string_view lines,
                                           Clock::time_point deadline) override;
    Awaitable<Conversation::Line> hear(std::string_view awaited, Clock::time_point deadline,
                                       std::string_view other) override;
    void end_input() override { connection->end_input(); }
    CpuCount cpu() const override { return child ? child->count_cpu() : CpuCount(); }
};

// Starts the process of player `index`, dials, or waits for the bot to dial in. `deadline`: of
// a peer to dial, or that dials in; the lobby has its own. `listener` gets every line, and the
// stderr of a process ('!'). Throws GuardianGone, and another runtime_error where not the
// player is at fault but this machine: it lacks files, processes or memory.
Awaitable<protocol::Result<std::unique_ptr<Link>>> open_link(const PlayerSpec& spec,
                                                             std::size_t index,
                                                             const PlayerContext& context,
                                                             Clock::time_point deadline,
                                                             Conversation::Listener listener);

// After the end of output: waits for the exit status of the process. One that is ending has all
// of `patience`, for on a busy machine its status may be late; another has a moment, for it may
// only have closed its output. nullopt: not known. Throws GuardianGone.
Awaitable<std::optional<ExitStatus>> await_exit(const Link& link,
                                                Milliseconds patience = Milliseconds(10'000));

// Whether its process, which was started at `start` and has not answered, is to be excused: see
// was_starved(). Never without a control group.
bool is_starved(const Link& link, SteadyClock::time_point start);

// What the process did between two counts.
Effort effort_between(const CpuCount& from, const CpuCount& to);

}  // namespace arena
