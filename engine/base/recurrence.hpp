// The law of a sequence of nimbers; and a search for the least period with which the end of a
// sequence repeats, which every proof of a period uses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/wide.hpp"
#include "protocol/heap.hpp"

namespace engine {

using protocol::Number;

// G(n+period) = G(n) + d for all n >= preperiod, where d depends on n modulo the period alone
// and is 0 or the saltus. Neither preperiod nor period need be the least.
struct Law {
    enum class Kind {
        Periodic,    // d is always 0, and so is the saltus
        Arithmetic,  // d is always the saltus
        Sapp,        // sapp regular: the saltus for some residues, 0 for the others
    };

    Number preperiod = 0;
    Number period = 0;
    Number saltus = 0;
    std::vector<Number> rising = {};  // sapp: the residues with the saltus, ascending

    friend bool operator==(const Law&, const Law&) = default;

    Kind kind() const {
        if (saltus == 0) return Kind::Periodic;
        return rising.empty() ? Kind::Arithmetic : Kind::Sapp;
    }
    // d for heaps of this size.
    Number rise(Number heap) const {
        if (rising.empty()) return saltus;
        return std::ranges::binary_search(rising, heap % period) ? saltus : 0;
    }
};

// The law, and how it is known.
struct ProvenLaw {
    Law law;
    // "formula" (a closed form, whatever the heap), or what proves it from the nimbers of the
    // heaps below `heaps`: "window" (finite subtraction sets), "state" (all-but sets), "octal"
    // (Guy and Smith's theorem).
    std::string_view theorem;
    Number heaps = 0;

    friend bool operator==(const ProvenLaw&, const ProvenLaw&) = default;
};

// How many of the last of `size` values must equal those a period p earlier to prove G(n+p) =
// G(n) for n0 <= n < parts*n0 + (parts-1)*p + reach, n0 >= 1. Only the sum n0 + p counts, so
// this does not depend on p. Returns `size` if too few values are known.
inline std::size_t window_to_prove(std::size_t size, Number parts, Number reach) {
    return reach >= size ? size : size - static_cast<std::size_t>((size - reach) / parts);
}

// How many values such a proof takes.
inline Number heaps_to_prove(const Law& law, Number parts, Number reach) {
    return parts * (std::max<Number>(law.preperiod, 1) + law.period) + reach;
}

// Looks for the least p such that the last `window` of `size` items equal those p places
// earlier. A rolling hash of a window (Karp, Rabin) moves down from the end, and hits are
// compared. O(size) time, no memory.
class Recurrence {
  public:
    Recurrence(std::size_t size, std::size_t window)
        : size_(size), window_(window), begin_(window < size ? size - window : 0) {}

    // Takes up to `steps` steps, a nanosecond or two each; returns true once a period is found
    // or none is left. A further call looks for a longer one. item(i): a 32-bit number.
    template <typename Item>
    bool advance(std::size_t steps, const Item& item) {
        period_ = 0;
        for (; hashed_ < window_ && begin_ > 0; ++hashed_) {
            if (steps-- == 0) return false;
            wanted_ = hash_ = hash_ * kBase + item(size_ - 1 - hashed_);
            if (hashed_ > 0) leading_ *= kBase;
        }
        // In registers: members would be read and written at each step.
        std::uint64_t hash = hash_;
        std::size_t begin = begin_;
        const std::uint64_t wanted = wanted_;
        const std::uint64_t last = leading_ * kBase;
        const std::size_t window = window_;
        const std::size_t end = begin - std::min(steps, begin);
        while (begin > end) {
            --begin;
            // Only one product depends on the previous step.
            if (window > 0) hash = hash * kBase + (item(begin) - last * item(begin + window));
            if (hash == wanted && repeats(begin, item)) {
                period_ = size_ - window_ - begin;
                break;
            }
        }
        hash_ = hash;
        begin_ = begin;
        return period_ > 0 || begin_ == 0;
    }

    // 0: there is none.
    std::size_t period() const { return period_; }

  private:
    static constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15;

    template <typename Item>
    bool repeats(std::size_t begin, const Item& item) const {
        const std::size_t last = size_ - window_;
        for (std::size_t i = 0; i < window_; ++i) {
            if (item(last + i) != item(begin + i)) return false;
        }
        return true;
    }

    std::size_t size_;
    std::size_t window_;
    std::size_t begin_;  // of the latest window
    std::size_t hashed_ = 0;
    std::uint64_t hash_ = 0;
    std::uint64_t wanted_ = 0;
    std::uint64_t leading_ = 1;  // the factor of a window's last item
    std::size_t period_ = 0;
};

std::string_view to_string(Law::Kind kind);  // "periodic", "arithmetic", "sapp"

// The law with the smallest period, and for that the smallest preperiod, that has enough
// evidence: it holds for at least three consecutive periods, so each residue is compared twice,
// and for at least half of the sequence. O(n) time and memory: fingerprints of the sequence
// (Karp, Rabin) exclude periods, and the rest is compared number by number. nullopt: there is
// none.
std::optional<Law> classify(std::span<const Number> values);

// The least preperiod from which the law's period, saltus and residues hold to the end.
template <typename Values>
Number least_preperiod(const Values& values, const Law& law) {
    std::size_t begin = values.size() - std::min<std::size_t>(values.size(), law.period);
    while (begin > 0 &&
           values[begin - 1] + law.rise(begin - 1) == values[begin - 1 + law.period]) {
        --begin;
    }
    return begin;
}

// A heap before the preperiod at which the law, extended backwards, fails.
struct LawException {
    Number heap = 0;
    Number value = 0;       // its nimber
    SignedWide lawful = 0;  // the value of the law, which may be below 0

    friend bool operator==(const LawException&, const LawException&) = default;
};

// In ascending order of heaps. The values must reach to preperiod + period.
std::vector<LawException> exceptions(std::span<const Number> values, const Law& law);

}  // namespace engine
