// Who meets whom in a tournament: one interface, a file for each format.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arena/store/store.hpp"
#include "protocol/result.hpp"

namespace arena {

enum class FormatKind { RoundRobin, Gauntlet, Swiss, Knockout, Ladder };
std::string_view name(FormatKind kind);  // "round-robin", …
protocol::Result<FormatKind> parse_format_kind(std::string_view text);

struct FormatOptions {
    FormatKind kind = FormatKind::RoundRobin;
    int players = 0;                      // at the start, late joiners not counted
    int games = 2;                        // a pairing; even: pairs of games
    int cycles = 1;                       // round robin: how often all meet all (2: double)
    int seeds = 1;                        // gauntlet: how many of the first meet the rest
    int rounds = 0;                       // Swiss; 0: ceil(log2(players))
    std::chrono::milliseconds budget{0};  // ladder; 0: no end, where it is open
    bool open = false;                    // ladder: players come and go, and it waits for them
    std::uint64_t seed = 0;               // for lots
};

struct GameOver {};      // nothing is left to be planned
struct AwaitResults {};  // results of what is planned are needed first
// What to plan next.
using NextRound = std::variant<RoundPlan, AwaitResults, GameOver>;

// The rounds of a tournament, one after the other: a pure function of the options and of what
// it was told, in whatever order games ended. Positions of pairs are left empty: whoever plans
// fills them in. Memory grows with players and with pairs of players who met, not with games.
// Not safe to share by threads.
class Format {
  public:
    virtual ~Format() = default;

    // What the record holds, each once: all players in the order of their numbers (also those
    // of the start), rounds planned (also those that next() gave: it gives the same again until
    // it is told), and results of games that were planned.
    virtual void add(const Entrant& entrant) = 0;
    virtual void add(const RoundPlan& plan) = 0;
    virtual void add(const GameResult& result) = 0;

    // `spent`: of the budget of time up to now; looked at by the ladder alone. What needs no
    // results (round robin, gauntlet) is given some thousand games ahead of those played.
    virtual NextRound next(std::chrono::milliseconds spent) = 0;

    // A player has come, or gone: on an open ladder, who is not there is left out of rounds.
    // Who joins is there.
    virtual void set_present(int, bool) {}

    // How many games there will be in all, as far as is known by now (who has joined, which
    // replays are planned); empty where nobody knows.
    virtual std::optional<std::uint64_t> total_games() const = 0;
    // After so many rounds nothing more is planned, whoever joins; 0: there is no such bound.
    virtual int most_rounds() const { return 0; }
    // What should be said before round 1, such as rematches that cannot be avoided; or empty.
    virtual std::string warning() const = 0;
    // Knockout: by player, the last round that it got to (0: none), the champion one round
    // further. The others: empty.
    virtual std::vector<int> rounds_reached() const { return {}; }
};

// Errors: numbers that make no sense for the format.
protocol::Result<std::unique_ptr<Format>> make_format(const FormatOptions& options);

}  // namespace arena
