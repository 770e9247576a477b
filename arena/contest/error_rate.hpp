// The error rate of a player: how far it is from perfect play.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "arena/contest/distributions.hpp"

namespace arena {

// The maximum-likelihood rate of mistakes, with the exact interval of Clopper and Pearson.
struct ErrorRate {
    std::uint64_t decisions = 0;  // that count
    std::uint64_t mistakes = 0;   // among them
    std::uint64_t repeats = 0;    // decisions left out because they repeat
    std::uint64_t beyond = 0;     // decisions left out: too many positions before
    double rate = 0;              // mistakes / decisions; 0 where there are none
    Interval interval{0, 1};      // 95 %
};

// "0.12 [0.09, 0.15]"; "unknown" without decisions.
std::string to_string(const ErrorRate& rate);

// Adds up the decisions of one player. A decision is a move where some legal moves keep the
// value of the position and some do not, and a mistake is one that does not.
//
// If a player is consistent, repeats carry no information: as long as it was always right or
// always wrong in each position, each position counts once. Once it was both right and wrong in
// one position, it plays at random, and every decision counts. So the counted decisions are
// independent trials, as the exact interval requires.
class DecisionCount {
  public:
    // At most this many positions are remembered; decisions in further ones are not counted.
    static constexpr std::size_t kMaxPositions = 65536;

    void add(std::string_view position, bool mistake);

    ErrorRate error_rate() const;
    // Whether positions recurred, and the player chose the same way in each of them.
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
