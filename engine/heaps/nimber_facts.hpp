// The facts that a search has found about one nimber so far.
#pragma once

#include <bit>
#include <cstdint>

namespace engine {

// Either the nimber itself, or some numbers that it is not: all below `low()`, which itself is
// not excluded, and any of the kWindow numbers above that. What is excluded farther up is
// forgotten, so that a table can hold the whole in 56 bits.
class NimberFacts {
  public:
    static constexpr unsigned kWindow = 24;
    static constexpr std::uint64_t kMaxValue = (std::uint64_t{1} << 31) - 1;

    static NimberFacts exactly(std::uint64_t value) {
        NimberFacts facts;
        facts.exact_ = true;
        facts.low_ = static_cast<std::uint32_t>(value);
        return facts;
    }

    bool is_exact() const { return exact_; }
    // The nimber, if it is known; else the least number that it may be.
    std::uint64_t low() const { return low_; }
    bool is_empty() const { return !exact_ && low_ == 0 && above_ == 0; }

    // How many numbers are known to be excluded, those farther up left out.
    std::uint64_t excluded() const {
        return low_ + static_cast<std::uint64_t>(std::popcount(above_));
    }

    // Whether it is known that the nimber is not `value`.
    bool excludes(std::uint64_t value) const {
        if (exact_) return value != low_;
        if (value <= low_) return value < low_;
        const std::uint64_t above = value - low_ - 1;
        return above < kWindow && (above_ >> above & 1) != 0;
    }

    // The nimber is not `value`.
    void exclude(std::uint64_t value) {
        if (exact_ || value < low_) return;
        if (value == low_) {
            exclude_below(value + 1);
        } else if (value - low_ - 1 < kWindow) {
            above_ |= 1u << (value - low_ - 1);
        }
    }

    // The nimber is at least `bound`.
    void exclude_below(std::uint64_t bound) {
        if (exact_ || bound <= low_) return;
        const std::uint64_t step = bound - low_;
        above_ = step > kWindow ? 0 : above_ >> (step - 1);  // bit 0 now stands for `bound`
        low_ = static_cast<std::uint32_t>(bound);
        while ((above_ & 1) != 0) {
            above_ >>= 1;
            ++low_;
        }
        above_ >>= 1;
    }

    // Knows what either knows. Both are about the same nimber.
    void merge(const NimberFacts& other) {
        if (exact_) return;
        if (other.exact_) {
            *this = other;
            return;
        }
        exclude_below(other.low_);
        for (std::uint32_t rest = other.above_, value = other.low_ + 1; rest != 0;
             rest >>= 1, ++value) {
            if ((rest & 1) != 0) exclude(value);
        }
    }

    // 56 bits, not all 0 unless nothing is known; and back.
    std::uint64_t packed() const {
        return std::uint64_t{exact_} << 55 | std::uint64_t{low_} << kWindow | above_;
    }
    static NimberFacts unpacked(std::uint64_t bits) {
        NimberFacts facts;
        facts.exact_ = (bits >> 55 & 1) != 0;
        facts.low_ = static_cast<std::uint32_t>(bits >> kWindow & kMaxValue);
        facts.above_ = static_cast<std::uint32_t>(bits & ((1u << kWindow) - 1));
        return facts;
    }

    friend bool operator==(const NimberFacts&, const NimberFacts&) = default;

  private:
    bool exact_ = false;
    std::uint32_t low_ = 0;
    std::uint32_t above_ = 0;  // bit i: the nimber is not low_ + 1 + i
};

}  // namespace engine
