// Each player's points from each start position, and under each ruleset: a player may be
// perfect at one game and know nothing of another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "arena/contest/plan.hpp"

namespace arena {

// A position, or the rulesets of one with its convention ("nim+kayles misere"), and the scores
// of those who started there, by player. Void games are not counted.
struct Start {
    struct Score {
        std::uint64_t games = 0;
        std::uint64_t wins = 0;
        std::uint64_t halves = 0;  // half points
    };
    std::string text;
    std::string ruleset;  // of a position; else the text
    std::map<int, Score> scores;
};

// Memory: a cell for each player and start, and the pairs that are planned and not played.
class StartTally {
  public:
    // With more than `most` positions, or rulesets, none of them are kept.
    explicit StartTally(std::size_t most = std::numeric_limits<std::size_t>::max())
        : positions_{most, {}, {}}, rulesets_{most, {}, {}} {}

    // A result after the plan of its pair.
    void add(const RoundPlan& plan);
    void add(const GameResult& result);

    bool has_too_many_positions() const { return positions_.most == 0; }
    // In the order of the plans. Empty if there are too many.
    const std::vector<Start>& positions() const { return positions_.starts; }
    const std::vector<Start>& rulesets() const { return rulesets_.starts; }

  private:
    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    struct Group {
        std::size_t most;  // 0: there were more
        std::vector<Start> starts;
        std::map<std::string, std::size_t> places;  // of `starts`

        std::size_t place_of(const std::string& text, const std::string& ruleset);
        void add(std::size_t place, const GameResult& result);
    };
    struct Pair {
        std::size_t position = kNone;
        std::size_t ruleset = kNone;
        int games = 0;  // played
    };

    Group positions_;
    Group rulesets_;
    std::map<PairKey, Pair> pairs_;
};

// Tables of points and games, "3.5/4", for a terminal: by ruleset where there are several, and
// by position where that tells more; of at most 8 each. `order`: the players, best first.
// `by_position`: false where positions are drawn, each for a few games alone.
std::string starts_text(const StartTally& tally, const std::vector<int>& order,
                        const std::vector<std::string>& names, bool by_position);

}  // namespace arena
