// Wythoff's game: who wins, by its formula (Wythoff 1907), and all nimbers, column by column.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/memory.hpp"
#include "protocol/heap.hpp"

namespace engine {

// The player to move loses where the smaller heap is A_k = floor(k * phi) and the larger one
// A_k + k, phi = (1 + sqrt 5) / 2. Each number is in one such pair, and each k the difference
// of one. All in exact integers and O(1).

// floor(x / phi), for x up to 2^63.
protocol::Number floor_over_phi(protocol::Number x);

// The other heap of the lost pair that has a heap of n <= 2^63-1; it can be above 2^63.
protocol::Number wythoff_partner(protocol::Number n);

// A_k, the smaller heap of the lost pair of difference k <= 2^63-1; it can be above 2^63.
protocol::Number wythoff_smaller(protocol::Number k);

// G(a, b) for a <= b, a < rows: the least number that is neither in row a, nor in column b, nor
// on the diagonal before it. The numbers that occur in each line are kept as bits, and the
// least missing one is found 64 numbers at a time.
//
// G(a, b) lies in b - 2a .. a + b. The upper bound is the number of moves. The lower bound:
// take a number v that is not yet in row a. The row passes over v in at most 2a columns because
// v stands above in the column or on the diagonal (each of the a rows above has v once, and so
// blocks one column and one diagonal), and in at most v columns because it takes a smaller
// number there. So row a has v by column v + 2a. Hence a nimber takes 16 bits, and of each line
// 3 * rows bits are in use at a time.
class WythoffTable {
  public:
    using Number = protocol::Number;
    static constexpr Number kMaxRows = 65536 / 3;

    // Rows 1 .. kMaxRows.
    explicit WythoffTable(Number rows) : rows_(rows) {}

    Number rows() const { return rows_; }
    Number columns() const { return columns_; }

    // Grows the table to this many columns. False where the budget or the memory ends before;
    // the columns found so far stay, and the next call continues.
    bool extend(Number columns, const Budget& budget);

    // The number of cells in this number of columns.
    Number cells(Number columns) const { return cell(0, columns); }

    // a <= b, a < rows(), b < columns().
    std::uint64_t nimber(Number a, Number b) const;

  private:
    using Word = std::uint64_t;

    // Sets of numbers as bits, one set a line. A line holds the `stride` words of its set from
    // `bases[line]` on. It gets memory when it is first opened, so that no step takes long.
    struct Lines {
        static constexpr std::size_t kTogether = 16;  // lines
        std::size_t stride = 0;
        std::vector<std::vector<Word>> words;
        std::vector<Number> bases;
        std::vector<Number> lows;  // all words before this one are full

        void resize(std::size_t lines, std::size_t least_stride);
        Word* begin(std::size_t line) {
            return words[line / kTogether].data() + line % kTogether * stride;
        }
        Word& word(std::size_t line, Number w) { return begin(line)[w - bases[line]]; }
        void open(std::size_t line, Number base);  // empty
        void add(std::size_t line, Number w, Word mark);
    };

    // Columns are added this many at a time, row by row, so that all sets at work stay in
    // cache.
    static constexpr Number kStrip = 32;

    Number cell(Number a, Number b) const;  // where it is in values_
    std::size_t diagonal(Number a, Number b) const { return (b - a) % (rows_ + kStrip); }
    bool make_room();
    void start_strip();
    void add_row_of_strip(Number a);
    void add_cell(Number a, Number b);
    void slide(std::size_t row, Number w);

    Number rows_;
    Number columns_ = 0;   // complete ones
    Number next_row_ = 0;  // of the strip at work
    Lines row_sets_;
    Lines diagonal_sets_;  // diagonal b - a at its remainder by rows_ + kStrip
    Lines column_sets_;    // of the strip

    // G(a, b) - b + 2a, column by column, in blocks, so that growing never copies.
    static constexpr Number kBlock = Number{1} << 18;
    std::vector<std::vector<std::uint16_t>> values_;
    Reservation memory_;
};

}  // namespace engine
