// rules{…}: by table, by search, or by labels where play may come back.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/rules/rules_ruleset.hpp"
#include "engine/solver/enumerating_solver.hpp"
#include "engine/solver/explored_labels.hpp"
#include "engine/solver/nimber_search.hpp"
#include "engine/solver/rules_game.hpp"
#include "engine/solver/rules_numbers.hpp"

namespace engine {

// A short search comes first, as moves may reach few heaps; then, for numbers, a table of all
// smaller heaps; then a search without end. Where it has not been proven that play ends, labels
// come before all of these: only they tell how to win in the end.
class RulesSolver : public EnumeratingSolver {
  public:
    explicit RulesSolver(const std::shared_ptr<const UserRules>& rules);

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t nimber,
                                   const Budget& budget) const override;
    // The sum of the entries.
    std::uint64_t effort(const Heap& heap) const override;
    std::uint64_t counter(const Heap& heap, const Budget& budget) const override;
    // Those known already come first, then the smallest.
    std::optional<std::vector<Heap>> find_follower(const Heap& heap, const Nimber& nimber,
                                                   const Budget& budget) const override;

  private:
    RulesGame::State state_of(const Heap& heap) const;
    // Has the sum of these heaps the nimber? nullopt: not known, or, without `search`, not yet.
    std::optional<bool> have_nimber(std::vector<Heap> heaps, std::uint64_t nimber,
                                    const Budget& budget, bool search) const;

    std::shared_ptr<const UserRules> user_rules_;
    NimberSearch<RulesGame> search_;
    std::optional<RulesNumbers> numbers_;
    std::optional<ExploredLabels> labels_;
};

}  // namespace engine
