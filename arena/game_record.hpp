// What is known of a game that was played: the unit of the record.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/store/game_key.hpp"
#include "protocol/position.hpp"

namespace arena {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::microseconds;
using Milliseconds = std::chrono::milliseconds;

// What ended a game; the names in the record are those of name().
enum class Reason {
    NoMoves,       // the rules: who cannot move loses (normal) or wins (misere)
    Repetition,    // third occurrence: a draw
    PlyLimit,      // the limit of plies, and nobody knows who wins: a draw
    Adjudicated,   // the limit of plies, decided by the value proven for the position
    IllegalMove,   // the word after `bestmove` is no legal move
    Timeout,       // no complete line with `bestmove` by the deadline
    Disconnected,  // end of output, exit, signal, reset
    Protocol,      // `bestmove` alone, a line too long, too much output
    Startup,       // did not start or shake hands
    Void,          // the arena's own fault; counts for nobody
};
std::string_view name(Reason reason);  // "no-moves", "illegal-move", …
std::optional<Reason> parse_reason(std::string_view name);
bool is_fault(Reason reason);  // one of IllegalMove … Startup: lost by a player's fault

// How a process ended: by exit(code) or by a signal.
struct ExitStatus {
    std::optional<int> code;
    std::optional<int> signal;
};

// What was read from a player at fault, as it is kept: fit to be shown, and never so long that
// a record grows by what strangers write.
std::string kept_text(std::string_view received);

// What a player did wrong, for the report. Texts of players but `received` are as they came: not
// yet fit to be shown.
struct FaultDetail {
    std::string received;     // kept_text() of the line or word; empty where none was
    std::string expected;     // what would have been right
    std::string stderr_tail;  // the player's last lines on stderr
    std::optional<ExitStatus> exit;
};

// One game to be played. Seats are 0 (moves first: p1) and 1; players are numbered as they
// stand on the command line.
struct GameTask {
    std::uint64_t game = 0;  // from 1
    std::uint64_t pair = 0;  // from 1; both games of a pair start from the same position
    GameKey key;             // of a tournament's game, which has no number
    std::shared_ptr<const protocol::Position> position;
    std::array<int, 2> players{0, 1};          // player in each seat
    std::array<std::uint64_t, 2> seeds{0, 0};  // sent to each seat
    std::uint64_t token = 0;                   // of the store, under which it may be recorded
};

// What a player ran as: for the record, so that a result can be traced to a program.
struct PlayerBuild {
    std::string command;     // as it was started or dialled
    std::string id;          // `id name` and `id author` of its handshake, fit to be shown
    std::string executable;  // SHA-256 of the program's file, in hex; empty where there is none

    friend auto operator<=>(const PlayerBuild&, const PlayerBuild&) = default;
};

// A fault that did not end the game: the arena moved instead.
struct Strike {
    std::size_t ply = 0;  // from 1: the move that the arena made
    Reason reason = Reason::Void;
    std::string received;  // kept_text()
};

struct GameRecord {
    GameTask task;
    std::vector<std::string> moves;   // canonical; without a faulty one
    std::vector<Microseconds> times;  // one a move
    std::optional<int> winner;        // seat 0 or 1; nullopt: nobody
    Reason reason = Reason::Void;
    std::string detail;              // one sentence, for people, fit to be shown
    std::optional<int> faulty_seat;  // who is at fault, where is_fault(reason)
    FaultDetail fault;
    std::array<Microseconds, 2> off_turn_cpu{};  // CPU time burnt for certain off turn, by seat

    // Filled in for tournaments, by seat.
    std::array<Microseconds, 2> cpu{};  // CPU time of all of a player's processes in this game
    std::array<std::string, 2> stderr_tails;                   // as they came
    std::array<std::shared_ptr<const PlayerBuild>, 2> builds;  // null: unknown
    std::array<std::vector<Strike>, 2> strikes;
    std::chrono::system_clock::time_point started{};  // when the game began
};

}  // namespace arena
