// How the players of a contest did, compared with the values of their positions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "arena/contest/results.hpp"
#include "arena/game/game_analysis.hpp"
#include "arena/record/store.hpp"
#include "engine/sums/analyst.hpp"

namespace arena {

// Games are added up, not kept. Not safe to share by threads.
class TheoryComparison {
  public:
    // `analyst` outlives it. `is_match`: games are named by their numbers.
    TheoryComparison(const engine::Analyst& analyst, std::size_t players, bool is_match)
        : analyst_(analyst), is_match_(is_match), thrown_(players) {
        for (std::size_t i = 0; i < players; ++i) results_.add(Entrant());
    }

    // Adds a game that is not kept. Analyses it now, without its decisions, which would take
    // much longer; not once the games so far have taken `most` in all.
    void add(const GameRecord& record, Milliseconds most, std::stop_token stop);
    // All games of a store. Those without an analysis are analysed first, within `budget` in
    // all, and the analysis kept. `progress` as in annotate_games().
    protocol::Result<void> read(Store& store, const engine::Budget& budget,
                                const std::function<void(std::uint64_t)>& progress);

    // A line for each player, in the order of the standings: its points and those that theory
    // allowed, the won and drawn positions that it kept, mistakes a game, and its error rate;
    // below it, what the columns mean. Of two players, also the games that each threw.
    std::string text(const std::vector<std::string>& names,
                     const std::vector<Standing>& standings) const;

  private:
    // The number of games that a player threw, and the earliest of them.
    struct Thrown {
        std::uint64_t games = 0;
        std::map<GameKey, std::string> first;  // "game 3, move 2, in nim:1,2: …"
    };

    void add(const GameRecord& record, const GameAnalysis& analysis);
    void add_throw(const GameRecord& record, const GameAnalysis& analysis, std::size_t seat);
    std::string throws_text(const std::string& who, std::size_t player) const;

    const engine::Analyst& analyst_;
    bool is_match_;
    Results results_{0, 0};          // of the games that are analysed
    std::vector<Thrown> thrown_;     // by player
    std::uint64_t missing_ = 0;      // games without an analysis
    SteadyClock::duration spent_{};  // on games that are not kept
    bool knows_decisions_ = false;   // games were read from a store
};

}  // namespace arena
