// octal{CODE} and hex{CODE}: take-and-break games of Guy and Smith (1956). Digit number j tells
// what may be left after j are taken: bit i of it, that i non-empty heaps are left.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/base/wide.hpp"
#include "engine/rules/ruleset.hpp"
#include "protocol/scanner.hpp"

namespace engine {

// "0.77": digits 0, 7, 7, the one before the point first. "0.3[17]": digits 0, 3, 1, 7, and the
// last two repeat for ever. Trailing zeros are dropped; so the last digit is not 0, except
// where it repeats or is the one before the point ("4.0").
class OctalCode {
  public:
    // Not all digits 0; the first one has none of the bits 1 and 2. The last `repeated` ones,
    // all after the first, repeat for ever.
    explicit OctalCode(std::vector<std::uint8_t> digits, std::size_t repeated = 0);

    const std::vector<std::uint8_t>& digits() const { return digits_; }
    std::size_t repeated() const { return repeated_; }
    // The digit for `taken`; beyond the last one 0, or one of those that repeat.
    unsigned digit(Number taken) const {
        if (taken < digits_.size()) return digits_[static_cast<std::size_t>(taken)];
        if (repeated_ == 0) return 0;
        const auto place = static_cast<std::size_t>((taken - digits_.size()) % repeated_);
        return digits_[digits_.size() - repeated_ + place];
    }

    friend bool operator==(const OctalCode&, const OctalCode&) = default;

  private:
    std::vector<std::uint8_t> digits_;
    std::size_t repeated_;
};

// Reads a CODE up to the '}' after it, with digits up to 7 (octal) or F (hex).
enum class CodeBase { Octal, Hex };
Result<OctalCode> read_octal_code(protocol::Scanner& scanner, CodeBase base);

// Heaps are counted and numbered in O(log digits), so that moves of long codes can be listed.
class Octal : public Ruleset {
  public:
    // With `unequal` two heaps that are left must differ; then no three may be left.
    explicit Octal(OctalCode code, bool unequal = false);

    const OctalCode& code() const { return code_; }
    Shape shape() const override {
        return shape::TakeAndBreak{code_.digits(), unequal_, code_.repeated()};
    }

    Result<void> check_heap(const Heap& heap) const override;
    bool has_move(const Heap& heap) const override;
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override;
    Count follower_count(const Heap& heap) const override;
    std::vector<Heap> follower(const Heap& heap, Count index) const override;
    std::size_t bytes() const override;

  private:
    // The places (numbers taken) whose digit lets a given number of heaps be left, ascending,
    // and sums over those before each place, which turn sums over places into formulas.
    struct Places {
        struct Sums {
            std::uint64_t places = 0;
            std::uint64_t squares = 0;
            std::array<std::uint32_t, 6> by_residue{};  // how many places are 0..5 modulo 6
        };
        std::vector<std::uint32_t> taken;
        std::vector<Sums> before;  // only where two or three are left; one more than places
    };

    // The places from `begin` to `end`, not included, where `heaps` heaps may be left.
    Places places_between(std::size_t heaps, std::size_t begin, std::size_t end) const;
    // The ways to leave `heaps` heaps (1 to 3) of `size`, by the first `places` places of
    // those: of a list of places, of whole cycles of a list, and of all.
    Wide ways_by(const Places& all, std::size_t heaps, Number size, std::size_t places) const;
    Wide ways_in_cycles(std::size_t heaps, Number size, Number cycles) const;
    Wide ways(std::size_t heaps, Number size, Number places) const;
    // How many places can leave that many heaps of this size, and the one with an index.
    Number usable_places(std::size_t heaps, Number size) const;
    Number place(std::size_t heaps, Number index) const;

    // The smallest size that can be left as so many heaps.
    Number least(std::size_t heaps) const { return unequal_ && heaps == 2 ? 3 : heaps; }

    OctalCode code_;
    bool unequal_;
    std::array<Places, 4> leaving_;  // [i]: the places that leave i heaps, from 1 on
    // Where digits repeat, leaving_ ends before them. Here are those of one cycle, whose length
    // is a multiple of 6: what is left has the same residue modulo 6 in each cycle.
    std::array<Places, 4> repeating_;
    Number cycle_ = 0;
};

}  // namespace engine
