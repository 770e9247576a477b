// Where the positions of games come from: a list, a suite, or random heaps of nim.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/solver/analyst.hpp"
#include "protocol/position.hpp"

namespace arena {

// Positions by number, from 1: the same whenever one is asked for. Those of a list go round;
// without one, each is random: nim, one to four heaps of 10 to 20, odd numbers won for who
// moves first, even ones lost. Safe to use from several threads.
class PositionSource {
  public:
    // `analyst` outlives it.
    PositionSource(const std::vector<protocol::Position>& list, std::uint64_t seed,
                   const engine::Analyst& analyst);

    std::shared_ptr<const protocol::Position> position(std::uint64_t number) const;

  private:
    std::vector<std::shared_ptr<const protocol::Position>> list_;
    std::uint64_t seed_;
    const engine::Analyst& analyst_;
};

}  // namespace arena
