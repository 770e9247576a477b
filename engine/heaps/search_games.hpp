// What a nimber search searches (see SearchGame): the heaps of any ruleset; sets of vertices,
// for Kayles on graphs and Cram on small boards; and the cookie game (Ullman and Propp, Int. J.
// Game Theory 20, 1992) in reduced positions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/rules/board.hpp"
#include "engine/rules/entries.hpp"
#include "engine/rules/ruleset.hpp"
#include "engine/rules/vertex_graph.hpp"

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

// ---- sets of vertices ----

// A state is a connected set of vertices without twins. One path stands for all paths of its
// length. On a board of 8 by 8, where bit 8r+c is the cell in row r and column c, one set
// stands for all sets that shifting, turning and mirroring make of it.
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

    // One at a time, since a search often needs few of them; equal ones may come again.
    template <typename Visit>
    bool visit_followers(State state, const Budget&, Visit visit) const {
        bool goes_on = true;
        std::vector<State> parts;
        graph_.visit_moves(state, [&](State left) {
            parts.clear();
            add_parts(left, parts);
            goes_on = visit(std::span<const State>(parts));
            return goes_on;
        });
        return goes_on;
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

// ---- cookies ----

// Takes ascending sizes to those of a position with the same nimber, k <= a_k <= n for each of
// its n cookies a_1 <= ... <= a_n, by two theorems of Ullman and Propp:
//   depletion: a size above the number of cookies counts as that number;
//   deletion: of s = max(k - a_k) > 0, the s smallest cookies can be left out.
// Where then all sizes are n, nothing ever goes stale, so that n moves remain whatever is
// eaten: one cookie stands for an odd number of them, none for an even one. O(n).
template <typename Size>
void reduce_cookies(std::vector<Size>& sizes) {
    std::size_t surplus = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < i + 1) surplus = std::max<std::size_t>(surplus, i + 1 - sizes[i]);
    }
    sizes.erase(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(surplus));
    const std::size_t count = sizes.size();
    for (std::size_t i = count; i-- > 0 && sizes[i] > count;) {
        sizes[i] = static_cast<Size>(count);
    }
    if (count > 0 && sizes.front() == count) sizes.assign(count % 2, 1);
}

// The reduced sizes of a heap. A cookie of at least the number of cookies will never go stale.
// By counting, since sizes are no more than their number: O(n).
inline std::vector<std::uint32_t> reduced_sizes(const Heap& heap) {
    const auto entries = entries_of(heap);
    const auto count =
        entries.size() - static_cast<std::size_t>(std::ranges::count(entries, Number{0}));
    std::vector<std::uint32_t> of_size(count + 1);
    for (const Number entry : entries) {
        if (entry > 0) ++of_size[std::min<Number>(entry, count)];
    }
    std::vector<std::uint32_t> sizes;
    sizes.reserve(count);
    for (std::uint32_t size = 1; size <= count; ++size) {
        sizes.insert(sizes.end(), of_size[size], size);
    }
    reduce_cookies(sizes);
    return sizes;
}

// A reduced position in one word: bit k + a_k - 2 for each cookie k, that is, its lattice path.
struct ShortCookieCode {
    using State = std::uint64_t;
    static constexpr std::size_t kMaxCookies = 32;

    static State encode(std::span<const std::uint32_t> sizes) {
        State state = 0;
        for (std::size_t k = 0; k < sizes.size(); ++k) state |= State{1} << (k + sizes[k] - 1);
        return state;
    }
    static void decode(State state, std::vector<std::uint32_t>& sizes) {
        sizes.clear();
        for (std::uint32_t k = 0; state != 0; ++k, state &= state - 1) {
            sizes.push_back(static_cast<std::uint32_t>(std::countr_zero(state)) - k + 1);
        }
    }
    static std::uint64_t cookies(State state) {
        return static_cast<std::uint64_t>(std::popcount(state));
    }
};

// The same bits in as many bytes as it takes.
struct LongCookieCode {
    using State = std::string;

    static State encode(std::span<const std::uint32_t> sizes) {
        if (sizes.empty()) return {};
        State state((sizes.size() + sizes.back() - 2) / 8 + 1, '\0');
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            const std::size_t bit = k + sizes[k] - 1;
            state[bit / 8] = static_cast<char>(state[bit / 8] | 1 << bit % 8);
        }
        return state;
    }
    static void decode(const State& state, std::vector<std::uint32_t>& sizes) {
        sizes.clear();
        std::uint32_t bit = 0;
        for (const char byte : state) {
            for (unsigned i = 0; i < 8; ++i, ++bit) {
                if ((byte >> i & 1) == 0) continue;
                sizes.push_back(bit - static_cast<std::uint32_t>(sizes.size()) + 1);
            }
        }
    }
    // The length in bytes, which grows about as the number of cookies does.
    static std::uint64_t cookies(const State& state) { return state.size(); }
};

// The reduced positions as a SearchGame.
template <typename Code>
class CookieGame {
  public:
    using State = typename Code::State;

    std::vector<State> states_of(const Heap& heap) const {
        const auto sizes = reduced_sizes(heap);
        return std::vector<State>(sizes.empty() ? 0 : 1, Code::encode(sizes));
    }

    bool can_repeat() const { return false; }
    std::uint64_t size(const State& state) const { return Code::cookies(state); }

    // Cookies of one size are eaten once.
    template <typename Visit>
    bool visit_followers(const State& state, const Budget& budget, Visit visit) const {
        std::vector<std::uint32_t> sizes;
        std::vector<std::uint32_t> rest;
        BudgetPoll poll(budget, kPollCookies);
        Code::decode(state, sizes);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            if (i > 0 && sizes[i] == sizes[i - 1]) continue;
            if (poll.is_spent(sizes.size())) return false;
            eat(sizes, i, rest);
            const State follower = Code::encode(rest);
            if (!visit(std::span(&follower, rest.empty() ? 0 : 1))) return false;
        }
        return true;
    }

  private:
    // What is left, reduced, of ascending sizes after cookie i is eaten.
    static void eat(std::span<const std::uint32_t> sizes, std::size_t i,
                    std::vector<std::uint32_t>& rest) {
        rest.clear();
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            if (k != i && sizes[k] > 1) rest.push_back(sizes[k] - 1);
        }
        reduce_cookies(rest);
    }

    static constexpr std::size_t kPollCookies = 1 << 14;
};

}  // namespace engine
