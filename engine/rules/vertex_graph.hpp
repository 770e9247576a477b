// Games on the vertices of a graph without direction, of 64 at most: sets of them are bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine {

using Vertices = std::uint64_t;

// Calls `visit` with each vertex, from 0 on.
template <typename Visit>
void visit_vertices(Vertices set, Visit visit) {
    for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

// The graph, and what a move takes from a set of its vertices: two neighbours (`by_pairs`), or
// one with all of its neighbours.
class VertexGraph {
  public:
    VertexGraph(std::vector<Vertices> neighbours, bool by_pairs);

    std::size_t size() const { return neighbours_.size(); }
    Vertices neighbours(std::size_t vertex) const { return neighbours_[vertex]; }
    bool has_move(Vertices set) const;

    // Calls `visit` with what each move leaves, until it returns false.
    template <typename Visit>
    void visit_moves(Vertices set, Visit visit) const {
        bool goes_on = true;
        visit_vertices(set, [&](std::size_t v) {
            const Vertices rest = set & ~only(v);
            if (!by_pairs_) {
                goes_on = goes_on && visit(rest & ~neighbours_[v]);
                return;
            }
            // Each edge is taken from its first vertex.
            visit_vertices(neighbours_[v] & rest & ~(only(v) - 1),
                           [&](std::size_t w) { goes_on = goes_on && visit(rest & ~only(w)); });
        });
    }

    // Calls `visit` with each connected part of the set.
    template <typename Visit>
    void visit_parts(Vertices set, Visit visit) const {
        while (set != 0) {
            Vertices part = 0;
            for (Vertices next = set & -set; next != 0;) {
                part |= next;
                Vertices around = 0;
                visit_vertices(next, [&](std::size_t v) { around |= neighbours_[v]; });
                next = around & set & ~part;
            }
            visit(part);
            set &= ~part;
        }
    }

    // Without vertices that no move by pairs needs: of those with one neighbour in common and
    // no other, all but the first. A pair with one of them leaves the others alone.
    Vertices without_twins(Vertices set) const {
        if (!by_pairs_) return set;
        Vertices left = set;
        visit_vertices(set, [&](std::size_t v) {
            Vertices leaves = 0;
            visit_vertices(neighbours_[v] & set, [&](std::size_t w) {
                if ((neighbours_[w] & set) == only(v)) leaves |= only(w);
            });
            left &= ~(leaves & (leaves - 1));
        });
        return left;
    }

    // Of a connected part that is a path: one that stands for all paths of its length. 0: it is
    // none, or no path of its length is known.
    Vertices path_like(Vertices part) const;

  private:
    static constexpr Vertices only(std::size_t vertex) { return Vertices{1} << vertex; }
    void find_paths(std::size_t last, Vertices path, Vertices used, int& steps);

    std::vector<Vertices> neighbours_;  // of each vertex
    bool by_pairs_;
    std::vector<Vertices> paths_;  // by length: one that a short search finds
};

}  // namespace engine
