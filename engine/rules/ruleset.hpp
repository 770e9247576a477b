// The questions that every ruleset answers about one heap. A ruleset is immutable and
// thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/heap.hpp"
#include "protocol/position.hpp"
#include "protocol/result.hpp"

namespace engine {

using protocol::Convention;
using protocol::Error;
using protocol::Fault;
using protocol::Heap;
using protocol::Number;
using protocol::Ordinal;
using protocol::Result;
using protocol::RulesetText;
using protocol::Tuple;
using protocol::Vertex;

// A number of moves. Saturates at kMany, which also stands for infinitely many.
using Count = std::uint64_t;
inline constexpr Count kMany = std::numeric_limits<Count>::max();

inline Count saturating_sum(Count left, Count right) {
    return left > kMany - right ? kMany : left + right;
}

// Called now and then during long work, with the bytes that it holds: returns true to cancel
// it.
using GiveUp = std::function<bool(std::size_t bytes)>;

// All results of the moves from a heap, numbered.
struct Followers {
    Count count = 0;
    // Number `index` < count; valid while ruleset and heap exist.
    std::function<std::vector<Heap>(Count index)> at;
};

class Digraph;
class TakeSet;
class UserRules;
class VertexGraph;

// What the moves of a ruleset are like: solvers choose their theory by it. What a shape refers
// to lives in the ruleset.
namespace shape {
struct Anything {};  // nothing is known but the moves: search
struct Subtraction {
    const TakeSet& set;  // take a number in it
};
// Octal digits, and those up to F; with `unequal` two heaps that are left must differ. The last
// `repeated` digits repeat for ever.
struct TakeAndBreak {
    const std::vector<std::uint8_t>& digits;
    bool unequal = false;
    std::size_t repeated = 0;
};
struct Digraph {
    const engine::Digraph& graph;  // heaps are its vertices
};
struct Formula {
    const UserRules& rules;
};
struct Lowering {
    Number most;  // how many entries of a tuple, or a number, a move may lower
};
struct Vertices {
    const VertexGraph& graph;  // heaps are sets of its vertices, which fall into their parts
};
}  // namespace shape
using Shape = std::variant<shape::Anything, shape::Subtraction, shape::TakeAndBreak,
                           shape::Digraph, shape::Formula, shape::Lowering, shape::Vertices>;

class Ruleset {
  public:
    virtual ~Ruleset() = default;

    virtual Shape shape() const { return shape::Anything{}; }

    // Whether the heap has the ruleset's form. The error says what was read and expected.
    virtual Result<void> check_heap(const Heap& heap) const = 0;

    // The functions below take heaps that check_heap() accepts. A move may lead to one that it
    // does not, where a rule makes heaps larger; only has_move() and work() answer for these.

    virtual bool has_move(const Heap& heap) const = 0;

    // Whether `heap` can become `result` (canonical, see protocol/move.hpp) in one move.
    // Decided without listing followers, because a heap may hold 2^63-1. `result` may hold any
    // heaps.
    virtual bool is_follower(const Heap& heap, std::span<const Heap> result) const = 0;

    // The canonical order of a result whose heaps were read in any order, where the order means
    // something: boards.
    virtual std::vector<Heap> canonical(const Heap&, std::vector<Heap> result) const {
        return result;
    }

    // Smaller heaps whose sum equals the heap: the same ones for all equal heaps, such as
    // symmetric boards, and without parts that no move needs. Under misere play the moves from
    // both must be the same; under normal play their nimbers. An empty list: it equals the
    // empty sum. nullopt: the heap itself.
    virtual std::optional<std::vector<Heap>> reduced(const Heap&, Convention) const {
        return std::nullopt;
    }

    // How many different results there are.
    virtual Count follower_count(const Heap& heap) const = 0;

    // Result number `index` < follower_count(heap), canonical, in an order of the ruleset's
    // own; each result has one index. Fast enough to draw one at random from a huge heap.
    virtual std::vector<Heap> follower(const Heap& heap, Count index) const = 0;

    // Both of these for long lists; nullopt if cancelled.
    virtual std::optional<Followers> followers(const Heap& heap, const GiveUp&) const {
        return Followers{follower_count(heap),
                         [this, &heap](Count index) { return follower(heap, index); }};
    }

    // Some results, one at least of a heap that has a move and `limit` at most, for about what
    // has_move() costs.
    virtual std::vector<std::vector<Heap>> some_followers(const Heap& heap,
                                                          std::size_t limit) const {
        std::vector<std::vector<Heap>> some;
        const Count wanted = std::min<Count>(limit, follower_count(heap));
        for (Count i = 0; i < wanted; ++i) some.push_back(follower(heap, i));
        return some;
    }

    // What has_move() and is_follower() cost at most, in steps of about a quarter of a
    // nanosecond; 0 where that is next to nothing. Saturates at kMany.
    virtual Count work(const Heap&) const { return 0; }

    // Can play come back to an earlier heap? Where not, repetitions need not be counted.
    virtual bool can_repeat() const { return false; }

    // The memory it holds, roughly: what keeping it in a cache costs.
    virtual std::size_t bytes() const { return 256; }
};

// "read 'x', expected a number".
Error misread(std::string_view read, std::string_view expected);
// check_heap() of a heap that the ruleset does not play.
Error refuse_heap(const Heap& heap, std::string_view expected);

// A number that no other ruleset of the process has.
std::uint64_t new_identity();

// The ruleset's shape, if it is of this kind.
template <typename Kind>
std::optional<Kind> shape_as(const Ruleset& rules) {
    const Shape shape = rules.shape();
    const auto* kind = std::get_if<Kind>(&shape);
    return kind != nullptr ? std::optional<Kind>(*kind) : std::nullopt;
}

// The least that a new ruleset must say: the results of a heap's moves, as a list.
// Derive from it and write check_heap() and list(); all else is answered from the list. Each
// thread keeps its most recent list. For heaps with at most some thousands of moves.
class Listed : public Ruleset {
  public:
    Listed() = default;
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;

    bool has_move(const Heap& heap) const override { return !results_of(heap)->empty(); }
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override;
    std::vector<Heap> canonical(const Heap& heap, std::vector<Heap> result) const override;
    Count follower_count(const Heap& heap) const override { return results_of(heap)->size(); }
    std::vector<Heap> follower(const Heap& heap, Count index) const override {
        return (*results_of(heap))[index];
    }
    std::optional<Followers> followers(const Heap& heap, const GiveUp& give_up) const override;

  protected:
    using Results = std::vector<std::vector<Heap>>;
    using AddResult = std::function<bool(std::vector<Heap>)>;

    // Calls `add` with the canonical result of each move, in any order, some perhaps several
    // times, until it returns false.
    virtual void list(const Heap& heap, const AddResult& add) const = 0;

  private:
    // Ascending, each once. Null if cancelled.
    std::shared_ptr<const Results> results_of(const Heap& heap, const GiveUp& give_up) const;
    std::shared_ptr<const Results> results_of(const Heap& heap) const;

    std::uint64_t identity_ = new_identity();
};

}  // namespace engine
