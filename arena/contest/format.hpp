// The pairings of a tournament: one interface, a file for each format.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arena/contest/bracket.hpp"
#include "arena/contest/plan.hpp"
#include "arena/game/seeds.hpp"
#include "protocol/result.hpp"

namespace arena {

// A match is a round robin of two. Its games have numbers: 2k-1 and 2k are those of position k.
enum class FormatKind { RoundRobin, Gauntlet, Swiss, Knockout, Ladder, Match, Clinic };
std::string_view name(FormatKind kind);  // "round-robin", …
protocol::Result<FormatKind> parse_format_kind(std::string_view text);

inline constexpr int kMaxPlayers = 20'000;
inline constexpr int kMaxGames = 1'000'000'000;
inline constexpr int kMaxGamesOfPairing = 10'000'000;
inline constexpr int kMaxCycles = 1'000;
inline constexpr int kMaxSwissRounds = 400;  // pairing a round costs the square of their number

struct FormatOptions {
    FormatKind kind = FormatKind::RoundRobin;
    int players = 0;                      // at the start, late joiners not counted
    int games = 2;                        // a pairing; even: pairs of games
    int cycles = 1;                       // round robin: how often all meet all (2: double)
    int seeds = 1;                        // gauntlet: this many first players meet the rest
    int rounds = 0;                       // Swiss; 0: ceil(log2(players))
    std::chrono::milliseconds budget{0};  // ladder; 0: no end, where it is open
    bool open = false;       // ladder, clinic: players come and go; it waits for them
    std::uint64_t seed = 0;  // for lots
};

struct GameOver {};      // nothing is left to plan
struct AwaitResults {};  // results of planned games are needed first
// The next step of the plan.
using NextRound = std::variant<RoundPlan, AwaitResults, GameOver>;

// The rounds of a tournament in sequence: a pure function of the options and of what was added,
// whatever the order in which games end. Positions of pairs are left empty; the caller fills
// them in. Memory is linear in players and pairs of players that met, not in games. Not
// thread-safe.
class Format {
  public:
    virtual ~Format() = default;

    // Adds the contents of the record, each once: all players by number (also those of the
    // start), planned rounds (also those that next() returned: until they are added it returns
    // the same again), and results of planned games.
    virtual void add(const Entrant& entrant) = 0;
    virtual void add(const RoundPlan& plan) = 0;
    virtual void add(const GameResult& result) = 0;

    // `spent`: how much of the time budget is used; only the ladder reads it. Formats that need
    // no results (round robin, gauntlet) plan some thousand games ahead.
    virtual NextRound next(std::chrono::milliseconds spent) = 0;

    // A player has connected or disconnected: a ladder leaves absent players out of rounds, and
    // does not wait for their games; a player that joins is present. A clinic plans games for a
    // player that has connected.
    virtual void set_present(int, bool) {}

    // The total number of games as far as known (players that joined, replays that are
    // planned); empty if unknown.
    virtual std::optional<std::uint64_t> total_games() const = 0;
    // A warning to print before round 1, such as unavoidable rematches; or empty.
    virtual std::string warning() const { return {}; }
    // Knockout: by player, the last round that it reached (0: none), for the champion one more.
    // Other formats: empty.
    virtual std::vector<int> rounds_reached() const { return {}; }
    // Knockout: its meetings so far. Other formats: empty.
    virtual Bracket bracket() const { return {}; }
};

// The fewest games of a pairing, even, that reach each of this many positions: each round of a
// format takes further positions. 2 where the number of rounds is not known.
std::uint64_t least_games(const FormatOptions& options, std::uint64_t positions);

// The last round that can be planned, whoever joins; 0: unbounded.
int most_rounds(const FormatOptions& options);

// Errors: numbers that make no sense for the format.
protocol::Result<void> check_format(const FormatOptions& options);
protocol::Result<std::unique_ptr<Format>> make_format(const FormatOptions& options);

}  // namespace arena
