// Values of impartial games under normal play, and their sum.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>

#include "protocol/heap.hpp"

namespace engine {

// A nimber of a sum: finite, or an ordinal from w on. Loopy values join when loopy rulesets do.
// Ordered as ordinals.
using Nimber = std::variant<std::uint64_t, protocol::Ordinal>;

inline Nimber finite(std::uint64_t value) { return value; }

inline bool is_zero(const Nimber& value) {
    const auto* finite = std::get_if<std::uint64_t>(&value);
    return finite != nullptr && *finite == 0;
}

// "3", or an ordinal as in positions: "(w^2+3)".
std::string to_string(const Nimber& value);

// Adds nimbers up: XOR of the coefficients of each power of w, each in the time of its own
// terms.
class NimSum {
  public:
    void add(const Nimber& value);
    Nimber value() const;

  private:
    std::uint64_t finite_ = 0;
    std::map<protocol::Number, protocol::Number, std::greater<>> infinite_;  // by exponent
};

Nimber nim_sum(const Nimber& left, const Nimber& right);

}  // namespace engine
