// Misere play of heaps, played out by the rules alone.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/rules/catalogue.hpp"
#include "engine/solver/misere/heap_graph.hpp"

namespace engine::test {

inline std::shared_ptr<const Ruleset> ruleset_of(const std::string& text) {
    auto found = find_ruleset(*protocol::parse_ruleset_text(text));
    if (!found) throw std::runtime_error(describe(found.error()));
    return *found;
}

// The heaps 0..last of rulesets, by number: `index(r, n)`.
class HeapsInPlay {
  public:
    using Index = misere::HeapGraph::Index;

    HeapsInPlay(const std::vector<std::string>& rulesets, Number last)
        : numbers_(rulesets.size()) {
        for (std::size_t r = 0; r < rulesets.size(); ++r) {
            const auto rules = ruleset_of(rulesets[r]);
            const auto ruleset = graph_.ruleset_index(rulesets[r]);
            for (Number n = 0; n <= last; ++n) {
                numbers_[r].push_back(graph_.add(ruleset, *rules, Heap(n), {}).value());
            }
        }
    }

    const misere::HeapGraph& graph() const { return graph_; }
    Index index(std::size_t ruleset, Number heap) const { return numbers_[ruleset][heap]; }
    const std::vector<Index>& heaps(std::size_t ruleset) const { return numbers_[ruleset]; }

  private:
    misere::HeapGraph graph_;
    std::vector<std::vector<Index>> numbers_;
};

// Who wins sums of such heaps.
class MiserePlay {
  public:
    using Index = misere::HeapGraph::Index;

    explicit MiserePlay(const misere::HeapGraph& graph) : graph_(graph) {}

    bool is_previous_win(std::vector<Index> heaps) {
        std::erase(heaps, misere::HeapGraph::kDead);
        std::ranges::sort(heaps);
        if (heaps.empty()) return false;
        if (const auto known = known_.find(heaps); known != known_.end()) return known->second;
        for (std::size_t i = 0; i < heaps.size(); ++i) {
            for (const auto& move : graph_.moves(heaps[i])) {
                auto next = heaps;
                next.erase(next.begin() + static_cast<std::ptrdiff_t>(i));
                next.insert(next.end(), move.begin(), move.end());
                if (is_previous_win(std::move(next))) return known_[heaps] = false;
            }
        }
        return known_[heaps] = true;
    }

  private:
    const misere::HeapGraph& graph_;
    std::map<std::vector<Index>, bool> known_;
};

}  // namespace engine::test
