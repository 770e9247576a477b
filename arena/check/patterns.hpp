// Finds what the mistakes of a bot have in common, among traits that positions and moves have
// or do not have.
//
// All positions of a family were asked, so the reported shares are facts, not estimates. The
// test is whether they mean something: among dozens of traits, some agree with mistakes by
// chance. Candidates are compared by the G statistic (the log-likelihood ratio of "mistakes are
// more frequent there" against "they are not"). Only those count that chance would show once in
// a thousand runs, over all candidates (Bonferroni).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace arena {

// A trait in words and its negation: "a heap is empty", "no heap is empty".
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
// so on: at most three; none if mistakes look random.
std::vector<PatternRule> find_rules(std::span<const Case> cases, std::size_t traits);

// The condition with the most cases of which none is wrong, unless that may be chance.
std::optional<PatternRule> find_safe(std::span<const Case> cases, std::size_t traits);

// "wrong in all 84 positions where exactly one heap holds 2 or more; right in all others".
std::string to_text(const PatternRule& rule, std::span<const Trait> traits,
                    const std::string& wrong = "wrong");
// "never wrong where one heap is left (32 positions)".
std::string safe_text(const PatternRule& rule, std::span<const Trait> traits,
                      const std::string& wrong = "wrong");
// All of these, a line each.
std::vector<std::string> rule_texts(std::span<const Case> cases, std::span<const Trait> traits,
                                    const std::string& wrong = "wrong");

// ---- moves ----

inline constexpr std::size_t kMostMoveTraits = 16;

// A mistake: the traits of the move, and for each trait its share among all mistakes that were
// possible in the position.
struct MoveCase {
    std::uint32_t traits = 0;
    std::array<float, kMostMoveTraits> chance{};
};

// A trait that most mistakes have, and more than by chance.
struct Habit {
    std::size_t trait = 0;
    std::uint64_t cases = 0;
    std::uint64_t with = 0;
    double expected = 0;  // of `with`, by chance
};
// At most two, the most significant first.
std::vector<Habit> find_habits(std::span<const MoveCase> cases, std::size_t traits);
// "takes from the largest heap in 98 % of its mistakes; by chance it would be 41 %".
std::string to_text(const Habit& habit, std::span<const std::string> traits);

// "12,345".
std::string grouped(std::uint64_t number);
// "37 %"; "0 %" only for none, "100 %" only for all.
std::string percent_text(std::uint64_t part, std::uint64_t whole);

}  // namespace arena
