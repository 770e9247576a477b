// nim-engine perft: counts the sequences of a number of moves, to check the move lists of
// rulesets, as in other games.
#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/base/memory.hpp"
#include "engine/commands/command.hpp"
#include "engine/rules/game.hpp"

namespace engine {

// Counts sequences of moves. Repetitions end none of them. As the heaps of a sum do not touch
// each other, each heap is counted alone, for each length once, and the counts multiply: those
// of length n of two heaps together are the sum over k of C(n,k) a(k) b(n-k). The last move of
// a sequence is counted without being listed.
class SequenceCounter {
  public:
    // The most moves a sequence can have here: each takes a level of the stack.
    static constexpr Number kMaxLength = 1000;

    // The sequences of exactly `length` moves; kMany means that many or more. BadInput: the
    // cache does not fit `Memory`, or moves lead to a heap that its ruleset refuses.
    Result<Count> count(const Game& game, Number length);

  private:
    using Counts = std::vector<Count>;  // by length, from 0

    Count count(const Ruleset& rules, const Heap& heap, Number length);
    // The counts 0..length of several heaps of one ruleset together.
    Counts count_all(const Ruleset& rules, const std::vector<Heap>& heaps, Number length);
    Count remember(const Ruleset& rules, const Heap& heap, Number length, Count count);

    std::map<std::tuple<const Ruleset*, Heap, Number>, Count> known_;
    Reservation memory_;
    std::optional<protocol::Error> failure_;
};

}  // namespace engine
