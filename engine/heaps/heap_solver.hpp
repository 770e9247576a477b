// The solver of the heaps of one ruleset. Each way to solve is a HeapSolver.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/recurrence.hpp"
#include "engine/heaps/nimber.hpp"
#include "engine/rules/ruleset.hpp"
#include "protocol/position.hpp"

namespace engine {

using RulesetPtr = std::shared_ptr<const Ruleset>;

// Logically const and thread-safe: internal tables grow behind locks and are kept for later
// calls, also by calls that end without an answer.
class HeapSolver {
  public:
    virtual ~HeapSolver() = default;

    // ---- normal play ----

    // nullopt: not known within the budget or the memory.
    virtual std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const = 0;

    // Whether this is the heap's nimber. May need far less work than finding the nimber.
    virtual std::optional<bool> has_nimber(const Heap& heap, std::uint64_t nimber,
                                           const Budget& budget) const;

    // The extra work of finding the nimber, compared with testing a given one: larger for heaps
    // that take longer, 0 if there is no difference.
    virtual std::uint64_t effort(const Heap&) const { return 0; }

    // Whether the questions below take only microseconds for any heap, once its nimber is
    // known. Such heaps are tame.
    virtual bool is_quick() const { return false; }

    // Followers of one kind, numbered from 0.
    using FollowerAt = const std::function<std::vector<Heap>(Count index)>&;
    using VisitFollowers = const std::function<bool(Count count, FollowerAt at)>&;

    // Calls `visit` with each kind of followers known to have the nimber, which is finite or
    // transfinite, until it returns false. Returns whether no other follower has it, as far as
    // it got.
    virtual bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                                 VisitFollowers visit) const = 0;

    // How many followers of a heap have some nimber.
    struct Tally {
        Count count = 0;       // those known to have it; saturates
        bool complete = true;  // no others have it
    };
    Tally count_followers(const Heap& heap, const Nimber& nimber, const Budget& budget) const;
    // Number `index` of them, from 0; empty where there is none within the budget.
    std::vector<Heap> follower(const Heap& heap, const Nimber& nimber, Count index,
                               const Budget& budget) const;
    // The first of them, `limit` at most.
    std::vector<std::vector<Heap>> list_followers(const Heap& heap, const Nimber& nimber,
                                                  std::size_t limit,
                                                  const Budget& budget) const;
    // Any of them, without visiting every move if possible.
    virtual std::optional<std::vector<Heap>> find_follower(const Heap& heap,
                                                           const Nimber& nimber,
                                                           const Budget& budget) const;

    // For a heap with a finite nimber, where play can come back to a heap. After a move that
    // does not leave a smaller finite nimber there is an answer that restores this nimber with
    // a smaller counter; so a winner who keeps the nimber and lowers counters wins in finitely
    // many moves. 0 where play cannot come back.
    virtual std::uint64_t counter(const Heap&, const Budget&) const { return 0; }

    // A law of all heaps, if they are numbers and the heaps below `limit` prove one. nullopt:
    // they do not, or not within the budget or the memory.
    virtual std::optional<ProvenLaw> law(Number /*limit*/, const Budget&) const { return {}; }

    // ---- misere play ----

    // Whether a theorem says that nimbers decide misere play for every heap: heaps of nimber 0
    // and 1 behave as nim heaps of 0 and 1, all others as nim heaps of their nimber.
    virtual bool is_tame() const { return false; }

    // Whether the previous player wins this heap alone, by a theorem. nullopt: there is none.
    virtual std::optional<bool> misere_previous_win(const Heap&) const { return std::nullopt; }
    // A move that wins the heap alone then, if there is one.
    virtual std::optional<std::vector<Heap>> misere_follower(const Heap&) const {
        return std::nullopt;
    }
};

// Finds followers by listing them through the rules, where there is no better way. Derive from
// it and write nimber(), and has_nimber() where that is cheaper.
class EnumeratingSolver : public HeapSolver {
  public:
    explicit EnumeratingSolver(RulesetPtr rules) : rules_(std::move(rules)) {}

    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override;

  protected:
    const Ruleset& rules() const { return *rules_; }

  private:
    // Whether the sum of these heaps has the nimber. nullopt: not known.
    std::optional<bool> have_nimber(const std::vector<Heap>& heaps, const Nimber& nimber,
                                    const Budget& budget) const;

    RulesetPtr rules_;
};

using SolverPtr = std::shared_ptr<const HeapSolver>;

// The solver of the heaps of a ruleset. Made once for each text and kept for the process, as
// far as `Hash` allows; least recently used ones are dropped first. Thread-safe.
SolverPtr find_solver(const RulesetText& text, const RulesetPtr& ruleset);

}  // namespace engine
