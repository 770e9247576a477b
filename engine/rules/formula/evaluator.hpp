// Runs a clause's loops: all bindings that are moves. Values of the innermost variable are
// taken a block at a time, each step of an expression for the whole block, which costs about a
// nanosecond a step and binding.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/rules/formula/plan.hpp"
#include "engine/rules/formula/syntax.hpp"
#include "engine/rules/ruleset.hpp"
#include "protocol/heap.hpp"

namespace engine::rules {

// Results of moves, one a row: heaps * entries numbers, heaps in ascending order.
struct MoveBlock {
    std::size_t heaps = 1;
    std::size_t entries = 1;
    std::size_t count = 0;
    const Number* rows = nullptr;

    std::size_t width() const { return heaps * entries; }
    std::span<const Number> row(std::size_t index) const {
        return {rows + index * width(), width()};
    }
};

// Called with moves as they are found, in no order, some more than once; and now and then with
// an empty block while none is found. False stops the search. The rows are valid during the
// call.
using VisitMoves = std::function<bool(const MoveBlock& block)>;

// Called, where it is given, with moves that leave one heap, a number: each of first..last.
using VisitRange = std::function<bool(Number first, Number last)>;

// ---- bounds of the value of an expression: where nothing can overflow, it is computed without
// checks ----

// Values lowest..highest. `overflows`: a step on the way may leave 64 bits.
struct Range {
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    bool overflows = false;
};

// Bounds of an expression when the variable of slot i lies in `variable(i)`. O(steps).
// Divisors that may be 0 are left out of account.
// Calls `visit_step` (may be empty) for every step that computes, with its operands' bounds.
using VariableRange = std::function<Range(std::uint32_t slot)>;
using VisitStep =
    std::function<void(std::uint32_t step, const Range& left, const Range& right)>;
Range find_range(const Code& code, Expression expression, const VariableRange& variable,
                 const VisitStep& visit_step = {});

// With all variables in 0..kSmall, divisions whose operands stay below 2^52 in size are marked
// `is_small`: doubles compute them exactly, and several times as fast. As loops run over less
// than kSmall values, these are all that matter.
inline constexpr std::int64_t kSmall = std::int64_t{1} << 24;
void mark_small(Code& code, const std::vector<Clause>& clauses);

// The largest of 0, 1, 3, 7, …, 2^63-1 such that no expression of the clause can overflow with
// all variables up to it.
std::int64_t safe_limit(const Code& code, const Clause& clause);

// ---- running a clause ----

// A clause made ready to run.
struct ReadyClause {
    const Clause* clause = nullptr;
    std::size_t entries = 1;
    Plan plan;
    std::int64_t safe_limit = 0;  // see safe_limit()
    // Whether the results for neighbouring values of the innermost variable are neighbours: it
    // is added or subtracted once, and all conditions on it are bounds.
    bool is_range = false;
    std::size_t steps = 0;   // to look at one binding
    std::size_t effort = 1;  // the same, steps weighed by time: a quarter of a nanosecond each
};

// What a block of values and each step for it cost, however few the values are, in the units of
// `effort`.
inline constexpr std::size_t kBlockWork = 600;
inline constexpr std::size_t kStepWork = 25;

// All moves of a clause from a heap; false if `visit` stopped it. The clause's variables that
// are no entries run over 0..largest entry; `parameters` are the values of the slots after
// them. A `stop` clause gives rows of no heaps. Any depth of calls from `visit` is allowed.
bool visit_bindings(const Code& code, const ReadyClause& ready, std::span<const Number> heap,
                    std::span<const Number> parameters, const VisitMoves& visit,
                    const VisitRange& visit_range = {});

// The different results of all moves from a heap, sorted and packed.
class FollowerList {
  public:
    // `entries` of every heap; rows are added, and the list is finished before it is read.
    explicit FollowerList(std::size_t entries) : entries_(entries) {}

    // Makes room for rows of `heaps` heaps, whose entries (number i of each heap) lie in
    // ranges[i]. Before any row is added.
    void expect(std::size_t heaps, std::span<const Range> ranges);
    // False if it was given up, which leaves nothing to read.
    bool add(const MoveBlock& block, const GiveUp& give_up);
    bool finish(const GiveUp& give_up);

    std::size_t size() const { return size_; }
    // The heaps of result number `index`, one after the other, `entries` numbers each.
    std::vector<Number> row(std::size_t index) const;
    std::size_t bytes() const;

  private:
    // Rows of as many heaps. If the entries, less their lowest value, fit into 64 bits, a row
    // is one key; its order is that of the rows.
    struct Group {
        std::size_t heaps = 1;
        std::vector<Number> lowest, highest;  // for each entry of a heap
        std::vector<int> bits;
        bool is_packed = false;
        int key_bits = 0;
        std::vector<std::uint64_t> numbers;  // keys, or rows one after the other
        std::size_t next_sweep = 0;

        std::size_t width() const { return heaps * lowest.size(); }
        std::size_t stride() const { return is_packed ? 1 : width(); }
        std::size_t count() const { return numbers.size() / stride(); }
        std::uint64_t pack(std::span<const Number> row) const;
        std::vector<Number> unpack(std::uint64_t key) const;
        bool sort(const GiveUp& give_up);  // each row once
        bool sort_keys(const GiveUp& give_up);
        bool mark_keys(const GiveUp& give_up);
        bool sort_rows(const GiveUp& give_up);
    };

    Group& group(std::size_t heaps);

    std::size_t entries_;
    std::vector<Group> groups_;  // by the number of heaps
    std::size_t size_ = 0;
};

}  // namespace engine::rules
