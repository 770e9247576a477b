// A player in one slot: child process, TCP connection, built-in or person, behind one
// interface. Belongs to the thread of its worker.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/game_record.hpp"
#include "arena/io.hpp"
#include "arena/player_spec.hpp"
#include "arena/referee.hpp"

namespace engine {
class Analyst;
}

namespace arena {

class Deadlines;
class Guardian;
class Launcher;
class Listener;
class Lobby;
class Names;
class TrafficLog;

// Why a player could not answer. The texts are as received: not yet fit to be shown.
struct Failure {
    Reason reason = Reason::Void;
    std::string detail;  // one sentence, fit to be shown
    std::string received;
    std::string expected;
    std::optional<ExitStatus> exit;
};

// The reply to one question: the word behind `bestmove`, or why there is none.
struct Answer {
    std::string word;
    Microseconds used{};  // from the question to the reply
    std::optional<Failure> failure;
};

// What a player is asked: its move in the referee's game.
struct Question {
    const Referee& referee;
    // "position fen POSITION moves M …" from the start, without the line end; empty where that
    // would not fit a line.
    const std::string& history;
};

class Player {
  public:
    virtual ~Player() = default;

    // Makes ready for a game: starts what is not running, shakes hands, sends options and seed.
    // nullopt: ready.
    virtual Awaitable<std::optional<Failure>> prepare(std::uint64_t seed) = 0;

    // Asks for a move, once, with one deadline for all of the reply.
    virtual Awaitable<Answer> ask(const Question& question) = 0;

    // The game is over; `at_fault`: it ended by this player's fault, so that nothing more can
    // be expected of it.
    virtual Awaitable<void> end_game(bool at_fault) = 0;

    // The match is over: takes leave, and waits a moment for the end of a process.
    virtual Awaitable<void> quit() = 0;

    // CPU time that was for certain used off turn since this was last asked: what its process
    // used beyond the time that its replies took. Looked up at most twice a second.
    virtual Microseconds take_off_turn_cpu() { return Microseconds(0); }
    // After a fault that did not end the game: makes it ready for the next question. A reply
    // that is late is awaited for `grace`, behind `stop`; one that does not come, or a player
    // that has gone, is started anew. nullopt: ready.
    virtual Awaitable<std::optional<Failure>> recover(Reason fault, Milliseconds grace);

    // CPU time that all its processes used since this was last asked. What it has started is
    // looked at every 10 ms at the most.
    virtual Microseconds take_cpu() { return Microseconds(0); }
    // What it runs as; null before it has started.
    virtual std::shared_ptr<const PlayerBuild> build() const { return nullptr; }

    // The last lines on its stderr, as they came.
    virtual std::string stderr_tail() { return {}; }
};

// What the players of one worker share. All of it outlives them.
struct PlayerContext {
    boost::asio::io_context& io;
    Deadlines& deadlines;
    boost::asio::thread_pool& compute;  // for what may take long
    const Guardian& guardian;
    const Launcher& launcher;
    const engine::Analyst& analyst;
    Names& names;
    TrafficLog& log;
    const std::vector<std::unique_ptr<Listener>>& listeners;  // by player; for listen://
    Milliseconds startup;    // from the start of a player to the end of its handshake
    Milliseconds dial_in;    // how long a listen:// player is awaited
    std::vector<int> cores;  // those that players started here share; empty: all
    // By player: the hashes of its program, for build(); empty where nobody asks.
    const std::vector<std::string>& executables;
    std::stop_token stop;          // the match is interrupted
    int stop_fd = -1;              // readable then
    std::FILE* console = nullptr;  // where a person is talked to
    Lobby* lobby = nullptr;        // where players known by tokens wait
};

// The player that `spec`, number `index` of the match, names.
std::unique_ptr<Player> make_player(const PlayerSpec& spec, std::size_t index,
                                    const PlayerContext& context);

std::unique_ptr<Player> make_ugi_player(const PlayerSpec& spec, std::size_t index,
                                        const PlayerContext& context);
std::unique_ptr<Player> make_builtin_player(const PlayerSpec& spec,
                                            const PlayerContext& context);
std::unique_ptr<Player> make_human_player(const PlayerContext& context);

}  // namespace arena
