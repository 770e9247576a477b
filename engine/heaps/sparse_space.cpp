#include "engine/heaps/octal_sweep.hpp"

#include <algorithm>

namespace engine {
namespace {

constexpr std::size_t kMaxValues = 1 << 16;  // larger ones count by their low bits
constexpr std::size_t kWorthwhile = 4;       // at most one heap in so many may be rare

// The Walsh-Hadamard transform: the sum over all values, each with the sign of the parity of
// the bits that it shares with the place in the result.
void transform(std::vector<std::int64_t>& sums) {
    for (std::size_t half = 1; half < sums.size(); half *= 2) {
        for (std::size_t block = 0; block < sums.size(); block += 2 * half) {
            for (std::size_t i = block; i < block + half; ++i) {
                const std::int64_t left = sums[i];
                const std::int64_t right = sums[i + half];
                sums[i] = left + right;
                sums[i + half] = left - right;
            }
        }
    }
}

std::optional<unsigned> common_parity(const std::vector<std::uint32_t>& places) {
    if (places.empty()) return std::nullopt;
    const unsigned parity = places.front() % 2;
    for (const std::uint32_t place : places) {
        if (place % 2 != parity) return std::nullopt;
    }
    return parity;
}

}  // namespace

SparseSpace::SparseSpace(const BreakMoves& moves)
    : place_parity_(common_parity(moves.to_two)), parity_(place_parity_.value_or(0)) {}

bool SparseSpace::add(std::size_t heap, std::uint32_t value) {
    auto& counts = counts_[heap % 2];
    const std::size_t slot = value % kMaxValues;
    if (slot >= counts.size()) counts.resize(std::bit_ceil(slot + 1));
    ++counts[slot];
    ++heaps_;
    if (!useful_ || is_common(heap, value)) return true;
    if (!make_room(rare_, 1, memory_)) return false;
    rare_.push_back({static_cast<std::uint32_t>(heap), value});
    return true;
}

bool SparseSpace::choose(const NimberArray& values) {
    const std::size_t size = std::max({counts_[0].size(), counts_[1].size(), std::size_t{1}});
    for (auto& counts : counts_) counts.resize(size);

    std::int64_t least = static_cast<std::int64_t>(heaps_);
    std::uint32_t mask = 0;
    std::size_t by_place = 0;
    for (std::size_t place = 0; place <= (place_parity_ ? 1 : 0); ++place) {
        std::vector<std::int64_t> sums(size);
        for (std::size_t value = 0; value < size; ++value) {
            const std::int64_t same = counts_[parity_][value];
            const std::int64_t other = counts_[1 - parity_][value];
            sums[value] = place == 0 ? same + other : same - other;
        }
        transform(sums);
        const auto best = std::ranges::min_element(sums);
        if (*best >= least) continue;
        least = *best;
        mask = static_cast<std::uint32_t>(best - sums.begin());
        by_place = place;
    }
    const auto rare =
        (heaps_ + static_cast<std::size_t>(least)) / 2;  // also where it is negative
    const bool useful = rare < heaps_ / kWorthwhile;
    if (useful == useful_ && (!useful || (mask == mask_ && by_place == by_place_))) return true;

    useful_ = useful;
    mask_ = mask;
    by_place_ = by_place;
    ++version_;
    rare_.clear();
    if (!useful) return true;
    if (!make_room(rare_, rare, memory_)) return false;
    values.visit([&](const auto* value) {
        for (std::uint32_t heap = 1; heap <= heaps_; ++heap) {
            if (!is_common(heap, value[heap])) rare_.push_back({heap, value[heap]});
        }
    });
    return true;
}

}  // namespace engine
