// What the solver knows about the heaps of one ruleset. Each way to solve is a HeapSolver.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/rules/ruleset.hpp"
#include "engine/solver/budget.hpp"
#include "engine/solver/nimber.hpp"
#include "engine/solver/period_law.hpp"
#include "protocol/position.hpp"

namespace engine {

// How many moves play can last, as an ordinal in Cantor normal form; no terms stand for 0.
using Length = std::vector<protocol::Ordinal::Term>;

// Immutable to the eye and safe to share by threads: tables inside grow behind locks, and are
// kept for later calls, also by those that end without an answer.
class HeapSolver {
  public:
    virtual ~HeapSolver() = default;

    // ---- normal play ----

    // nullopt: not known within the budget or the memory.
    virtual std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const = 0;

    // Is this the heap's nimber? May need far less work than finding the nimber.
    virtual std::optional<bool> has_nimber(const Heap& heap, std::uint64_t nimber,
                                           const Budget& budget) const;

    // How much more work it is to find the nimber than to tell whether it is a given one:
    // larger for heaps that take longer, 0 where there is no difference.
    virtual std::uint64_t effort(const Heap&) const { return 0; }

    // Are the questions below answered in microseconds, whatever the heap, once its nimber is
    // known?
    virtual bool is_quick() const { return false; }

    // How many followers of a heap have some nimber.
    struct Tally {
        Count count = 0;       // those known to have it
        bool complete = true;  // no others have it
    };

    // The followers below are those known to have the nimber, which is finite or transfinite.
    virtual Tally count_followers(const Heap& heap, const Nimber& nimber,
                                  const Budget& budget) const = 0;
    // Number `index` of them, from 0; empty where there is none within the budget.
    virtual std::vector<Heap> follower(const Heap& heap, const Nimber& nimber, Count index,
                                       const Budget& budget) const = 0;
    // The first of them, `limit` at most.
    virtual std::vector<std::vector<Heap>> list_followers(const Heap& heap,
                                                          const Nimber& nimber,
                                                          std::size_t limit,
                                                          const Budget& budget) const = 0;
    // Any of them, without a look at every move where that can be avoided.
    virtual std::optional<std::vector<Heap>> find_follower(const Heap& heap,
                                                           const Nimber& nimber,
                                                           const Budget& budget) const;

    // Of a heap with a finite nimber where play can come back to a heap: after a move to a
    // heap that has no smaller finite nimber there is an answer to one with this nimber and a
    // smaller counter, so that who holds on to nimbers and lets counters fall wins some day.
    // 0 where play cannot come back.
    virtual std::uint64_t counter(const Heap& heap, const Budget& budget) const;

    // A law of all heaps, where they are numbers, as far as the heaps below `limit` prove one.
    // nullopt: they do not, or not within the budget or the memory.
    virtual std::optional<ProvenLaw> law(Number limit, const Budget& budget) const;

    // ---- misere play ----

    // Do nimbers tell all, for every heap and by a theorem: do heaps of nimber 0 and 1 behave
    // as nim heaps of 0 and 1, all others as nim heaps of their nimber?
    virtual bool is_tame() const { return false; }

    // ---- the longest play ----

    // nullopt: not known, or play can last for ever.
    virtual std::optional<Length> longest_play(const Heap& heap,
                                               const Budget& budget) const = 0;
    // A follower from which play can last longest. The heap must have a move. nullopt: not
    // known.
    virtual std::optional<std::vector<Heap>> longest_follower(const Heap& heap,
                                                              const Budget& budget) const = 0;
};

// The solver of the heaps of a ruleset. Made once for each text and kept for the process, as
// far as `Hash` allows; those used longest ago go first. Safe to call from any thread.
std::shared_ptr<const HeapSolver> find_solver(const protocol::RulesetText& text,
                                              const std::shared_ptr<const Ruleset>& ruleset);

}  // namespace engine
