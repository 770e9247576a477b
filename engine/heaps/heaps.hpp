// The heaps of a position, each with its solver.
#pragma once

#include <vector>

#include "engine/heaps/heap_solver.hpp"
#include "engine/rules/game.hpp"

namespace engine {

class Heaps {
  public:
    struct Place {
        const HeapSolver* solver;
        const Ruleset* rules;
        const Heap* heap;  // in the game
    };

    // The game must outlive it. O(heaps).
    explicit Heaps(const Game& game) {
        const auto& components = game.position().components;
        places_.reserve(game.position().heap_count());
        for (std::size_t i = 0; i < components.size(); ++i) {
            const bool same = i > 0 && game.ruleset(i) == game.ruleset(i - 1);
            if (!same) solvers_.push_back(find_solver(components[i].ruleset, game.ruleset(i)));
            for (const Heap& heap : components[i].heaps) {
                places_.push_back({solvers_.back().get(), game.ruleset(i).get(), &heap});
            }
        }
    }

    const std::vector<Place>& places() const { return places_; }
    std::size_t size() const { return places_.size(); }
    const Place& operator[](std::size_t index) const { return places_[index]; }

  private:
    std::vector<SolverPtr> solvers_;
    std::vector<Place> places_;
};

}  // namespace engine
