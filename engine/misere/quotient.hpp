// Misere quotients of heaps (Plambeck and Siegel, "Misere quotients for impartial games",
// 2008).
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/recurrence.hpp"
#include "engine/misere/heap_graph.hpp"
#include "engine/misere/monoid.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine::misere {

// Two sums of the heaps are one element exactly if in every larger sum of such heaps they may
// replace each other. Proven.
struct Quotient {
    Monoid monoid;
    std::vector<std::size_t> generators;  // which of the heaps each generator is
    std::vector<Element> elements;        // of each heap: the pretending function
};

// The progress of a search, from which a later one, of the same or more heaps, continues.
struct QuotientProgress {
    struct Generator {
        HeapGraph::Index heap = 0;
        std::vector<Word> moves;  // what they leave, in the generators before it
    };
    std::vector<Generator> generators;
    // If nothing was found: why, and how long the last try took.
    Shortage shortage = Shortage::Memory;
    std::chrono::steady_clock::duration lost{};
};

// The quotient of `heaps`, ascending; what a move in one of them leaves is among them, or dead.
// nullopt: infinite, or not found within an order of `max_order`, the budget or the memory.
std::optional<Quotient> find_quotient(const HeapGraph& graph,
                                      std::span<const HeapGraph::Index> heaps,
                                      std::size_t max_order, const Budget& budget,
                                      QuotientProgress& progress);

// The reach of a ruleset: a move takes at most `reach` and leaves at most `parts` heaps.
struct MoveBounds {
    Number reach = 0;
    Number parts = 1;

    friend bool operator==(const MoveBounds&, const MoveBounds&) = default;
};

// The bounds of finite octal and hexadecimal codes and finite subtraction sets; else nullopt.
std::optional<MoveBounds> find_move_bounds(const Ruleset& ruleset);

// The law of the pretending function F, without a saltus, if these elements of the heaps 0, 1,
// 2, … prove one for all heaps: then the quotient is that of the whole game. By the octal
// periodicity theorem with the pretending function in place of the nimber (Plambeck, "Taming
// the wild in impartial combinatorial games", 2005): if F(n+p) = F(n) for n0 <= n < parts*n0 +
// (parts-1)*p + reach, n0 >= 1, then for all n >= n0. For each larger n takes its options from
// those of n-p: their largest part has n0+p or more.
std::optional<Law> prove_phi_law(std::span<const Element> elements, const MoveBounds& bounds);

}  // namespace engine::misere
