// A played game, the unit of the record.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/base/exit_status.hpp"
#include "arena/game/game_key.hpp"
#include "arena/game/start_position.hpp"

namespace arena {

// What ended a game; the names in the record are those of name().
enum class Reason {
    NoMoves,       // the rules: who cannot move loses (normal) or wins (misere)
    Repetition,    // third occurrence: a draw
    PlyLimit,      // the limit of plies, and the value is unknown: a draw
    Adjudicated,   // the limit of plies, decided by the value proven for the position
    IllegalMove,   // the word after `bestmove` is not a legal move
    Timeout,       // no complete line with `bestmove` by the deadline
    Disconnected,  // end of output, exit, signal, reset
    Protocol,      // `bestmove` alone, a line too long, too much output
    Startup,       // did not start, or the handshake failed
    OffTurn,       // CPU time used while the opponent was to move
    Void,          // neither player starts, or the arena's own fault; not counted
};
std::string_view name(Reason reason);  // "no-moves", "illegal-move", …
std::optional<Reason> parse_reason(std::string_view name);
bool is_fault(Reason reason);  // one of IllegalMove … OffTurn: lost by a player's fault
std::string_view fault_words(Reason reason);  // for people: "no move in time"; no fault: empty

// The text of a player at fault, as kept: printable and of bounded length, so that strangers
// cannot inflate a record.
std::string kept_text(std::string_view received);

// The lines of a text, printable; a tab is four blanks.
std::vector<std::string> split_printable(std::string_view text,
                                         std::size_t most_bytes = std::string::npos);
// The last lines of a player's stderr, printable, each with at most this many bytes.
std::vector<std::string> last_lines(std::string_view text, std::size_t most_lines,
                                    std::size_t most_bytes);

// Why a game ended and who won, or why a player could not answer: one value from the place
// where a fault is noticed to the record and the reports. Texts from players are raw, not yet
// printable; in a GameRecord, `received` is kept_text().
struct Cause {
    Reason reason = Reason::Void;
    std::string detail = {};  // one sentence for people, printable
    // For a fault:
    std::string received = {};            // the line or word that was read; empty: none
    std::string expected = {};            // the correct input
    std::optional<ExitStatus> exit = {};  // of the player's process, if it has ended
    std::string stderr_tail = {};         // the player's last lines on stderr
    // What to do about it, for people. A verdict appends it to its detail.
    std::string advice = {};
    bool is_starved = false;         // the machine gave it no core: the player may be well
    std::optional<int> winner = {};  // seat 0 or 1; nullopt: none, or not judged yet

    // Of a game: the seat of the player that lost it by a fault.
    std::optional<int> faulty_seat() const;
};

// Lines with what was read and expected, the last ones on stderr, and the advice, each with at
// most this many bytes of a player's; empty if nothing is known.
std::string fault_text(const Cause& fault, std::size_t most_bytes = 200);

// One game to be played. Seats are 0 (moves first: p1) and 1; players are numbered in the order
// of the command line.
struct GameTask {
    GameKey key;
    std::uint64_t game = 0;  // in a match its number, see match_number(); else 0
    StartPosition position;
    std::array<int, 2> players{0, 1};          // player in each seat
    std::array<std::uint64_t, 2> seeds{0, 0};  // sent to each seat
};
// The name of the game for people: its number in a match, else its key.
std::string game_name(const GameTask& task);

// The program that a player ran, recorded to trace results to programs.
struct PlayerBuild {
    std::string command;     // as it was started or dialled
    std::string id;          // `id name` and `id author` of its handshake, printable
    std::string executable;  // SHA-256 of the program's file, in hex; empty if there is none

    friend auto operator<=>(const PlayerBuild&, const PlayerBuild&) = default;
};

// A fault that did not end the game, because the arena moved instead.
struct Strike {
    std::size_t ply = 0;  // from 1: the move that the arena made
    Reason reason = Reason::Void;
    std::string received;  // kept_text(); empty after the first ones of a game
};
// Adds a strike for this fault. Its text is kept only if it is one of the player's first 100 in
// the game: a player that is at fault in each move cannot inflate a record.
void add_strike(std::vector<Strike>& strikes, std::size_t ply, const Cause& fault);

struct GameRecord : Cause {
    GameTask task;
    std::vector<std::string> moves;              // canonical; without a faulty one
    std::vector<Microseconds> times;             // one a move
    std::optional<Microseconds> fault_time;      // of the answer, or wait, that lost the game
    std::array<Microseconds, 2> off_turn_cpu{};  // CPU time certainly used off turn, by seat

    // Filled in for tournaments, by seat.
    std::array<Microseconds, 2> cpu{};  // CPU time of all of a player's processes in this game
    std::array<std::string, 2> stderr_tails;                   // raw
    std::array<std::shared_ptr<const PlayerBuild>, 2> builds;  // null: unknown
    std::array<std::vector<Strike>, 2> strikes;                // in the order of plies
    std::chrono::system_clock::time_point started{};           // when the game began

    // Of a game that a store gives: its note (the analysis); empty: none yet.
    std::string annotation;

    // The strike for which the arena made the move `ply` (from 1); null: the player made it.
    const Strike* strike_at(std::size_t ply) const;
};
// The verdict on a player that used more CPU time off turn than allowed, and did not lose
// anyway; if both did, on the one that used more. The limit leaves ample time to clean up after
// an answer.
std::optional<Cause> off_turn_verdict(const GameRecord& record);

// "ann beat bob", "ann and bob drew" or "void". `names` by player number.
std::string winner_text(const GameRecord& record, const std::vector<std::string>& names);
// "ann beat bob in 12 moves (no-moves)".
std::string outcome_text(const GameRecord& record, const std::vector<std::string>& names);

}  // namespace arena
