// The interface of a player in one slot: child process, TCP connection, built-in or person.
// Belongs to the thread of its worker.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/base/io.hpp"
#include "arena/game/game_record.hpp"
#include "arena/game/referee.hpp"
#include "arena/players/player_context.hpp"
#include "arena/players/player_spec.hpp"

namespace arena {

// The reply to one question: the word after `bestmove`, or why there is none.
struct Answer {
    std::string word;
    std::string line = {};     // as it was received; empty where there was none
    Microseconds used{};       // from the question to the reply
    std::string refusal = {};  // `info string error …` before it, raw; empty: none
    std::optional<Cause> failure;
    bool is_unread = false;   // its process had ended before it read the question
    bool takes_back = false;  // a person takes back the last move and the answer to it
};

// A question to a player: its move in the referee's game.
struct Question {
    const Referee& referee;
    // "position fen POSITION moves M …" from the start, without the line end; empty where that
    // would not fit a line.
    const std::string& history;
};

class Player {
  public:
    virtual ~Player() = default;

    // Starts the player, if it does not run, and completes the handshake. nullopt: it runs,
    // and prepare() continues with it. Players that have nothing to start are ready.
    virtual Awaitable<std::optional<Cause>> try_start();

    // Prepares a game: starts the player if necessary, completes the handshake, sends options
    // and the seed. nullopt: ready.
    virtual Awaitable<std::optional<Cause>> prepare(std::uint64_t seed) = 0;

    // The same, where it runs already: nothing is started. A player that has ended, or does not
    // answer in time (Reason::Timeout), is closed.
    virtual Awaitable<std::optional<Cause>> go_on(std::uint64_t seed);

    // How its process ended by itself since its last answer, before it read anything else, if
    // the last prepare() or go_on() found that. Once.
    virtual std::optional<Cause> take_own_end() { return std::nullopt; }

    // A game begins, in which it has this seat. The referee lives until end_game() returns.
    virtual void take_seat(const Referee&, int /* seat */) {}

    // Asks for a move, once, with one deadline for the whole reply.
    virtual Awaitable<Answer> ask(const Question& question) = 0;

    // Sends JSON for its owner, if the player wants notices.
    virtual Awaitable<void> notify(std::string notice);

    // The game is over; `at_fault`: it ended by this player's fault, so that no further answer
    // can be expected.
    virtual Awaitable<void> end_game(bool at_fault) = 0;

    // The match is over: says `quit`, and waits a moment for the process to end.
    virtual Awaitable<void> quit() = 0;

    // CPU time certainly used off turn since the last call: the time of its process beyond the
    // duration of its replies. Sampled at most twice a second.
    virtual Microseconds take_off_turn_cpu() { return Microseconds(0); }
    // Prepares for the next question after a fault that did not end the game. Waits `grace` for
    // a late reply after `stop`; restarts a player that does not send it, or that has ended,
    // with `seed`. nullopt: ready.
    virtual Awaitable<std::optional<Cause>> recover(Reason fault, Milliseconds grace,
                                                    std::uint64_t seed);

    // CPU time of all its processes since the last call. Its descendants are sampled at most
    // every 100 ms.
    virtual Microseconds take_cpu() { return Microseconds(0); }
    // The program that it runs; null before it has started.
    virtual std::shared_ptr<const PlayerBuild> build() const { return nullptr; }

    // The last lines of its stderr, raw.
    virtual std::string stderr_tail() { return {}; }
};

// Makes the player described by `spec`, number `index` of the match.
std::unique_ptr<Player> make_player(const PlayerSpec& spec, std::size_t index,
                                    const PlayerContext& context);

std::unique_ptr<Player> make_ugi_player(const PlayerSpec& spec, std::size_t index,
                                        const PlayerContext& context);
std::unique_ptr<Player> make_builtin_player(const PlayerSpec& spec,
                                            const PlayerContext& context);
std::unique_ptr<Player> make_human_player(const PlayerContext& context);

// The players that a worker keeps running between games. Belongs to the thread of its worker.
class PlayerPool {
  public:
    // `processes`: at most this many players, at a table or idle, are kept, unless more play.
    PlayerPool(const std::vector<PlayerSpec>& specs, const PlayerContext& context,
               int processes);

    // Player `number` of the tournament: the one idle for the shortest time, or a new one.
    Awaitable<std::unique_ptr<Player>> take(int number);
    // Returns a player to the pool. If there are too many, closes those idle the longest. A
    // player with a limit of instances is closed at once.
    Awaitable<void> give_back(int number, std::unique_ptr<Player> player);
    // Closes all idle players.
    Awaitable<void> quit();
    const PlayerContext& context() const { return context_; }

  private:
    struct Idle {
        int number;
        std::unique_ptr<Player> player;
    };
    Awaitable<void> let_go_down_to(int most);

    const std::vector<PlayerSpec>& specs_;
    const PlayerContext& context_;
    int processes_;
    int playing_ = 0;
    std::list<Idle> idle_;  // longest idle first
};

}  // namespace arena
