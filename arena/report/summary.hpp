// The contents of all pages, read from a record.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/contest/bracket.hpp"
#include "arena/contest/elo.hpp"
#include "arena/contest/results.hpp"
#include "arena/record/store.hpp"
#include "arena/record/visits.hpp"
#include "arena/report/report_pages.hpp"
#include "engine/base/budget.hpp"

namespace arena::pages {

// A fault or a strike, as it is shown.
struct FaultCase {
    GameKey key;
    int opponent = 0;
    std::size_t strike_ply = 0;  // 0: it ended the game
    Cause fault;
};

// Times from question to reply: [k] counts those below 1 us * 10^((k+1)/2), about a third of an
// order of magnitude apart; the last one all others.
struct ThinkTimes {
    static constexpr std::size_t kBins = 17;
    std::array<std::uint64_t, kBins> counts{};

    void add(Microseconds time);
    static std::string bin_name(std::size_t bin);  // its lower end: "3 ms"
};

struct PlayerPages {
    std::vector<std::shared_ptr<const GameRecord>> games;  // in the schedule's order
    std::uint64_t games_of_that_kind = 0;  // more than `games`, if they were cut
    std::vector<FaultCase> faults;         // the first ones
    std::vector<std::size_t> results;      // of Summary::results, its own
    std::uint64_t not_analysed = 0;        // of its games
    std::vector<Visit> visits;             // to a clinic, in their order
    ThinkTimes times;
};

// Ratings after the first `games` games in the schedule's order.
struct RatingsAt {
    std::uint64_t games = 0;
    std::vector<double> elo;  // by player
};

struct Summary {
    static constexpr std::size_t kMostStarts = 24;  // positions, or rulesets

    Configuration configuration;
    std::vector<Entrant> entrants;
    std::vector<Standing> table;
    std::optional<Results> standings;
    std::vector<GameResult> results;  // in the schedule's order
    Bracket bracket;                  // of a knockout
    std::vector<Rating> ratings;
    bool with_errors = true;  // false: too many players for error bars
    std::vector<RatingsAt> progress;
    std::vector<PlayerPages> players;
    std::uint64_t games = 0;  // void ones too
    std::uint64_t void_games = 0;
    // When the first and the last game began; nullopt: not known.
    std::optional<std::chrono::system_clock::time_point> began, last_began;
    std::uint64_t not_analysed = 0;  // games without an analysis
    std::uint64_t plies = 0;
    std::vector<std::string> damage;  // of the record; those rows are left out
};

// As it was noted; else nothing is known of its plies.
GameAnalysis known_analysis(const GameRecord& record);
// Whether the player of this seat has a fault or a strike in the game, or threw it.
bool has_erred(const GameRecord& record, const GameAnalysis& analysis, std::size_t seat);

// Two passes over the record. A tournament may add games meanwhile; those after the first pass
// are left out. Memory is linear in the players, the results and the chosen games.
// Fault::TimedOut if the budget is spent before all games are read.
protocol::Result<Summary> summarize(Store& store, const PageOptions& options,
                                    const engine::Budget& budget = {});

}  // namespace arena::pages
