// rules{R}: a game that its text defines. See protocol/doc/notation.md, "User-defined rules".
//
// From the text to a move: parser (clauses) -> plan (loops over the free variables, their
// bounds solved from the conditions) -> evaluator (runs them, a block of bindings at a time).
// termination decides whether play must end.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/rules/formula/evaluator.hpp"
#include "engine/rules/ruleset.hpp"
#include "protocol/scanner.hpp"

namespace engine {

class UserRules : public Ruleset {
  public:
    // The most bindings of one clause and heap; check_heap() refuses heaps with more.
    static constexpr Count kMaxBindings = 10000000;

    // Reads a ruleset's parameters up to the '}' after them.
    static Result<std::shared_ptr<const UserRules>> read(protocol::Scanner& scanner);

    UserRules(const UserRules&) = delete;
    UserRules& operator=(const UserRules&) = delete;

    // The most entries that the results of a heap's bindings have, all clauses together.
    static constexpr Count kMaxEntries = Count{1} << 26;
    // The most heaps that a series of results can leave.
    static constexpr Count kMaxSeries = Count{1} << 20;

    Shape shape() const override { return shape::Formula{*this}; }
    // Refuses heaps with too many bindings, too.
    Result<void> check_heap(const Heap& heap) const override;
    // True if check_heap() refuses the heap for its bindings, as it may where a rule makes
    // heaps larger.
    bool has_move(const Heap& heap) const override;
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override;
    // Lists them: up to a second or so for the largest heaps. The most recent lists are kept.
    // A heap that check_heap() refuses has kMany followers, each the heap itself: a caller that
    // did not check never comes to an end, and so to no wrong claim.
    Count follower_count(const Heap& heap) const override;
    std::vector<Heap> follower(const Heap& heap, Count index) const override;
    std::optional<Followers> followers(const Heap& heap, const GiveUp& give_up) const override;
    // The followers by one block of bindings.
    std::vector<std::vector<Heap>> some_followers(const Heap& heap,
                                                  std::size_t limit) const override;
    Count work(const Heap& heap) const override;
    // False only where it is proven that play ends.
    bool can_repeat() const override { return can_repeat_; }
    std::size_t bytes() const override;

    // ---- for solvers, which work with plain numbers: the entries of a heap ----

    // How many entries each heap has: 1 for a number, more for a tuple.
    std::size_t entries() const { return rules_.entries; }

    // Every move from a heap, block by block, much faster than follower(): in no order, some
    // several times. False if `visit` stopped it, which is asked at least every millisecond or
    // so. Of a heap that check_heap() accepts. `visit` may call anything here. Moves that are
    // known to be a range come to `visit_range`, if it is given, and to it alone.
    bool visit_moves(std::span<const Number> heap, const rules::VisitMoves& visit,
                     const rules::VisitRange& visit_range = {}) const;

    // Every different result, sorted, of a heap that check_heap() accepts. Null if it was given
    // up.
    std::shared_ptr<const rules::FollowerList> list_followers(const Heap& of,
                                                              const GiveUp& give_up) const;

  private:
    // A clause with the loops of each question asked of it.
    struct Questions {
        rules::ReadyClause moves;
        // Which moves make one of the results equal to the parameters?
        rules::ReadyClause reaches;
        std::vector<rules::Condition> equations;
    };

    explicit UserRules(rules::Rules rules);
    void prepare(const rules::Clause& clause);
    rules::ReadyClause ready(const rules::Clause& clause,
                             std::span<const rules::Condition> more) const;

    // The list of a heap that check_heap() accepts.
    std::shared_ptr<const rules::FollowerList> whole_list(const Heap& heap) const;
    std::vector<Heap> heaps_of(std::span<const Number> row) const;
    bool is_stopped(std::span<const Number> heap) const;
    bool reaches(const Questions& questions, std::span<const Number> heap,
                 std::span<const Number> result) const;
    bool has_shape(const Heap& heap) const;
    Result<void> check_bindings(const Heap& heap) const;

    rules::Rules rules_;
    std::vector<Questions> moves_;
    std::vector<rules::ReadyClause> stops_;
    bool can_repeat_ = true;
    bool varies_ = false;  // the number of a clause's results
    std::uint64_t identity_ = new_identity();
};

}  // namespace engine
