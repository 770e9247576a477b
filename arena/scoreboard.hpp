// Where a tournament stands while it is played: points, faults, the sequential test, and the
// lines that tell of it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "arena/event_log.hpp"
#include "arena/formats/standings.hpp"
#include "arena/names.hpp"
#include "arena/report.hpp"
#include "arena/statistics/in_order.hpp"
#include "arena/statistics/player_statistics.hpp"
#include "arena/statistics/sprt.hpp"
#include "arena/store/store.hpp"
#include "arena/tournament_options.hpp"

namespace arena {

// Safe to use from several threads. Memory goes with the players, not with the games.
class Scoreboard {
  public:
    // `names` and `options` outlive it.
    Scoreboard(const TournamentOptions& options, const Names& names);

    // Games in all, as far as is known by now.
    void set_total(std::optional<std::uint64_t> total);
    // All that the record held has been added: from here on it is this run.
    void begin();
    void add(const Entrant& entrant);
    void add(const RoundPlan& plan);
    // False: there is no need of more games, since the test is decided or --max-games reached.
    // `decisions`: those of the first player in it, for --sprt-error.
    bool add(const GameResult& result, const std::optional<Decisions>& decisions);

    // "rematch: Ann and Bob; …": who meet again in this round, before it is added; or empty.
    std::string rematches(const RoundPlan& plan) const;

    std::uint64_t games() const;
    bool has_faults() const;
    // 5 or 6 where a sequential test has been decided.
    std::optional<int> test_exit() const;

    // For a terminal of 80 columns and so many rows: the first players, and a line such as
    // "37/100 games, 12.3 games/s, 2 faults, 5 s left".
    std::string live(std::size_t rows) const;
    // "37/100 games, 12.3 games/s, Ann 30.5, Bob 20, …, 2 faults, 5 s left", once each tenth of
    // the games.
    std::optional<std::string> milestone();
    // The places, points and faults, tie-breaks where they tell, the likeliest Elo, LOS against
    // the next one below, pairs by their points, and the test. 80 columns hold it where names
    // are short. `reached`: Format::rounds_reached().
    std::string table(const std::vector<int>& reached) const;
    // The faults of each player with an example, strikes, CPU time off turn; or empty.
    // `detail_of`: how a game ended, in a sentence.
    std::string faults(const std::vector<int>& reached,
                       const std::function<std::string(const GameKey&)>& detail_of) const;
    std::vector<EventStanding> event_rows(const std::vector<int>& reached) const;

  private:
    void add_to_test(const GameResult& result, const std::optional<Decisions>& decisions);
    bool has_test() const { return elo_test_ || error_test_; }
    void add_to_pairs(const GameResult& result);
    void add_to_faults(const GameResult& result);
    std::string test_text() const;
    std::string progress(std::size_t leaders) const;

    const TournamentOptions& options_;
    const Names& names_;
    Clock::time_point began_ = Clock::now();

    mutable std::mutex mutex_;
    std::optional<std::uint64_t> total_;
    Standings standings_;
    // Of pairs of which one game is played: the half points of the player of the lower number,
    // none where the game is void.
    std::map<PairKey, std::optional<int>> halves_;
    std::map<int, PairCounts> pairs_of_;  // by player
    std::map<std::pair<int, Reason>, GameKey> examples_;  // the first of each
    std::map<int, OffTurnTally> off_turn_;
    std::map<int, std::uint64_t> strikes_;
    std::uint64_t games_ = 0;  // void ones too
    std::uint64_t void_games_ = 0;
    std::uint64_t faults_ = 0;
    std::uint64_t games_before_ = 0;  // this run
    std::uint64_t tenth_ = 0;
    // What a test reads of a game of player 0.
    struct Tested {
        int halves = 0;  // half points, of 2
        Decisions decisions;
    };
    std::optional<EloTest> elo_test_;
    std::optional<ErrorTest> error_test_;
    InOrder<std::optional<Tested>> order_;  // none: a void game
    PairCounts pairs_{};
    DecisionCount decisions_;
    TestState state_;
};

}  // namespace arena
