#include "engine/solver/longest_break.hpp"

#include <algorithm>
#include <bit>

namespace engine {
namespace {

constexpr std::size_t kStepWork = 1 << 18;  // a fraction of a millisecond

}  // namespace

std::size_t LongestBreak::bound(std::size_t preperiod, std::size_t period) const {
    const auto heaps = static_cast<std::size_t>(moves_.most_heaps());
    const auto last = static_cast<std::size_t>(moves_.last_place());
    return heaps * std::max<std::size_t>(preperiod, 1) + (heaps - 1) * period + last;
}

void LongestBreak::add_heap() const {
    const std::size_t heap = lengths_.size();
    Number best = 0;
    for (std::size_t left = 1; left <= heap / 2; ++left) {
        best = std::max(best, lengths_[left] + lengths_[heap - left]);
    }
    pairs_.push_back(best);
    const auto parts = best_parts(heap);
    Number length = parts ? 1 : 0;
    if (parts) {
        for (const Number part : *parts) length += lengths_[part];
    }
    lengths_.push_back(length);
}

std::optional<std::vector<Number>> LongestBreak::best_parts(std::size_t heap) const {
    std::optional<std::vector<Number>> best;
    Number longest = 0;
    const auto offer = [&](Number length, auto parts) {
        if (best && length <= longest) return;
        best = parts();
        longest = length;
    };
    const auto two = [&](std::size_t total) {
        std::size_t left = 1;
        while (lengths_[left] + lengths_[total - left] != pairs_[total]) ++left;
        return std::vector<Number>{left, total - left};
    };
    if (std::ranges::binary_search(moves_.to_none, heap)) {
        offer(0, [] { return std::vector<Number>{}; });
    }
    for (const std::size_t place : moves_.to_one) {
        if (place >= heap) break;
        offer(lengths_[heap - place], [&] { return std::vector<Number>{heap - place}; });
    }
    for (const std::size_t place : moves_.to_two) {
        if (place + 2 > heap) break;
        offer(pairs_[heap - place], [&] { return two(heap - place); });
    }
    for (const std::size_t place : moves_.to_three) {
        if (place + 3 > heap) break;
        const std::size_t total = heap - place;
        for (std::size_t least = 1; least <= total / 3; ++least) {
            offer(lengths_[least] + pairs_[total - least], [&] {
                auto parts = two(total - least);
                parts.push_back(least);
                return parts;
            });
        }
    }
    if (best) std::ranges::sort(*best);
    return best;
}

void LongestBreak::look_for_law() const {
    const std::size_t size = lengths_.size();
    for (std::size_t period = 1; period < size / 2; ++period) {
        const Number saltus = lengths_[size - 1] - lengths_[size - 1 - period];
        std::size_t from = size - 1 - period;
        while (from > 0 && lengths_[from - 1 + period] - lengths_[from - 1] == saltus) --from;
        if (bound(from, period) + period > size) continue;
        law_ = PeriodLaw{from, period, saltus};
        return;
    }
}

// In steps, so that others get their turn.
bool LongestBreak::grow(Number heap, const Budget& budget) const {
    for (;;) {
        const std::lock_guard lock(mutex_);
        for (std::size_t work = 0; work < kStepWork;) {
            if (law_ || lengths_.size() > heap) return true;
            if (lengths_.size() >= kMaxHeaps) return false;
            add_heap();
            work += lengths_.size() * (1 + moves_.to_three.size()) + moves_.size();
            if (lengths_.size() >= 64 && std::has_single_bit(lengths_.size())) look_for_law();
        }
        if (budget.is_spent()) return false;
    }
}

std::optional<Number> LongestBreak::length(Number heap, const Budget& budget) const {
    if (moves_.unequal) return heap > 2 ? heap - 2 : 0;
    if (!grow(heap, budget)) return std::nullopt;
    const std::lock_guard lock(mutex_);
    if (heap < lengths_.size()) return lengths_[static_cast<std::size_t>(heap)];
    const Number beyond = heap - law_->preperiod;
    return lengths_[static_cast<std::size_t>(law_->preperiod + beyond % law_->period)] +
           beyond / law_->period * law_->saltus;
}

// For a huge heap, the best move of a smaller one whole periods below, where the law's argument
// holds already; the periods are given to the largest part.
std::optional<std::vector<Heap>> LongestBreak::follower(Number heap,
                                                        const Budget& budget) const {
    if (moves_.unequal) {
        if (heap <= 2) return std::nullopt;
        return std::vector<Heap>{Heap(Number{1}), Heap(heap - 1)};
    }
    if (!grow(heap, budget)) return std::nullopt;
    const std::lock_guard lock(mutex_);
    Number below = 0;
    if (heap >= lengths_.size()) {
        const Number lowest = bound(static_cast<std::size_t>(law_->preperiod),
                                    static_cast<std::size_t>(law_->period));
        below = (heap - lowest) / law_->period * law_->period;
    }
    auto parts = best_parts(static_cast<std::size_t>(heap - below));
    if (!parts) return std::nullopt;
    if (parts->empty()) return std::vector<Heap>{Heap(Number{0})};
    parts->back() += below;
    return std::vector<Heap>(parts->begin(), parts->end());
}

}  // namespace engine
