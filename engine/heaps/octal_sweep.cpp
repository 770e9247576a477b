#include "engine/heaps/octal_sweep.hpp"

#include <algorithm>

namespace engine {
namespace {

constexpr std::size_t kFirstCapacity = 1024;
constexpr std::size_t kFirstChoice = 512;  // heaps, before a mask is chosen

// Totals that are in use at a time.
std::size_t totals_kept(const BreakMoves& moves) {
    if (!moves.to_three.empty()) return 0;
    return moves.to_two.empty() ? 1 : moves.to_two.back() - moves.to_two.front() + 1;
}

std::uint32_t least_missing(const std::vector<std::uint64_t>& bits) {
    std::uint32_t word = 0;
    while (bits[word] == ~std::uint64_t{0}) ++word;
    return word * 64 + static_cast<std::uint32_t>(std::countr_one(bits[word]));
}

// The bits of a set of numbers below 64, each number XOR `by`.
std::uint64_t permuted(std::uint64_t bits, unsigned by) {
    constexpr std::uint64_t kLow[]{0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
                                   0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
    for (unsigned i = 0; i < 6; ++i) {
        const unsigned shift = 1U << i;
        if ((by & shift) != 0) bits = (bits & kLow[i]) << shift | (bits >> shift & kLow[i]);
    }
    return bits;
}

}  // namespace

OctalSweep::OctalSweep(BreakMoves moves, bool sparse)
    : moves_(std::move(moves)),
      sparse_(sparse && moves_.to_three.empty()),
      by_mask_(!moves_.splits() && moves_.to_one.size() < 62),
      space_(moves_),
      pairs_(totals_kept(moves_), moves_.unequal),
      options_(2) {
    start();
}

bool OctalSweep::start() {
    values_ = NimberArray::make(kFirstCapacity, NimberArray::Width::Byte);
    if (values_) values_->push_back(0);  // an empty heap
    return values_ != nullptr;
}

bool OctalSweep::extend(std::size_t end, std::size_t amount) {
    if (!values_ && !start()) return false;
    Work work{static_cast<std::ptrdiff_t>(amount)};
    while (size() < end && !work.is_spent()) {
        if (next(work) == Step::Short) return false;
    }
    return true;
}

OctalSweep::Step OctalSweep::next(Work& work) {
    const std::size_t heap = size();
    work.spend(moves_.size());
    if (by_mask_) return append(heap, next_by_mask()) ? Step::Done : Step::Short;

    if (const Step step = find_options(heap, work); step != Step::Done) return step;
    for (;;) {
        const std::uint32_t value = least_missing(options_);
        if (!moves_.to_three.empty()) {
            if (mark_triples(heap, value, work)) continue;
            return append(heap, value) ? Step::Done : Step::Short;
        }
        const bool settled =
            moves_.to_two.empty() || !space_.is_useful() || space_.is_common(heap, value);
        if (!settled) {
            const Step found = find_pair(heap, value, work);
            if (found == Step::Spent) return found;
            if (is_marked(value)) continue;
        }
        return append(heap, value) ? Step::Done : Step::Short;
    }
}

std::uint32_t OctalSweep::next_by_mask() const {
    const std::size_t heap = size();
    return values_->visit([&](const auto* values) {
        std::uint64_t mask = std::ranges::binary_search(moves_.to_none, heap) ? 1 : 0;
        for (const std::uint32_t place : moves_.to_one) {
            if (place >= heap) break;
            mask |= std::uint64_t{1} << values[heap - place];
        }
        return static_cast<std::uint32_t>(std::countr_one(mask));
    });
}

// Marks the options of at most two heaps; with a sparse space, at least all common ones of
// them.
OctalSweep::Step OctalSweep::find_options(std::size_t heap, Work& work) {
    if (moves_.splits() && !pairs_.make_room(limit_, heap)) return Step::Short;
    if (!moves_.to_three.empty() && heap >= 2 &&
        !pairs_.look_at_rare(heap, *values_, space_, work)) {
        return Step::Spent;
    }
    options_.assign(limit_ / 64 + 2, 0);
    if (std::ranges::binary_search(moves_.to_none, heap)) mark(0);
    values_->visit([&](const auto* values) {
        for (const std::uint32_t place : moves_.to_one) {
            if (place >= heap) break;
            mark(values[heap - place]);
        }
    });
    for (const std::uint32_t place : moves_.to_two) {
        if (place + 2 > heap) break;
        if (!pairs_.look_at_rare(heap - place, *values_, space_, work)) return Step::Spent;
        mark_pairs(heap - place);
    }
    work.spend(moves_.to_two.size() * (limit_ / 64 + 1));
    return Step::Done;
}

void OctalSweep::mark_pairs(std::size_t total) {
    const auto found = pairs_.found(total);
    for (std::size_t word = 0; word < found.size(); ++word) options_[word] |= found[word];
}

// Done: it has been marked, or is not among the options.
OctalSweep::Step OctalSweep::find_pair(std::size_t heap, std::uint32_t value, Work& work) {
    bool near = value >= limit_;  // have the near pairs been looked through?
    for (bool more = true; more;) {
        more = false;
        bool fresh = false;
        for (const std::uint32_t place : moves_.to_two) {
            if (place + 2 > heap) break;
            fresh = fresh || pairs_.is_fresh(heap - place);
        }
        if (!fresh && !near) {
            near = true;
            if (find_near(heap, value, work)) return Step::Done;
        }
        for (const std::uint32_t place : moves_.to_two) {
            if (place + 2 > heap) break;
            if (!pairs_.look_on(heap - place, *values_, work)) continue;
            more = true;
            mark_pairs(heap - place);
            if (is_marked(value)) return Step::Done;
            if (work.is_spent()) return Step::Spent;
        }
    }
    return Step::Done;
}

bool OctalSweep::find_near(std::size_t heap, std::uint32_t value, Work& work) {
    for (const std::uint32_t place : moves_.to_two) {
        if (place + 2 > heap) break;
        if (!pairs_.find_near(heap - place, value, *values_, work)) continue;
        mark(value);
        return true;
    }
    return false;
}

// Looks for a heap that makes the value with a pair, and marks all that it makes with the pairs
// of its total. False: there is none. Heaps next to each other make much the same: the next one
// looked at is kStride away, and the first is the one that was found last.
bool OctalSweep::mark_triples(std::size_t heap, std::uint32_t value, Work& work) {
    constexpr std::size_t kStride = 61;
    if (value >= limit_) return false;
    return values_->visit([&](const auto* values) {
        for (const std::uint32_t place : moves_.to_three) {
            if (place + 3 > heap) break;
            const std::size_t total = heap - place;
            const std::size_t count = total / 3;
            if (third_ >= count) third_ = 0;
            for (std::size_t tried = 1; tried <= count; ++tried) {
                const std::uint32_t third = values[third_ + 1];
                const std::uint32_t rest = value ^ third;
                const auto pairs = pairs_.found(total - third_ - 1);
                if ((pairs[rest / 64] >> (rest % 64) & 1) != 0) {
                    // All values below this one are marked.
                    for (std::size_t word = value / 64; word < pairs.size(); ++word) {
                        options_[word] |= permuted(pairs[word ^ third / 64], third % 64);
                    }
                    work.spend(4 * (tried + pairs.size()));
                    return true;
                }
                third_ += kStride;
                if (third_ < count) continue;
                third_ = third_ % kStride + 1;
                if (third_ >= std::min(count, kStride)) third_ = 0;
            }
            work.spend(4 * count);
        }
        return false;
    });
}

bool OctalSweep::append(std::size_t heap, std::uint32_t value) {
    if (!NimberArray::make_room_for(values_, value)) return false;
    if (sparse_ && !space_.add(heap, value)) return false;
    values_->push_back(value);
    limit_ = std::max(limit_, std::bit_ceil(std::size_t{value} + 1));
    const bool chooses = sparse_ && !moves_.to_two.empty() && heap >= kFirstChoice;
    if (chooses && std::has_single_bit(heap)) space_.choose(*values_);
    return true;
}

NimberSequence octal_sequence(const BreakMoves& moves) {
    const auto reach = static_cast<std::size_t>(moves.last_place());
    // Unequal parts may become equal once a period is added to one of them.
    return NimberSequence(
        std::make_unique<OctalSweep>(moves),
        {.is_known = !moves.unequal, .parts = moves.most_heaps(), .reach = reach},
        {.first = std::max<std::size_t>(256, 4 * reach),
         .percent = moves.splits() ? std::size_t{125} : 200});
}

// ---- the space of common values ----

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
    const bool is_rare = useful_ && !is_common(heap, value);
    if (is_rare && !make_room(rare_, 1, memory_)) return false;
    if (is_rare) rare_.push_back({static_cast<std::uint32_t>(heap), value});
    auto& counts = counts_[heap % 2];
    const std::size_t slot = value % kMaxValues;
    if (slot >= counts.size()) counts.resize(std::bit_ceil(slot + 1));
    ++counts[slot];
    ++heaps_;
    return true;
}

void SparseSpace::choose(const NimberArray& values) {
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
    const auto rare = (heaps_ + static_cast<std::size_t>(least)) / 2;  // also if negative
    const bool useful = rare < heaps_ / kWorthwhile;
    if (useful == useful_ && (!useful || (mask == mask_ && by_place == by_place_))) return;
    const std::size_t more = rare - std::min(rare, rare_.size());
    if (useful && !make_room(rare_, more, memory_)) return;

    useful_ = useful;
    mask_ = mask;
    by_place_ = by_place;
    ++version_;
    rare_.clear();
    if (!useful) return;
    values.visit([&](const auto* value) {
        for (std::uint32_t heap = 1; heap <= heaps_; ++heap) {
            if (!is_common(heap, value[heap])) rare_.push_back({heap, value[heap]});
        }
    });
}

}  // namespace engine
