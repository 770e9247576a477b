// octal{CODE} and hex{CODE}: take-and-break games of Guy and Smith (1956). Digit number j tells
// what may be left behind once j are taken: bit i of it, that i non-empty heaps are left.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/rules/ruleset.hpp"
#include "protocol/scanner.hpp"

namespace engine {

// "0.77": digits 0, 7, 7, the one before the point first. Trailing zeros are dropped; so the
// last digit is not 0, save where the one before the point stands alone ("4.0").
class OctalCode {
  public:
    // Not all digits 0; the first one has none of the bits 1 and 2.
    explicit OctalCode(std::vector<std::uint8_t> digits);

    const std::vector<std::uint8_t>& digits() const { return digits_; }
    // The digit for `taken`; 0 beyond the last digit.
    unsigned digit(Number taken) const {
        return taken < digits_.size() ? digits_[static_cast<std::size_t>(taken)] : 0;
    }
    // The most that one move takes.
    Number last() const { return digits_.size() - 1; }

    friend bool operator==(const OctalCode&, const OctalCode&) = default;

  private:
    std::vector<std::uint8_t> digits_;
};

// Reads a CODE up to the '}' after it, with digits up to 7 (octal) or F (hex).
enum class CodeBase { Octal, Hex };
Result<OctalCode> read_octal_code(protocol::Scanner& scanner, CodeBase base);

// Heaps are counted and numbered in O(log digits), so that moves of long codes can be listed.
class Octal : public Ruleset {
  public:
    explicit Octal(OctalCode code);

    const OctalCode& code() const { return code_; }
    Shape shape() const override { return shape::TakeAndBreak{code_.digits()}; }

    Result<void> check_heap(const Heap& heap) const override;
    bool has_move(const Heap& heap) const override;
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override;
    Count follower_count(const Heap& heap) const override;
    std::vector<Heap> follower(const Heap& heap, Count index) const override;
    std::size_t bytes() const override;

  private:
    // Wide enough to add up the ways to split what is left behind all places.
    __extension__ using Wide = unsigned __int128;

    // The places (numbers taken) whose digit lets so many heaps be left, ascending, and sums
    // over those before each place, which turn sums over places into formulas.
    struct Places {
        struct Sums {
            std::uint64_t places = 0;
            std::uint64_t squares = 0;
            std::array<std::uint32_t, 6> by_residue{};  // how many places are 0..5 modulo 6
        };
        std::vector<std::uint32_t> taken;
        std::vector<Sums> before;  // only where two or three are left; one more than places
    };

    // The ways to leave `heaps` heaps (1 to 3) of `size`, by the first `places` places of
    // those.
    Wide ways(std::size_t heaps, Number size, std::size_t places) const;
    // How many places can leave so many heaps.
    std::size_t usable_places(std::size_t heaps, Number size) const;

    OctalCode code_;
    std::array<Places, 4> leaving_;  // [i]: the places that leave i heaps, from 1 on
};

}  // namespace engine
