#include "engine/heaps/octal_sweep.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace engine {
namespace {

constexpr std::size_t kSlice = 1 << 16;  // pairs between two looks at the work that is left
constexpr std::size_t kNear = 4096;      // pairs that find_near() looks at
constexpr std::size_t kBlock = 64;       // of them at a time
constexpr std::size_t kWorthAhead = 64;  // rare heaps for which it pays to look ahead

// Eight marks as eight bits.
std::uint64_t gathered(const bool* marks) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, marks, sizeof bytes);
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    return bytes * 0x0102040810204080ULL >> 56;
}

// Is values[i] xor others[i] the value for some i below kBlock?
template <typename Value>
bool has_pair(const Value* values, const Value* others, Value value) {
    Value hits = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
        const auto pair = static_cast<Value>(values[i] ^ others[i]);
        hits = static_cast<Value>(hits | (pair == value ? 1 : 0));
    }
    return hits != 0;
}

// The first rare heap that is not smaller.
std::size_t position(const std::vector<RareHeap>& rare, std::size_t heap) {
    const auto place = std::ranges::lower_bound(rare, heap, {}, &RareHeap::heap);
    return static_cast<std::size_t>(place - rare.begin());
}

}  // namespace

bool PairValues::make_room(std::size_t limit, std::size_t total) {
    // look_ahead() looks at kAhead totals from this one on.
    const std::size_t most = keeps_all() ? ~std::size_t{0} : mask_ + 1;
    const std::size_t needed = std::min(most, total + kAhead);
    if (limit <= limit_ && needed <= rows_.size()) return true;
    const std::size_t words = (limit + 63) / 64;
    const std::size_t rows = needed <= rows_.size()
                                 ? rows_.size()
                                 : std::min(most, std::max(needed, 2 * rows_.size()));
    // The old and the new ones are there together for a moment.
    const std::size_t bytes = rows * (sizeof(Row) + words * 8) + limit * kAhead;
    if (!memory_.resize(bytes + rows_.size() * (sizeof(Row) + words_ * 8))) return false;

    std::vector<std::uint64_t> bits(rows * words);
    for (std::size_t i = 0; i < std::min(rows, rows_.size()); ++i) {
        std::copy_n(&bits_[i * words_], words_, &bits[i * words]);
    }
    bits_ = std::move(bits);
    rows_.resize(rows);
    if (limit > limit_) marks_ = std::make_unique<bool[]>(limit * kAhead);
    limit_ = limit;
    words_ = words;
    return memory_.resize(bytes);
}

void PairValues::start(Row& row, std::size_t total) {
    const std::size_t end = unequal_ ? (total + 1) / 2 : total / 2 + 1;
    row = {total, 1, std::max<std::size_t>(end, 1), 0, 0, 0};
    std::fill_n(&bits_[slot(total) * words_], words_, 0);
}

// Where all values are below 64, bits are gathered in a register; else marks are set, which
// does not wait for the mark before, and are turned into bits by collect().
template <typename Pair>
void PairValues::look_at(std::size_t total, std::size_t count, Pair pair) {
    if (words_ == 1) {
        std::uint64_t gained = 0;
        for (std::size_t i = 0; i < count; ++i) gained |= std::uint64_t{1} << pair(i);
        bits_[slot(total)] |= gained;
    } else {
        bool* const marks = marks_.get();
#pragma GCC unroll 8
        for (std::size_t i = 0; i < count; ++i) marks[pair(i)] = true;
    }
}

void PairValues::look_between(std::size_t total, std::size_t first, std::size_t end,
                              const NimberArray& values) {
    values.visit([&](const auto* value) {
        const auto* const low = value + first;
        const auto* const high = value + (total - first);
        look_at(total, end - first,
                [=](std::size_t i) -> std::uint32_t { return low[i] ^ *(high - i); });
    });
}

// Without the half of the total where parts must differ.
void PairValues::look_at_rare_between(std::size_t total, const RareHeap* first,
                                      const RareHeap* end, const NimberArray& values) {
    const auto look = [&](const RareHeap* from, const RareHeap* to) {
        values.visit([&](const auto* value) {
            look_at(total, static_cast<std::size_t>(to - from), [=](std::size_t i) {
                const RareHeap rare = from[i];
                return rare.value ^ value[total - rare.heap];
            });
        });
    };
    if (!unequal_ || total % 2 != 0) return look(first, end);
    const RareHeap* const middle =
        std::ranges::lower_bound(first, end, total / 2, {}, &RareHeap::heap);
    look(first, middle);
    if (middle == end) return;
    look(middle->heap == total / 2 ? middle + 1 : middle, end);
}

void PairValues::collect(std::size_t total, std::size_t set) {
    if (words_ == 1) return;
    bool* const marks = &marks_[set * limit_];
    std::uint64_t* const bits = &bits_[slot(total) * words_];
    for (std::size_t word = 0; word < words_; ++word) {
        std::uint64_t gained = 0;
        for (std::size_t byte = 0; byte < 8; ++byte) {
            gained |= gathered(&marks[word * 64 + byte * 8]) << (byte * 8);
        }
        bits[word] |= gained;
    }
    std::fill_n(marks, limit_, false);
}

bool PairValues::look_at_rare(std::size_t total, const NimberArray& values,
                              const SparseSpace& space, Work& work) {
    Row& next = row(total);
    if (!space.is_useful()) {
        while (next.low < next.high) {
            if (work.is_spent()) return false;
            const std::size_t count = std::min(next.high - next.low, kSlice);
            look_between(total, next.low, next.low + count, values);
            collect(total);
            work.spend(count + limit_);
            next.low += count;
        }
        return true;
    }
    if (next.version != space.version()) {
        next.version = space.version();
        next.rare = 0;
        next.ahead = 0;
    }
    const auto& rare = space.rare();
    const bool all_seen = next.rare == rare.size() || rare[next.rare].heap >= total;
    if (next.low >= next.high || all_seen) return true;

    const std::size_t last = position(rare, total);
    if (next.rare == 0 && next.ahead == 0 && last > kWorthAhead && words_ > 1) {
        look_ahead(total, values, space, work);
    }
    const std::size_t near = position(rare, kAhead);
    while (next.rare < last) {
        if (next.rare == near && next.ahead > near) {
            next.rare = next.ahead;
            continue;
        }
        if (work.is_spent()) return false;
        std::size_t end = std::min(last, next.rare + kSlice);
        if (next.rare < near) end = std::min(end, near);
        look_at_rare_between(total, rare.data() + next.rare, rare.data() + end, values);
        collect(total);
        work.spend(end - next.rare + limit_);
        next.rare = end;
    }
    return true;
}

void PairValues::look_ahead(std::size_t total, const NimberArray& values,
                            const SparseSpace& space, Work& work) {
    const auto& rare = space.rare();
    const std::size_t first = position(rare, kAhead);
    const std::size_t last = position(rare, total);
    // Rare heaps from `middle` to `middle_end` may be half of a total.
    const std::size_t middle = unequal_ ? position(rare, total / 2) : last;
    const std::size_t middle_end = unequal_ ? position(rare, (total + kAhead) / 2 + 1) : last;
    const auto mark = [&](const auto* value, std::size_t from, std::size_t end) {
        for (std::size_t i = from; i < end; ++i) {
            const RareHeap next = rare[i];
            const auto* const others = value + (total - next.heap);
            for (std::size_t ahead = 0; ahead < kAhead; ++ahead) {
                marks_[ahead * limit_ + (next.value ^ others[ahead])] = true;
            }
        }
    };
    values.visit([&](const auto* value) {
        mark(value, first, middle);
        mark(value, middle_end, last);
    });
    for (std::size_t ahead = 0; ahead < kAhead; ++ahead) {
        Row& next = row(total + ahead);
        if (next.version != space.version()) next.rare = 0;
        next.version = space.version();
        next.ahead = last;
        collect(next.total, ahead);
        look_at_rare_between(next.total, rare.data() + middle, rare.data() + middle_end,
                             values);
        collect(next.total);
    }
    work.spend(kAhead * (last - first + limit_));
}

bool PairValues::look_on(std::size_t total, const NimberArray& values, Work& work) {
    Row& next = row(total);
    if (next.low >= next.high) return false;
    const std::size_t piece = std::max<std::size_t>(limit_ / 2, 8);
    const std::size_t left = next.high - next.low;
    const std::size_t below = std::min(left, piece);
    const std::size_t above = std::min(left - below, piece);
    look_between(total, next.low, next.low + below, values);
    look_between(total, next.high - above, next.high, values);
    collect(total);
    work.spend(below + above + limit_);
    next.low += below;
    next.high -= above;
    return true;
}

bool PairValues::find_near(std::size_t total, std::uint32_t value, const NimberArray& values,
                           Work& work) {
    const Row& next = row(total);
    const std::size_t end = std::min(next.high, kNear);
    if (values.size() < kNear || end < next.low + kBlock) return false;
    return values.visit([&](const auto* forwards) {
        using Value = std::remove_cvref_t<decltype(*forwards)>;
        if (near_.empty() || near_width_ != values.width()) {
            near_width_ = values.width();
            near_.resize(kNear * sizeof(Value));
            for (std::size_t heap = 0; heap < kNear; ++heap) {
                std::memcpy(&near_[(kNear - 1 - heap) * sizeof(Value)], &forwards[heap],
                            sizeof(Value));
            }
        }
        const auto* backwards = reinterpret_cast<const Value*>(near_.data());
        for (std::size_t heap = next.low; heap + kBlock <= end; heap += kBlock) {
            work.spend(kBlock / 8);
            const std::size_t last = heap + kBlock - 1;
            if (has_pair(&backwards[kNear - 1 - last], &forwards[total - last],
                         static_cast<Value>(value))) {
                bits_[slot(total) * words_ + value / 64] |= std::uint64_t{1} << (value % 64);
                return true;
            }
        }
        return false;
    });
}

}  // namespace engine
