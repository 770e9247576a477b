// chomp: boards of one or two rows, rectangles and L shapes by theory, others by a table of all
// boards in their rectangle, and larger ones by search.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/memory.hpp"
#include "engine/base/turn.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/solvers.hpp"
#include "engine/rules/entries.hpp"

namespace engine {
namespace {

// Rows without those of 0; one at least has a cell, or none has.
std::vector<Number> rows_of(const Heap& heap) {
    const auto all = entries_of(heap);
    return {all.begin(), std::ranges::find(all, Number{0})};
}

constexpr std::size_t kMostTableCells = 4096;  // of a board

// Nimbers of the boards of some number of rows, those of 0 too, in the order of their lengths
// as words: a move leads to an earlier board. With k rows below it, a row of n is larger than
// those of C(k+n, k+1) boards that begin with the same rows, so these add up to the index.
class ChompTable {
  public:
    explicit ChompTable(std::size_t rows) : rows_(rows), smaller_(rows) {}

    // Saturates. The board has at most kMostTableCells.
    // C(k+n, k+1) = C(k+n-1, k+1) + C(k-1+n, k)
    std::uint64_t index(const std::vector<Number>& rows) {
        while (smaller_[0].size() <= rows[0]) {
            std::uint64_t more = 1;
            for (auto row = smaller_.rbegin(); row != smaller_.rend(); ++row) {
                more = row->empty() ? 0 : saturating_sum(row->back(), more);
                row->push_back(more);
            }
        }
        std::uint64_t index = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            index = saturating_sum(index, smaller_[i][rows[i]]);
        }
        return index;
    }

    // nullopt: not known within the budget or the memory. What was computed stays.
    std::optional<std::uint64_t> nimber_at(std::uint64_t index, const Budget& budget) {
        if (index >= nimbers_.size()) {
            if (!make_room(nimbers_, index + 1 - nimbers_.size(), memory_)) return std::nullopt;
        }
        while (nimbers_.size() <= index) {
            if (nimbers_.size() % 64 == 0 && budget.is_spent()) return std::nullopt;
            nimbers_.push_back(next_nimber());
            advance();
        }
        return nimbers_[index];
    }

  private:
    // By the cells of each column, from the last column and the lowest row on.
    std::uint16_t next_nimber() {
        const auto mark = static_cast<std::uint32_t>(nimbers_.size() + 1);
        std::size_t height = 0;
        for (Number length = rows_[0]; length-- > 0;) {
            while (height < rows_.size() && rows_[height] > length) ++height;
            std::size_t index = nimbers_.size();
            for (std::size_t row = height; row-- > (length == 0 ? 1U : 0U);) {
                index -= smaller_[row][rows_[row]] - smaller_[row][length];
                seen_[nimbers_[index]] = mark;
            }
        }
        std::uint16_t mex = 0;
        while (seen_[mex] == mark) ++mex;
        return mex;
    }

    void advance() {
        std::size_t row = rows_.size() - 1;
        while (row > 0 && rows_[row] == rows_[row - 1]) rows_[row--] = 0;
        ++rows_[row];
    }

    std::vector<Number> rows_;                         // the board of the next nimber
    std::vector<std::vector<std::uint64_t>> smaller_;  // by row and length
    std::vector<std::uint16_t> nimbers_;
    std::array<std::uint32_t, kMostTableCells> seen_{};  // by value: the last index, plus 1
    Reservation memory_;
};

// A row of n is a heap of n-1, and an L of a row and a column is two such heaps. Of two rows
// those of k and k-1 are lost. A rectangle of several cells is won: if taking the last cell
// does not win, then the answer to it does, and can be made at once (Gale 1974).
class ChompSolver : public EnumeratingSolver {
  public:
    explicit ChompSolver(const RulesetPtr& rules)
        : EnumeratingSolver(rules), search_(make_search_solver(rules)) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override {
        const auto rows = rows_of(heap);
        if (const auto value = value_of(rows)) return finite(*value);
        if (is_lost(rows) == true) return finite(0);
        if (const auto value = table_value(heap, budget)) return finite(*value);
        if (!is_searched(heap)) return std::nullopt;
        return search_->nimber(heap, budget);
    }

    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t wanted,
                                   const Budget& budget) const override {
        const auto rows = rows_of(heap);
        if (const auto value = value_of(rows)) return *value == wanted;
        const auto lost = is_lost(rows);
        if (lost && (*lost || wanted == 0)) return *lost == (wanted == 0);
        if (const auto value = table_value(heap, budget)) return *value == wanted;
        if (!is_searched(heap)) return std::nullopt;
        return search_->has_nimber(heap, wanted, budget);
    }

    std::uint64_t effort(const Heap& heap) const override {
        return value_of(rows_of(heap)) ? 0 : search_->effort(heap);
    }

    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override {
        const auto* wanted = std::get_if<std::uint64_t>(&nimber);
        const auto rows = rows_of(heap);
        if (wanted == nullptr || rows.empty()) return true;
        if (const auto value = value_of(rows)) {
            const std::uint64_t change = *value ^ *wanted;  // of one of the two heaps
            const Number across = (rows[0] - 1) ^ change, down = (rows.size() - 1) ^ change;
            const auto shorten_row = [&](Count) { return cut(heap, 0, across + 1); };
            const auto shorten_column = [&](Count) { return cut(heap, down + 1, 0); };
            if (across < rows[0] - 1 && !visit(1, shorten_row)) return true;
            if (down < rows.size() - 1) visit(1, shorten_column);
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
        if (value_of(rows) || (rows.size() == 2 && is_zero(nimber))) {
            return HeapSolver::find_follower(heap, nimber, budget);
        }
        if (is_zero(nimber)) {
            if (is_lost(rows) == true) return std::nullopt;
            if (is_as_wide_as_high(rows)) return cut(heap, 1, 1);
        }
        if (table_value(heap, budget)) {
            return EnumeratingSolver::find_follower(heap, nimber, budget);
        }
        if (!is_searched(heap)) return std::nullopt;
        return search_->find_follower(heap, nimber, budget);
    }

  private:
    // The board has a move. nullopt: also of a board that has too many before it.
    std::optional<std::uint64_t> table_value(const Heap& heap, const Budget& budget) const {
        constexpr std::uint64_t kMostMoves = std::uint64_t{1} << 29;  // about a second
        if (!is_searched(heap)) return std::nullopt;
        // With no more rows than columns.
        const auto rows = rows_of(rules().reduced(heap, Convention::Normal)->front());
        if (rows[0] > kMostTableCells / rows.size()) return std::nullopt;
        const auto turn = take_turn(mutex_, budget);
        if (!turn) return std::nullopt;
        auto& table = tables_.try_emplace(rows.size(), rows.size()).first->second;
        const std::uint64_t index = table.index(rows);
        if (index > kMostMoves / (rows[0] * rows.size())) return std::nullopt;
        return table.nimber_at(index, budget);
    }

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
        auto rows = entry_list(heap);
        for (; row < rows.size(); ++row) rows[row] = std::min(rows[row], length);
        return {heap_with(std::move(rows))};
    }

    SolverPtr search_;
    mutable std::timed_mutex mutex_;
    mutable std::map<std::size_t, ChompTable> tables_;  // by their number of rows
};

}  // namespace

SolverPtr make_chomp_solver(const RulesetPtr& rules) {
    return std::make_shared<ChompSolver>(rules);
}

}  // namespace engine
