// Chomp (Gale 1974): a heap is a tuple of row lengths that do not rise, or the length of one
// row. A move takes a cell and all cells below it and to its right; the first cell of all is
// never taken.
#include <algorithm>
#include <vector>

#include "engine/rules/catalogue.hpp"
#include "engine/rules/entries.hpp"

namespace engine {
namespace {

// The columns of the board as rows. It has at least one row, of a length that can be listed.
// O(rows + columns).
std::vector<Number> turned(const std::vector<Number>& rows) {
    std::vector<Number> columns;
    for (std::size_t r = rows.size(); r > 0; --r) {
        columns.resize(std::max<std::size_t>(columns.size(), rows[r - 1]), r);
    }
    return columns;
}

class Chomp : public ChangingEntries {
  public:
    Result<void> check_heap(const Heap& heap) const override {
        if (has_entries(heap) && std::ranges::is_sorted(entries_of(heap), std::greater<>())) {
            return {};
        }
        return refuse_heap(heap,
                           "a number or a tuple of row lengths that do not rise such as "
                           "(4,3,1): heaps of chomp");
    }

    bool has_move(const Heap& heap) const override {
        const auto rows = entries_of(heap);
        return rows[0] > 1 || (rows.size() > 1 && rows[1] > 0);
    }

    bool is_move(std::span<const Number> from, std::span<const Number> to) const override {
        const auto [row, cut] = std::ranges::mismatch(from, to);
        if (row == from.end() || *cut > *row || to[0] == 0) return false;
        return std::equal(row, from.end(), cut,
                          [most = *cut](Number a, Number b) { return b == std::min(a, most); });
    }

    // The cells but the first.
    Count follower_count(const Heap& heap) const override {
        const auto rows = entries_of(heap);
        Count cells = rows[0] > 0 ? rows[0] - 1 : 0;
        for (const Number length : rows.subspan(1)) cells = saturating_sum(cells, length);
        return cells;
    }

    // By the cell that is taken, row by row.
    std::vector<Heap> follower(const Heap& heap, Count index) const override {
        auto rows = entry_list(heap);
        ++index;
        std::size_t row = 0;
        for (; index >= rows[row]; ++row) index -= rows[row];
        for (std::size_t r = row; r < rows.size(); ++r) rows[r] = std::min(rows[r], index);
        return {heap_with(std::move(rows))};
    }

    // Without rows of 0. A board and the one with its rows as columns are the same: that with
    // fewer rows stands for both.
    std::optional<std::vector<Heap>> reduced(const Heap& heap, Convention) const override {
        if (!has_move(heap)) return std::vector<Heap>();
        const auto all = entries_of(heap);
        std::vector<Number> rows(all.begin(), std::ranges::find(all, Number{0}));
        if (rows.front() < rows.size()) {
            rows = turned(rows);
        } else if (rows.front() == rows.size()) {
            rows = std::min(rows, turned(rows));
        }
        return std::vector<Heap>{heap_with(std::move(rows))};
    }
};

}  // namespace

FoundRuleset make_chomp(protocol::Scanner&) { return FoundRuleset(std::make_shared<Chomp>()); }

}  // namespace engine
