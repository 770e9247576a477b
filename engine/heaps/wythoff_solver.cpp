// wythoff: who wins by formula, nimbers by table.
#include <algorithm>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/turn.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/solvers.hpp"
#include "engine/heaps/wythoff_table.hpp"

namespace engine {
namespace {

constexpr Number kMaxCells = Number{1} << 32;  // a minute or two
constexpr std::size_t kMaxTables = 4;

bool is_lost(Number a, Number b) { return wythoff_partner(std::min(a, b)) == std::max(a, b); }

// Nimber 0 is O(1) for all heaps, the moves to it too. Any other takes the table up to the
// heap: some tens of millions of cells a second.
class WythoffSolver : public HeapSolver {
  public:
    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override {
        const Pair pair = pair_of(heap);
        if (is_lost(pair.first, pair.second)) return finite(0);
        return look_up(pair, budget);
    }

    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t wanted,
                                   const Budget& budget) const override {
        const auto [a, b] = pair_of(heap);
        if (wanted == 0 || is_lost(a, b)) return is_lost(a, b) == (wanted == 0);
        const auto [low, high] = std::minmax(a, b);
        // See WythoffTable; all of these are below 2^64.
        if (wanted > low + high ||
            (high > low && high - low > wanted && high - low - wanted > low))
            return false;
        const auto value = look_up({a, b}, budget);
        if (!value) return std::nullopt;
        return *value == wanted;
    }

    // The cells of the table.
    std::uint64_t effort(const Heap& heap) const override {
        const auto [a, b] = pair_of(heap);
        const std::uint64_t rows = std::min(a, b) + 1;
        const std::uint64_t columns = std::max(a, b) + 1;
        return columns > ~std::uint64_t{0} / rows ? ~std::uint64_t{0} : rows * columns;
    }

    // Three at most: a nimber stands once in a row, a column and a diagonal.
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override {
        const auto* wanted = std::get_if<std::uint64_t>(&nimber);
        if (wanted == nullptr) return true;
        const Pair from = pair_of(heap);
        const auto [pairs, complete] =
            *wanted == 0 ? find_lost(from) : find_in_table(from, *wanted, budget);
        visit(pairs.size(), [&pairs = pairs](Count index) {
            return std::vector{Heap(Tuple{{pairs[index].first, pairs[index].second}})};
        });
        return complete;
    }

  private:
    using Pair = std::pair<Number, Number>;  // in any order
    struct Found {
        std::vector<Pair> pairs;
        bool complete = true;
    };

    static Pair pair_of(const Heap& heap) {
        const auto& entries = std::get<Tuple>(heap).entries;
        return {entries[0], entries[1]};
    }

    // Each heap is in one lost pair, and each difference the one of one.
    static Found find_lost(Pair from) {
        const auto [a, b] = from;
        Found found;
        if (const Number other = wythoff_partner(b); other < a)
            found.pairs.push_back({other, b});
        if (const Number other = wythoff_partner(a); other < b)
            found.pairs.push_back({a, other});
        const Number gap = a > b ? a - b : b - a;
        const Number low = wythoff_smaller(gap);
        if (low < std::min(a, b)) {
            found.pairs.push_back(a < b ? Pair{low, low + gap} : Pair{low + gap, low});
        }
        return found;
    }

    // In each line only the cells are tested whose bounds leave the nimber possible: these are
    // few, or soon beyond the table, where the line ends.
    Found find_in_table(Pair from, std::uint64_t wanted, const Budget& budget) const {
        Found found;
        const auto look = [&](Pair pair) {
            const auto has = has_nimber(Heap(Tuple{{pair.first, pair.second}}), wanted, budget);
            if (!has) found.complete = false;
            if (has && *has) found.pairs.push_back(pair);
            return has.has_value() && !*has;
        };
        // A pair (x, y), x <= y, has a nimber of y - 2x at least and x + y at most.
        const auto look_along = [&](Number fixed, bool fixed_is_first, Number end) {
            const Number least = wanted > fixed ? std::min(wanted - fixed, end) : 0;
            const Number below_fixed = fixed > wanted ? (fixed - wanted + 1) / 2 : 0;
            const Number first = std::max(least, below_fixed);
            const Number last = wanted > kMany - 2 * fixed ? kMany : wanted + 2 * fixed;
            for (Number other = first; other < end && other <= last; ++other) {
                if (!look(fixed_is_first ? Pair{fixed, other} : Pair{other, fixed})) return;
            }
        };
        look_along(from.second, false, from.first);
        look_along(from.first, true, from.second);
        const auto [low, high] = std::minmax(from.first, from.second);
        const Number gap = high - low;
        Number least = gap > wanted ? gap - wanted : (wanted - gap) - (wanted - gap) / 2;
        for (; least < low; ++least) {
            const Pair pair{from.first - low + least, from.second - low + least};
            if (!look(pair)) break;
        }
        return found;
    }

    // Its nimber by the table.
    std::optional<std::uint64_t> look_up(Pair pair, const Budget& budget) const {
        const auto [a, b] = std::minmax(pair.first, pair.second);
        if (a == 0) return b;
        const auto turn = take_turn(mutex_, budget);
        if (!turn) return std::nullopt;
        WythoffTable* table = find_table(a, b);
        if (table == nullptr || !table->extend(b + 1, budget)) return std::nullopt;
        return table->nimber(a, b);
    }

    // A table for this cell, a <= b; nullptr where it would be too large.
    // A table with rows to spare serves if it takes at most twice as long as a new one. New
    // ones get some to spare; the one with the least rows makes way.
    WythoffTable* find_table(Number a, Number b) const {
        if (a >= WythoffTable::kMaxRows || b >= kMaxCells / (a + 1)) return nullptr;
        const Number rows = std::min(a + 1 + a / 8, WythoffTable::kMaxRows);
        const Number work = WythoffTable(rows).cells(b + 1);
        for (WythoffTable& table : tables_) {
            if (table.rows() <= a) continue;
            if (table.columns() > b) return &table;
            if (table.cells(b + 1) - table.cells(table.columns()) <= 2 * work) return &table;
        }
        if (tables_.size() == kMaxTables) {
            tables_.erase(std::ranges::min_element(tables_, {}, &WythoffTable::rows));
        }
        tables_.emplace_back(rows);
        return &tables_.back();
    }

    mutable std::timed_mutex mutex_;
    mutable std::list<WythoffTable> tables_;
};

}  // namespace

SolverPtr make_wythoff_solver() { return std::make_shared<WythoffSolver>(); }

}  // namespace engine
