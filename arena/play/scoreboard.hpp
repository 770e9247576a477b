// The state of a contest while it is played: points, faults, the sequential test, and the
// lines that tell of it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "arena/contest/accuracy.hpp"
#include "arena/contest/results.hpp"
#include "arena/contest/sprt.hpp"
#include "arena/contest/standings_table.hpp"
#include "arena/play/spectator.hpp"
#include "arena/play/tournament_options.hpp"
#include "arena/players/names.hpp"
#include "arena/record/store.hpp"

namespace arena {

// Thread-safe. Memory is linear in the players, not in the games.
class Scoreboard {
  public:
    // `names` and `options` outlive it.
    Scoreboard(const TournamentOptions& options, const Names& names);

    // The total number of games as far as known.
    void set_total(std::optional<std::uint64_t> total);
    // Format::rounds_reached(), by which a knockout ranks; to be told after plans and games,
    // and at the end.
    void set_reached(std::vector<int> reached);
    // The contents of the record have been added; later games belong to this run.
    void begin();
    void add(const Entrant& entrant);
    void add(const RoundPlan& plan);
    // Returns false if no more games are needed: the test is decided or --max-games reached.
    // `decisions`: those of the first player in this game, for --sprt-error.
    bool add(const GameResult& result, const std::optional<Decisions>& decisions);

    // "rematch: Ann and Bob; …": the rematches of this round, before it is added; or empty.
    std::string rematches(const RoundPlan& plan) const;

    std::uint64_t games() const;
    bool has_faults() const;
    // Did a player fail to start?
    bool has_startup_failure() const;
    // 5 or 6 if a sequential test has been decided.
    std::optional<int> test_exit() const;

    // For a terminal of this size: the first players, and a line such as "37/100 games, 12.3
    // games/s, 2 faults, 5 s left". Names are cut where there are too few columns.
    std::string live(std::size_t rows, std::size_t columns) const;
    // "37/100 games, 12.3 games/s, Ann 30.5, Bob 20, …, 2 faults, 5 s left", once each tenth of
    // the games.
    std::optional<std::string> milestone(Clock::time_point now);
    // The same line, without a condition.
    std::string summary() const;
    // The places, points and faults, tie-breaks where they tell, the likeliest Elo, LOS against
    // the next one below, pairs by their points, the test, and how games ended. 80 columns hold
    // the table where names are short.
    std::string table() const;
    // Points by ruleset, and by start position if these were given, where there are several;
    // else empty.
    std::string starts() const;
    // The faults of each player with their earliest example, of the first of these what was
    // read and expected; strikes; CPU time off turn; or empty. `game_of`: a game that ended by
    // a fault, where it is known.
    using GameOf = std::function<std::optional<GameRecord>(const GameKey&)>;
    std::string faults(const GameOf& game_of) const;
    std::vector<Standing> standings() const;
    ContestProgress contest_progress() const;  // for a spectator

  private:
    static constexpr std::size_t kMostStarts = 64;

    std::vector<StandingRow> rows(const std::vector<Standing>& table) const;
    std::string progress(std::size_t leaders) const;
    double rate() const;                         // games a second of this run; 0: none yet
    std::optional<double> seconds_left() const;  // at that rate

    const TournamentOptions& options_;
    const Names& names_;
    Clock::time_point began_ = Clock::now();

    mutable std::mutex mutex_;
    std::optional<std::uint64_t> total_;
    std::vector<int> reached_;
    Results results_;
    std::map<Reason, std::uint64_t> endings_;
    std::uint64_t games_ = 0;  // void ones too
    std::uint64_t faults_ = 0;
    std::uint64_t games_before_ = 0;            // this run
    std::map<int, std::uint64_t> open_rounds_;  // games that are planned and not yet played
    int last_round_ = 0;
    std::uint64_t tenth_ = 0;
    SequentialTest test_;
};

}  // namespace arena
