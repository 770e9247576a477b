// chomp: boards of one or two rows, rectangles and L shapes by theory, all others by search.
#include <algorithm>
#include <vector>

#include "engine/heaps/enumerating_solver.hpp"
#include "engine/heaps/solvers.hpp"
#include "engine/rules/entries.hpp"

namespace engine {
namespace {

// Rows without those of 0; one at least has a cell, or none has.
std::vector<Number> rows_of(const Heap& heap) {
    const auto all = entries_of(heap);
    return {all.begin(), std::ranges::find(all, Number{0})};
}

// A row of n is a heap of n-1, and an L of a row and a column is two such heaps. Of two rows
// those of k and k-1 are lost. A rectangle of several cells is won: if taking the last cell
// does not win, then the answer to it does, and can be made at once (Gale 1974).
class ChompSolver : public EnumeratingSolver {
  public:
    explicit ChompSolver(const std::shared_ptr<const Ruleset>& rules)
        : EnumeratingSolver(rules), search_(make_search_solver(rules)) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override {
        const auto rows = rows_of(heap);
        if (const auto value = value_of(rows)) return finite(*value);
        if (is_lost(rows) == true) return finite(0);
        if (!is_searched(heap)) return std::nullopt;
        return search_->nimber(heap, budget);
    }

    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t wanted,
                                   const Budget& budget) const override {
        const auto rows = rows_of(heap);
        if (const auto value = value_of(rows)) return *value == wanted;
        const auto lost = is_lost(rows);
        if (lost && (*lost || wanted == 0)) return *lost == (wanted == 0);
        if (!is_searched(heap)) return std::nullopt;
        return search_->has_nimber(heap, wanted, budget);
    }

    std::uint64_t effort(const Heap& heap) const override {
        return value_of(rows_of(heap)) ? 0 : search_->effort(heap);
    }

    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override {
        const auto* wanted = std::get_if<std::uint64_t>(&nimber);
        if (wanted == nullptr) return true;
        const auto rows = rows_of(heap);
        if (rows.size() <= 1) {
            if (rows.empty() || *wanted + 1 >= rows[0]) return true;
            visit(1, [&](Count) { return cut(heap, 0, *wanted + 1); });
            return true;
        }
        if (rows.size() == 2 && *wanted == 0) {
            if (rows[0] == rows[1]) {
                visit(1, [&](Count) { return cut(heap, 1, rows[0] - 1); });
            } else if (rows[1] + 1 < rows[0]) {
                visit(1, [&](Count) { return cut(heap, 0, rows[1] + 1); });
            }
            return true;
        }
        if (is_zero(nimber) && is_lost(rows) == true) return true;
        if (is_searched(heap)) {
            return EnumeratingSolver::visit_followers(heap, nimber, budget, visit);
        }
        if (const auto found = find_follower(heap, nimber, budget)) {
            visit(1, [&](Count) { return *found; });
        }
        return false;
    }

    // Of a square board the move leaves the first row and the first column, whose arms are
    // equal heaps: a lost position.
    std::optional<std::vector<Heap>> find_follower(const Heap& heap, const Nimber& nimber,
                                                   const Budget& budget) const override {
        const auto rows = rows_of(heap);
        if (rows.size() <= 1 || (rows.size() == 2 && is_zero(nimber))) {
            return HeapSolver::find_follower(heap, nimber, budget);
        }
        if (is_zero(nimber)) {
            if (is_lost(rows) == true) return std::nullopt;
            if (is_as_wide_as_high(rows)) return cut(heap, 1, 1);
        }
        if (!is_searched(heap)) return std::nullopt;
        return search_->find_follower(heap, nimber, budget);
    }

  private:
    // A search of larger boards comes to no end.
    bool is_searched(const Heap& heap) const {
        constexpr std::uint64_t kMostCells = 10'000;
        return search_->effort(heap) <= kMostCells;
    }

    static std::optional<std::uint64_t> value_of(const std::vector<Number>& rows) {
        if (rows.empty()) return 0;
        if (rows.size() > 1 && rows[1] > 1) return std::nullopt;
        return (rows[0] - 1) ^ (rows.size() - 1);
    }

    static std::optional<bool> is_lost(const std::vector<Number>& rows) {
        if (const auto value = value_of(rows)) return *value == 0;
        if (rows.size() == 2) return rows[0] == rows[1] + 1;
        if (rows.front() == rows.back() || is_as_wide_as_high(rows)) return false;
        return std::nullopt;
    }

    static bool is_as_wide_as_high(const std::vector<Number>& rows) {
        return rows.front() == rows.size();
    }

    // The row and all below it at most this long.
    static std::vector<Heap> cut(const Heap& heap, std::size_t row, Number length) {
        const auto from = entries_of(heap);
        std::vector<Number> rows(from.begin(), from.end());
        for (; row < rows.size(); ++row) rows[row] = std::min(rows[row], length);
        return {heap_with(std::move(rows))};
    }

    std::shared_ptr<const HeapSolver> search_;
};

}  // namespace

std::shared_ptr<const HeapSolver> make_chomp_solver(
    const std::shared_ptr<const Ruleset>& rules) {
    return std::make_shared<ChompSolver>(rules);
}

}  // namespace engine
