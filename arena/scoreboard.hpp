// Where a tournament stands while it is played: points, faults, the sequential test, and the
// lines that tell of it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "arena/event_log.hpp"
#include "arena/names.hpp"
#include "arena/statistics/in_order.hpp"
#include "arena/statistics/sprt.hpp"
#include "arena/store/store.hpp"
#include "arena/tournament_options.hpp"

namespace arena {

// Safe to use from several threads. Memory goes with the players, not with the games.
class Scoreboard {
  public:
    // `names` and `options` outlive it. `total`: games in all, where that is known.
    Scoreboard(const TournamentOptions& options, const Names& names,
               std::optional<std::uint64_t> total);

    // All that the record held has been added: from here on it is this run.
    void begin();
    void add(const RoundPlan& plan);
    // False: there is no need of more games, since the test is decided or --max-games reached.
    bool add(const GameResult& result);
    // The first fault of each kind of each player is kept as an example.
    void add_faults(const GameRecord& record);

    std::uint64_t games() const;
    bool has_faults() const;
    // 5 or 6 where a sequential test has been decided.
    std::optional<int> test_exit() const;

    // "37/100 games, 12.3 games/s, Ann 30.5, Bob 20, …, 2 faults, 5 s left".
    std::string progress() const;
    // The same as a line that stays, once each tenth of the games.
    std::optional<std::string> milestone();
    // The places, points and faults, the likeliest Elo, the test, and examples of faults.
    std::string table() const;
    std::vector<EventStanding> event_rows() const;

  private:
    struct Row {
        std::uint64_t games = 0, wins = 0, draws = 0, losses = 0;
        double byes = 0;  // points
        std::map<Reason, std::uint64_t> faults;
        double points() const;
    };
    struct Example {
        std::string game;
        std::string detail;
    };
    struct Met {
        double games = 0;
        double points = 0;  // of the one with the lower number
    };

    void add_to_test(const GameResult& result);
    std::vector<std::size_t> places() const;
    std::string fault_text(const std::vector<std::string>& names) const;
    std::string test_text() const;
    std::string progress_unlocked() const;

    const TournamentOptions& options_;
    const Names& names_;
    const std::optional<std::uint64_t> total_;
    Clock::time_point began_ = Clock::now();

    mutable std::mutex mutex_;
    std::vector<Row> rows_;  // by player
    std::map<std::pair<int, int>, Met> met_;
    std::map<std::pair<int, Reason>, Example> examples_;
    std::uint64_t games_ = 0;  // void ones too
    std::uint64_t void_games_ = 0;
    std::uint64_t faults_ = 0;
    std::uint64_t games_before_ = 0;  // this run
    std::uint64_t tenth_ = 0;
    std::optional<EloTest> test_;
    InOrder<std::optional<int>> order_;  // half points of player 0, of 2; none: void
    PairCounts pairs_{};
    TestState state_;
};

}  // namespace arena
