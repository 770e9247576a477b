// Heaps of which nothing but the moves is known: by search, by table, or by labels where play
// may come back.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/heaps/enumerating_solver.hpp"
#include "engine/heaps/explored_labels.hpp"
#include "engine/heaps/formula_numbers.hpp"
#include "engine/heaps/nimber_search.hpp"
#include "engine/heaps/ruleset_game.hpp"

namespace engine {

// For numbers of rules{…} a short search comes first, as moves may reach few heaps; then a
// table of all smaller heaps; then a search without end. Where it has not been proven that play
// ends, labels come before all of these: only they tell how to win in the end.
class SearchSolver : public EnumeratingSolver {
  public:
    explicit SearchSolver(const std::shared_ptr<const Ruleset>& rules);

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t nimber,
                                   const Budget& budget) const override;
    // How large it is, see RulesetGame.
    std::uint64_t effort(const Heap& heap) const override;
    std::uint64_t counter(const Heap& heap, const Budget& budget) const override;
    // Those known already come first, then the smallest.
    std::optional<std::vector<Heap>> find_follower(const Heap& heap, const Nimber& nimber,
                                                   const Budget& budget) const override;

  private:
    using State = RulesetGame::State;

    std::optional<Nimber> nimber_of(const State& state, const Budget& budget) const;
    std::optional<bool> has_nimber(const State& state, std::uint64_t nimber,
                                   const Budget& budget) const;
    std::optional<std::uint64_t> look_up(const State& state, const Budget& budget) const;
    std::vector<State> states_of(const std::vector<Heap>& heaps) const;
    // Has the sum of these states the nimber? nullopt: not known, or, without `search`, not
    // yet.
    std::optional<bool> have_nimber(std::vector<State> states, std::uint64_t nimber,
                                    const Budget& budget, bool search) const;

    NimberSearch<RulesetGame> search_;
    std::optional<RulesNumbers> numbers_;
    std::optional<ExploredLabels> labels_;
};

}  // namespace engine
