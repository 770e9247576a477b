// The heaps of any ruleset as states of a nimber search.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine {

// A state is a reduced heap. It holds its numbers one after the other, 7 bits a byte, the last
// of each with its top bit set: as all heaps of a ruleset are numbers or tuples, no two are
// written alike. Of a board or a vertex it holds the name, which has no such bytes.
class RulesetGame {
  public:
    using State = std::string;

    explicit RulesetGame(std::shared_ptr<const Ruleset> rules);

    // The heap equals the sum of these.
    std::vector<State> states_of(const Heap& heap) const;
    static State state_of(const Heap& heap);
    static State state_of(std::span<const Number> entries);
    static Heap heap_of(const State& state);

    // Positions may recur, or it is not proven that play ends.
    bool can_repeat() const { return rules_->can_repeat(); }
    // The sum of the entries, the free cells of a board.
    std::uint64_t size(const State& state) const;
    // Each different follower once. Memory counts what that takes.
    bool visit_followers(const State& state, const Budget& budget,
                         const std::function<bool(std::span<const State>)>& visit) const;

  private:
    using Visit = std::function<bool(std::span<const State>)>;
    bool visit_listed(const State& state, const Budget& budget, const Visit& visit) const;
    bool visit_computed(const State& state, const Budget& budget, const Visit& visit) const;

    std::shared_ptr<const Ruleset> rules_;
    const UserRules* formula_ = nullptr;  // if that is what they are
};

}  // namespace engine
