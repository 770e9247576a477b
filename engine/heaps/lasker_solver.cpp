// lasker: a closed form, and the followers of each nimber counted digit by digit.
#include <algorithm>
#include <array>
#include <bit>

#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/solvers.hpp"

namespace engine {
namespace {

// Its own inverse. Of a nimber that no heap has, 2^64-1, it is no heap either.
Number lasker_value(Number heap) {
    if (heap == 0 || heap == ~Number{0}) return heap;
    if (heap % 4 == 3) return heap + 1;
    return heap % 4 == 0 ? heap - 1 : heap;
}

// A nimber with these last two bits belongs to the heap this much larger.
constexpr std::array<int, 4> kShift{-1, 0, 0, 1};

// Deposits the bits of `index` at the places of the bits of `mask`, in order.
Number spread(Count index, Number mask) {
    Number result = 0;
    for (; mask != 0; mask &= mask - 1, index /= 2) {
        if (index % 2 != 0) result |= mask & -mask;
    }
    return result;
}

// Pairs of nimbers u, v >= 1 with u xor v = t whose heaps add up to a heap; u has the same last
// two bits in all of them.
struct Splits {
    Number difference = 0;  // t
    Number shared = 0;      // bits of both
    Number low = 0;         // the last two bits of t, as far as u has them
    Number free = 0;        // bits of t that u may have or not
    Count skip = 0;         // the number of first choices, which leave u = 0
    Count count = 0;

    std::vector<Heap> at(Count index) const {
        const Number own = low | spread(index + skip, free);
        std::array parts{lasker_value(shared | own), lasker_value(shared | (difference ^ own))};
        std::ranges::sort(parts);
        return std::vector<Heap>(parts.begin(), parts.end());
    }
};

// The splits of a heap >= 2 with the nimber, each in one of four: that of the nimber without
// the highest bit of the difference.
std::array<Splits, 4> splits_of(Number heap, Number nimber) {
    std::array<Splits, 4> all;
    const Number low_bits = nimber & 3;
    const Number high_bits = nimber & ~Number{3};
    for (unsigned last = 0; last < 4; ++last) {
        if (high_bits == 0 && (last & std::bit_floor(low_bits)) != 0) continue;
        const int shift = kShift[last] + kShift[last ^ low_bits];
        const Number sum = heap - static_cast<Number>(shift);
        if (sum < nimber || (sum - nimber) % 2 != 0) continue;
        Splits& splits = all[last];
        splits.difference = nimber;
        splits.shared = (sum - nimber) / 2;
        if ((splits.shared & nimber) != 0) continue;
        if ((splits.shared & 3) != (last & ~low_bits)) continue;
        splits.low = last & low_bits;
        splits.free = high_bits & ~std::bit_floor(high_bits);
        splits.skip = splits.shared == 0 && splits.low == 0 ? 1 : 0;
        splits.count = (Count{1} << std::popcount(splits.free)) - splits.skip;
    }
    return all;
}

// G(n) is n, except that 4k+3 and 4k+4 are swapped (Lasker 1931; Winning Ways, chapter 4).
// So each nimber belongs to one heap. Two heaps with nimbers u and v and u xor v = t satisfy
// u + v = t + 2(u and v): the sum tells which binary digits they share, and each digit of t
// goes to either of them.
class LaskerSolver : public HeapSolver {
  public:
    std::optional<Nimber> nimber(const Heap& heap, const Budget&) const override {
        return finite(lasker_value(std::get<Number>(heap)));
    }

    bool is_quick() const override { return true; }

    // The heap that is left alone, then each family of splits.
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget&,
                         VisitFollowers visit) const override {
        const auto* value = std::get_if<std::uint64_t>(&nimber);
        if (value == nullptr) return true;
        const Number number = std::get<Number>(heap);
        const Number alone = lasker_value(*value);
        const auto leave = [&](Count) { return std::vector(1, Heap(alone)); };
        if (alone < number && !visit(1, leave)) return true;
        if (number < 2) return true;
        for (const Splits& splits : splits_of(number, *value)) {
            const auto split = [&](Count index) { return splits.at(index); };
            if (splits.count > 0 && !visit(splits.count, split)) break;
        }
        return true;
    }

    std::optional<ProvenLaw> law(Number, const Budget&) const override {
        return ProvenLaw{{1, 4, 4}, "formula", 0};
    }

    // Heap 2 is (2,2); from 3 on the heaps 0 and 1 give 0 and 1 to the options under both
    // conventions, and any other option has a part of 2 or more.
    bool is_tame() const override { return true; }
};

}  // namespace

SolverPtr make_lasker_solver() { return std::make_shared<LaskerSolver>(); }

}  // namespace engine
