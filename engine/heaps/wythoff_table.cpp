#include "engine/heaps/wythoff_table.hpp"

#include <algorithm>
#include <bit>

#include "engine/base/wide.hpp"

namespace engine {

using protocol::Number;

namespace {

constexpr std::uint64_t kFull = ~std::uint64_t{0};
constexpr std::size_t kCacheLine = 8;  // words

// The number of words that full_words() looks at together: it may read, and ignore, kLookAhead
// - 1 words after the one that it finds.
constexpr std::size_t kLookAhead = 4;

struct Run {
    std::size_t length;  // words that are full in all three together
    std::uint64_t end;   // what is in the one after them, which is not
};

Run full_words(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* c) {
    std::size_t i = 0;
    for (;; i += kLookAhead) {
        const auto all = [&](std::size_t k) { return a[i + k] | b[i + k] | c[i + k]; };
        if ((all(0) & all(1) & all(2) & all(3)) != kFull) break;
    }
    while ((a[i] | b[i] | c[i]) == kFull) ++i;
    return {i, a[i] | b[i] | c[i]};
}

}  // namespace

// An odd number of cache lines: lines of sets then do not compete for places in the cache.
void WythoffTable::Lines::resize(std::size_t lines, std::size_t least_stride) {
    stride = ((least_stride + 4) / kCacheLine | 1) * kCacheLine + 2 * kCacheLine;
    words.assign((lines + kTogether - 1) / kTogether, {});
    bases.assign(lines, 0);
    lows.assign(lines, 0);
}

void WythoffTable::Lines::open(std::size_t line, Number base) {
    auto& together = words[line / kTogether];
    if (together.empty()) together.resize(kTogether * stride + kLookAhead);
    std::fill_n(begin(line), stride, 0);
    bases[line] = lows[line] = base;
}

void WythoffTable::Lines::add(std::size_t line, Number w, Word mark) {
    word(line, w) |= mark;
    const Word* all = begin(line);
    Number low = lows[line] - bases[line];
    while (low < stride && all[low] == kFull) ++low;
    lows[line] = low + bases[line];
}

std::uint64_t WythoffTable::nimber(Number a, Number b) const {
    const Number at = cell(a, b);
    return values_[at / kBlock][at % kBlock] + b - 2 * a;
}

Number WythoffTable::cell(Number a, Number b) const {
    const Number triangle = std::min(b, rows_);
    return triangle * (triangle + 1) / 2 + (b - triangle) * rows_ + a;
}

bool WythoffTable::extend(Number columns, const Budget& budget) {
    constexpr Number kPollEvery = 128;  // rows
    for (Number steps = 0; columns_ < columns; ++steps) {
        if (steps % kPollEvery == 0 && budget.is_spent()) return false;
        if (next_row_ == 0) {
            if (!make_room()) return false;
            start_strip();
        }
        add_row_of_strip(next_row_);
        if (++next_row_ < std::min(rows_, columns_ + kStrip)) continue;
        next_row_ = 0;
        columns_ += kStrip;
    }
    return true;
}

// For the next strip.
bool WythoffTable::make_room() {
    const Number alive = 3 * rows_ / 64 + 6;  // words of a line
    const Number lines = 2 * rows_ + 2 * kStrip;
    const std::size_t sets = lines * (alive + alive / 4 + 4 * kCacheLine) * sizeof(Word);
    while (values_.size() * kBlock < cells(columns_ + kStrip)) {
        const std::size_t blocks = (values_.size() + 1) * kBlock * sizeof(std::uint16_t);
        if (!memory_.resize(sets + blocks)) return false;
        values_.emplace_back(kBlock);
    }
    if (columns_ == 0) {
        row_sets_.resize(rows_, alive + alive / 4);  // slides once in a while
        diagonal_sets_.resize(rows_ + kStrip, alive);
        column_sets_.resize(kStrip, alive);
    }
    return true;
}

// A diagonal starts at the top of each column, in the place of one that has ended.
void WythoffTable::start_strip() {
    for (Number b = columns_; b < columns_ + kStrip; ++b) {
        column_sets_.open(b % kStrip, (b > 2 * rows_ ? b - 2 * rows_ : 0) / 64);
        diagonal_sets_.open(diagonal(0, b), (b > rows_ ? b - rows_ : 0) / 64);
    }
}

void WythoffTable::add_row_of_strip(Number a) {
    const Number end = columns_ + kStrip;
    if (a < columns_) slide(a, (a + end) / 64);
    for (Number b = std::max(a, columns_); b < end; ++b) {
        add_cell(a, b);
        if (a != b) continue;
        // By symmetry row b begins like column b.
        row_sets_.open(b, 0);
        std::copy_n(column_sets_.begin(b % kStrip), column_sets_.stride, row_sets_.begin(b));
        row_sets_.lows[b] = column_sets_.lows[b % kStrip];
    }
}

// Makes room for word w of the row. Full words are not needed again.
void WythoffTable::slide(std::size_t row, Number w) {
    Number& base = row_sets_.bases[row];
    if (w - base < row_sets_.stride) return;
    const Number step = row_sets_.lows[row] - base;
    Word* words = row_sets_.begin(row);
    std::copy(words + step, words + row_sets_.stride, words);
    std::fill_n(words + row_sets_.stride - step, step, 0);
    base += step;
}

void WythoffTable::add_cell(Number a, Number b) {
    // On the main diagonal the row is, by symmetry, the column.
    const bool is_square = a == b;
    Lines& row_sets = is_square ? column_sets_ : row_sets_;
    const std::size_t row = is_square ? b % kStrip : a;
    const std::size_t column = b % kStrip;
    const std::size_t steep = diagonal(a, b);

    const Number start =
        std::max({row_sets.lows[row], column_sets_.lows[column], diagonal_sets_.lows[steep]});
    const auto [length, taken] =
        full_words(&row_sets.word(row, start), &column_sets_.word(column, start),
                   &diagonal_sets_.word(steep, start));
    const Number w = start + length;
    const auto bit = static_cast<unsigned>(std::countr_one(taken));
    const Number at = cell(a, b);
    values_[at / kBlock][at % kBlock] = static_cast<std::uint16_t>(64 * w + bit + 2 * a - b);

    const Word mark = Word{1} << bit;
    column_sets_.add(column, w, mark);
    diagonal_sets_.add(steep, w, mark);
    if (!is_square) row_sets_.add(a, w, mark);
}

// ---- lost pairs ----

namespace {

// k * phi <= x, which is 5k^2 <= (2x - k)^2 where 2x >= k.
bool fits(Number k, Number x) {
    const auto wide_k = static_cast<SignedWide>(k);
    const auto wide_x = static_cast<SignedWide>(x);
    return wide_x * wide_x - wide_x * wide_k - wide_k * wide_k >= 0;
}

}  // namespace

// A guess that is off by some units at most, put right.
Number floor_over_phi(Number x) {
    constexpr long double kOverPhi = 0.618033988749894848204586834365638118L;
    auto k = static_cast<Number>(static_cast<long double>(x) * kOverPhi);
    while (k > 0 && !fits(k, x)) --k;
    while (fits(k + 1, x)) ++k;
    return k;
}

// Among 1..n, floor((n + 1) / phi) numbers have the form A_k, the others A_k + k.
Number wythoff_partner(Number n) {
    if (n == 0) return 0;
    const Number smaller = floor_over_phi(n + 1);
    return wythoff_smaller(smaller) == n ? n + smaller : smaller;
}

Number wythoff_smaller(Number k) { return k + floor_over_phi(k); }

}  // namespace engine
