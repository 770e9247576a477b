// How often a player errs where it can: the one number that tells a player from a perfect one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "arena/statistics/distributions.hpp"

namespace arena {

// The maximum-likelihood rate of mistakes, with the exact interval of Clopper and Pearson.
struct ErrorRate {
    std::uint64_t decisions = 0;  // that count
    std::uint64_t mistakes = 0;   // among them
    std::uint64_t repeats = 0;    // decisions left out, as they say nothing new
    std::uint64_t beyond = 0;     // decisions left out, as too many positions were seen before
    double rate = 0;              // mistakes / decisions; 0 where there are none
    Interval interval{0, 1};      // 95 %
};

// "0.12 [0.09, 0.15]"; "unknown" without decisions.
std::string to_string(const ErrorRate& rate);

// Adds up the decisions of one player. A decision is a move where some legal moves keep the
// value of the position and some do not, and a mistake is one that does not.
//
// A player that always does the same in the same position tells nothing by doing it again: as
// long as it was right at each position always, or wrong always, each position counts once.
// Once it was right and wrong in one position, it is known to play at random, and every
// decision counts. So what counts are independent trials, as the exact interval asks.
class DecisionCount {
  public:
    // At most this many positions are remembered; then decisions in new ones count no longer.
    static constexpr std::size_t kMaxPositions = 65536;

    void add(std::string_view position, bool mistake);

    ErrorRate error_rate() const;
    // Was it seen to do the same in the same position, and never otherwise?
    bool looks_deterministic() const { return repeats_ > 0 && !varied_; }
    std::uint64_t decisions() const { return decisions_; }  // all, repeats too
    std::uint64_t mistakes() const { return mistakes_; }

  private:
    struct Seen {
        std::uint32_t right = 0;
        std::uint32_t wrong = 0;
    };

    std::unordered_map<std::uint64_t, Seen> positions_;  // by hash
    std::uint64_t decisions_ = 0;
    std::uint64_t mistakes_ = 0;
    std::uint64_t repeats_ = 0;
    std::uint64_t wrong_positions_ = 0;
    std::uint64_t beyond_ = 0;
    std::uint64_t beyond_mistakes_ = 0;
    bool varied_ = false;
};

}  // namespace arena
