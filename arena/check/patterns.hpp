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
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/game.hpp"
#include "engine/sums/analyst.hpp"

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
std::vector<Habit> find_habits(std::span<const MoveCase> cases);
// "takes from the largest heap in 98 % of its mistakes; by chance it would be 41 %".
std::string to_text(const Habit& habit, std::string_view trait);

// ---- traits (traits.cpp) ----

// The stones of a heap: a number, the sum of a tuple, the free cells of a board.
std::uint64_t stones_of(const protocol::Heap& heap);
std::uint64_t stones_of(const protocol::Position& position);

// The properties of a position on which traits are based. Heaps without a move do not count.
struct PositionFacts {
    // `right_moves`: those that win, or hold the draw; none for a lost position.
    PositionFacts(const engine::Game& game, std::vector<engine::Move> right_moves);

    struct HeapFacts {
        std::size_t number = 0;  // in the position, from 1
        std::uint64_t stones = 0;
    };
    std::vector<HeapFacts> heaps;
    bool has_empty = false;  // heaps of 0
    bool begins_empty = false;
    bool has_equal = false;  // heaps
    bool all_equal = false;
    bool is_misere = false;
    std::set<std::string> rulesets;
    std::uint64_t stones = 0;
    std::uint64_t largest = 0;
    std::vector<engine::Move> right;
    std::vector<std::uint64_t> taken;  // by the right moves
    bool right_clears = false;         // a right move takes a whole heap
};

// The traits that distinguish positions of a set: those that hold in all or none are left out.
class PositionTraits {
  public:
    // Adds a position to the set.
    void widen(const PositionFacts& facts);
    // Chooses the traits, after all positions have been added; those of right moves last.
    void finish(bool has_right_moves = true);

    const std::vector<Trait>& words() const { return words_; }
    std::uint64_t of(const PositionFacts& facts) const;

  private:
    using Test = std::function<bool(const PositionFacts&)>;
    void add(std::string holds, std::string fails, Test test);
    void add_kinds();
    void add_counts();
    void add_sizes();
    void add_right_moves();

    std::set<std::size_t> heap_counts_;
    std::uint64_t largest_ = 0;
    bool has_misere_ = false;
    bool has_normal_ = false;
    std::set<std::string> rulesets_;
    std::vector<Trait> words_;
    std::vector<Test> tests_;
};

// A trait of moves in words: "takes from the largest heap".
std::string_view move_trait(std::size_t number);
// A mistake in the position; nullopt if there are too many legal moves to compare with.
std::optional<MoveCase> describe_mistake(const engine::Game& game, const PositionFacts& facts,
                                         const engine::Move& move,
                                         const engine::Analyst& analyst,
                                         const engine::Budget& budget);

}  // namespace arena
