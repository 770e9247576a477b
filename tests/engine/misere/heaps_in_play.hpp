// The heaps 0..last of rulesets in the numbering of misere tables, and their sums by the rules.
#pragma once

#include "engine/misere/heap_graph.hpp"
#include "tests/agreement/play_back_oracle.hpp"

namespace engine::test {

class HeapsInPlay {
  public:
    using Index = misere::HeapGraph::Index;

    HeapsInPlay(const std::vector<std::string>& rulesets, Number last)
        : numbers_(rulesets.size()) {
        for (std::size_t r = 0; r < rulesets.size(); ++r) {
            const auto rules = ruleset_of(rulesets[r]);
            const auto ruleset = graph_.ruleset_index(rulesets[r], rules);
            for (Number n = 0; n <= last; ++n) {
                numbers_[r].push_back(graph_.add(ruleset, Heap(n), {}).value());
                texts_.resize(graph_.size());
                texts_[numbers_[r].back()] = rulesets[r] + ':' + std::to_string(n);
            }
        }
    }

    const misere::HeapGraph& graph() const { return graph_; }
    Index index(std::size_t ruleset, Number heap) const { return numbers_[ruleset][heap]; }
    const std::vector<Index>& heaps(std::size_t ruleset) const { return numbers_[ruleset]; }

    // Without theory.
    bool is_previous_win(const std::vector<Index>& sum) {
        std::string text;
        for (const Index heap : sum) text += (text.empty() ? "" : "+") + texts_.at(heap);
        return !oracle_.wins(game_of((text.empty() ? "nim:0" : text) + " misere"));
    }

  private:
    misere::HeapGraph graph_;
    std::vector<std::vector<Index>> numbers_;
    std::vector<std::string> texts_;  // of a heap by its number: "kayles:3"
    PlayBackOracle oracle_{10'000'000};
};

}  // namespace engine::test
