// Values of impartial games under normal play, and their sum.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/heap.hpp"

namespace engine {

// "inf{0,2}": the value of a game that may never end, with no finite nimber; next to it, a
// player can still reach the nimbers listed (Smith 1966; Winning Ways, chapter 12).
struct Loopy {
    std::vector<std::uint64_t> values;                 // ascending
    std::vector<protocol::Ordinal::Term> transfinite;  // from w on, added to each of `values`

    friend auto operator<=>(const Loopy&, const Loopy&) = default;
};

// The value of a heap or a sum: finite, an ordinal from w on, or loopy. The first two are
// ordered as ordinals.
using Nimber = std::variant<std::uint64_t, protocol::Ordinal, Loopy>;

inline Nimber finite(std::uint64_t value) { return value; }

inline bool is_zero(const Nimber& value) {
    const auto* finite = std::get_if<std::uint64_t>(&value);
    return finite != nullptr && *finite == 0;
}

inline bool is_loopy(const Nimber& value) { return std::holds_alternative<Loopy>(value); }

// Of w^exponent; 0 for a loopy value.
std::uint64_t coefficient(const Nimber& nimber, protocol::Number exponent);

// "3"; an ordinal as in positions, "(w^2+3)"; a loopy value, "inf{0,2}".
std::string to_string(const Nimber& value);

// Adds values: XOR of the coefficients of each power of w, each in the time of its own terms.
// One loopy value lists its values with the sum of the others added; two loopy values give
// inf{} (Smith's addition).
class NimSum {
  public:
    void add(const Nimber& value);
    Nimber value() const;

  private:
    void add_transfinite(const protocol::Ordinal::Term& term);

    std::uint64_t finite_ = 0;
    std::map<protocol::Number, protocol::Number, std::greater<>> infinite_;  // by exponent
    std::optional<std::vector<std::uint64_t>> loopy_;                        // what is listed
};

Nimber nim_sum(const Nimber& left, const Nimber& right);

}  // namespace engine
