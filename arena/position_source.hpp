// Where the positions of games come from: a list, a suite, or random heaps of nim.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "arena/suite.hpp"
#include "engine/solver/analyst.hpp"
#include "protocol/position.hpp"

namespace arena {

// Positions by number, from 1: the same whenever one is asked for. Those of a list go round;
// without one, each is random: nim, one to four heaps of 10 to 20, odd numbers won for who
// moves first, even ones lost. Safe to use from several threads.
class PositionSource {
  public:
    // `suite`: from which positions are drawn; nullopt: the list. `analyst` outlives it.
    PositionSource(const std::vector<protocol::Position>& list, std::optional<Suite> suite,
                   std::uint64_t seed, const engine::Analyst& analyst);

    // An error only where the suite has no such position, or the budget is spent before one is
    // found.
    protocol::Result<std::shared_ptr<const protocol::Position>> position(
        std::uint64_t number, const engine::Budget& budget = {}) const;

  private:
    std::vector<std::shared_ptr<const protocol::Position>> list_;
    std::optional<Suite> suite_;
    std::uint64_t seed_;
    const engine::Analyst& analyst_;
};

}  // namespace arena
