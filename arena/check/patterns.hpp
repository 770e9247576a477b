// Where and how a bot goes wrong: what its mistakes have in common, found among traits that
// positions and moves have or not.
//
// All positions of a family were asked, so the shares that are told are facts, not estimates.
// What is tested is whether they mean something: among dozens of traits, some go together with
// mistakes by chance. Candidates are compared by the G statistic (the log-likelihood ratio of
// "mistakes are more frequent there" against "they are not"), and only those count that chance
// would show once in a thousand times, all candidates together (Bonferroni).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace arena {

// A trait in words, where it holds and where it does not: "a heap is empty", "no heap is
// empty".
struct Trait {
    std::string holds;
    std::string fails;
};
inline constexpr std::size_t kMostTraits = 64;

// A position, by its traits (bit i: trait number i holds).
struct Case {
    std::uint64_t traits = 0;
    bool wrong = false;
};

struct Condition {
    std::size_t trait = 0;
    bool holds = true;

    friend bool operator==(const Condition&, const Condition&) = default;
};

struct Share {
    std::uint64_t cases = 0;
    std::uint64_t wrong = 0;

    double rate() const {
        return cases == 0 ? 0 : static_cast<double>(wrong) / static_cast<double>(cases);
    }
};

// Mistakes are more frequent where the conditions hold, one or two.
struct PatternRule {
    std::vector<Condition> where;
    Share inside;
    Share outside;
};

// The rule that explains most, then the rule that explains most of the cases outside of it, and
// so on: three at most, none where mistakes come as by chance.
std::vector<PatternRule> find_rules(std::span<const Case> cases, std::size_t traits);

// The one condition under which most cases are and none is wrong, unless that is an accident.
std::optional<PatternRule> find_safe(std::span<const Case> cases, std::size_t traits);

// "wrong in all 84 positions where exactly one heap holds 2 or more; right in all others".
std::string to_text(const PatternRule& rule, std::span<const Trait> traits,
                    const std::string& wrong = "wrong");
// "never wrong where one heap is left (32 positions)".
std::string safe_text(const PatternRule& rule, std::span<const Trait> traits,
                      const std::string& wrong = "wrong");
// All of the above, a line each.
std::vector<std::string> rule_texts(std::span<const Case> cases, std::span<const Trait> traits,
                                    const std::string& wrong = "wrong");

// ---- moves ----

inline constexpr std::size_t kMostMoveTraits = 16;

// A mistake, by the traits of the move, and for each trait the share of all mistakes possible
// there that have it.
struct MoveCase {
    std::uint32_t traits = 0;
    std::array<float, kMostMoveTraits> chance{};
};

// A trait that most mistakes have, more than chance would give.
struct Habit {
    std::size_t trait = 0;
    std::uint64_t cases = 0;
    std::uint64_t with = 0;
    double expected = 0;  // of `with`, by chance
};
// Two at most, the one that chance explains least first.
std::vector<Habit> find_habits(std::span<const MoveCase> cases, std::size_t traits);
// "takes from the largest heap in 98 % of its mistakes; by chance it would be 41 %".
std::string to_text(const Habit& habit, std::span<const std::string> traits);

// "12,345".
std::string grouped(std::uint64_t number);
// "37 %"; never "0 %" or "100 %" of what is not none or all.
std::string percent_text(std::uint64_t part, std::uint64_t whole);

}  // namespace arena
