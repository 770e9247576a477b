// Sets of vertices as states of a nimber search: Kayles on graphs, and Cram on small boards.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/rules/board.hpp"
#include "engine/rules/ruleset.hpp"
#include "engine/rules/vertex_graph.hpp"

namespace engine {

// A state is a connected set without twins. A path stands for all paths of its length, and on a
// board of 8 by 8, bit 8r+c for the cell in row r and column c, a set for all that it can be
// shifted, turned and mirrored to.
class VertexGame {
  public:
    using State = Vertices;
    static constexpr std::size_t kSide = 8;

    explicit VertexGame(const VertexGraph& graph) : graph_(graph) {}
    // Cram on boards of at most 8 by 8.
    VertexGame() : graph_(neighbours_on_board(), true), is_board_(true) {}

    bool can_repeat() const { return false; }
    // Its edges and vertices: of sets of a size, those with fewer edges fall apart sooner.
    std::uint64_t size(State state) const {
        int size = std::popcount(state);
        visit_vertices(
            state, [&](std::size_t v) { size += std::popcount(graph_.neighbours(v) & state); });
        return static_cast<std::uint64_t>(size);
    }

    // The heap equals the sum of these.
    std::vector<State> states_of(const Heap& heap) const {
        std::vector<State> states;
        const auto* number = std::get_if<Number>(&heap);
        add_parts(number != nullptr ? *number : set_of(heap), states);
        return states;
    }

    // Followers of several parts may come more than once.
    template <typename Visit>
    bool visit_followers(State state, const Budget&, Visit visit) const {
        bool goes_on = true;
        std::vector<State> alone, parts;
        graph_.visit_moves(state, [&](State left) {
            parts.clear();
            add_parts(left, parts);
            if (parts.size() == 1) {
                alone.push_back(parts.front());
            } else {
                goes_on = visit(std::span<const State>(parts));
            }
            return goes_on;
        });
        std::ranges::sort(alone);
        alone.erase(std::unique(alone.begin(), alone.end()), alone.end());
        return goes_on && std::ranges::all_of(alone, [&](const State& part) {
                   return visit(std::span<const State>(&part, 1));
               });
    }

  private:
    static std::vector<Vertices> neighbours_on_board() {
        std::vector<Vertices> neighbours(kSide * kSide);
        const auto join = [&](std::size_t cell, std::size_t next) {
            neighbours[cell] |= Vertices{1} << next;
            neighbours[next] |= Vertices{1} << cell;
        };
        for (std::size_t cell = 0; cell < neighbours.size(); ++cell) {
            if (cell % kSide + 1 < kSide) join(cell, cell + 1);
            if (cell + kSide < neighbours.size()) join(cell, cell + kSide);
        }
        return neighbours;
    }

    static State set_of(const Heap& heap) {
        const Board board(std::get<protocol::Vertex>(heap).name);
        State set = 0;
        for (std::size_t i = 0; i < board.cells.size(); ++i) {
            if (!board.is_free(i)) continue;
            set |= State{1} << (i / board.width * kSide + i % board.width);
        }
        return set;
    }

    void add_parts(State set, std::vector<State>& parts) const {
        graph_.visit_parts(set, [&](State part) {
            if (!graph_.has_move(part)) return;
            if (is_board_ && is_won_by_mirroring(in_corner(part))) return;
            part = graph_.without_twins(part);
            const State path = graph_.path_like(part);
            parts.push_back(path != 0 ? path : is_board_ ? least_image(part) : part);
        });
    }

    // Whether the second player wins a board by mirroring, as in cram.cpp. The cells around its
    // middle are four, unless a side is odd: then a domino on them overlaps its own image.
    static bool is_won_by_mirroring(State board) {
        if (in_corner(turned(turned(board))) != board) return false;
        const auto rows = static_cast<std::size_t>(std::bit_width(board) + 7) / kSide;
        State columns = board;
        for (const int shift : {32, 16, 8}) columns |= columns >> shift;
        const auto width = static_cast<std::size_t>(std::bit_width(columns & 0xFF));
        const std::size_t middle = (rows - 1) / 2 * kSide + (width - 1) / 2;
        return (rows % 2 == 0 && width % 2 == 0) || (board >> middle & 1) == 0;
    }

    // Transposing and turning upside down, one after the other four times, give all images.
    static State least_image(State set) {
        State least = ~State{0};
        for (int i = 0; i < 4; ++i) {
            least = std::min(least, in_corner(transposed(set)));
            least = std::min(least, in_corner(set = turned(set)));
        }
        return least;
    }
    // By a quarter of a turn.
    static State turned(State set) { return __builtin_bswap64(transposed(set)); }
    static State in_corner(State set) {
        constexpr State kFirstColumn = 0x0101010101010101;
        while ((set & kFirstColumn) == 0) set >>= 1;
        return set >> (static_cast<std::size_t>(std::countr_zero(set)) / kSide * kSide);
    }
    // Exchanges the halves of squares of 8, 4 and 2 (Warren: Hacker's Delight, 7-3).
    static State transposed(State set) {
        const auto exchange = [&](unsigned shift, State mask) {
            const State changed = (set ^ (set >> shift)) & mask;
            set ^= changed ^ (changed << shift);
        };
        exchange(7, 0x00AA00AA00AA00AA);
        exchange(14, 0x0000CCCC0000CCCC);
        exchange(28, 0x00000000F0F0F0F0);
        return set;
    }

    VertexGraph graph_;
    bool is_board_ = false;
};

}  // namespace engine
