// The heaps of a rules{…} as states of a nimber search.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/rules/rules_ruleset.hpp"
#include "engine/solver/budget.hpp"

namespace engine {

// A state holds the heap's entries one after the other, 7 bits a byte, the last of each with
// its top bit set: as all heaps of a ruleset have as many entries, no two are written alike.
class RulesGame {
  public:
    using State = std::string;

    explicit RulesGame(std::shared_ptr<const UserRules> rules) : rules_(std::move(rules)) {}

    static State state_of(std::span<const Number> entries);
    static std::vector<Number> entries_of(const State& state);

    // Play may come back, or that it ends has not been proven.
    bool can_repeat() const { return rules_->can_repeat(); }
    // The sum of the entries.
    std::uint64_t size(const State& state) const;
    // Each different follower once. Memory counts what that takes.
    bool visit_followers(const State& state, const Budget& budget,
                         const std::function<bool(std::span<const State>)>& visit) const;

  private:
    std::shared_ptr<const UserRules> rules_;
};

}  // namespace engine
