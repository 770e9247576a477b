// Runs a clause's loops: all bindings that are moves. Values of the innermost variable are
// taken a block at a time, each step of an expression for the whole block, which costs about a
// nanosecond a step and binding.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "engine/rules/formula/plan.hpp"
#include "protocol/heap.hpp"

namespace engine::rules {

using protocol::Number;

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

// A clause made ready to run.
struct ReadyClause {
    const Clause* clause = nullptr;
    std::size_t entries = 1;
    Plan plan;
    std::int64_t safe_limit = 0;  // see ranges.hpp
    std::size_t steps = 0;        // to look at one binding
    std::size_t effort = 1;  // the same, steps weighed by time: a quarter of a nanosecond each
};

// What a block of values and each step for it cost, however few the values are, in the units of
// `effort`.
inline constexpr std::size_t kBlockWork = 600;
inline constexpr std::size_t kStepWork = 25;

// All moves of a clause from a heap; false if `visit` stopped it. The clause's variables that
// are no entries run over 0..largest entry; `parameters` are the values of the slots behind
// them. A `stop` clause gives rows of no heaps. Any depth of calls from `visit` is allowed.
bool visit_bindings(const Code& code, const ReadyClause& ready, std::span<const Number> heap,
                    std::span<const Number> parameters, const VisitMoves& visit);

}  // namespace engine::rules
