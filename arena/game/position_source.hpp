// The source of start positions: a list, a suite, or random heaps of nim.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "arena/game/seeds.hpp"
#include "arena/game/start_position.hpp"
#include "arena/game/suite.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/position.hpp"

namespace arena {

// Positions by number, from 1; a number always gives the same position. A list repeats. Without
// one, each is random: nim, one to four heaps of 10 to 20; the first mover can win odd numbers
// and loses even ones. Thread-safe.
class PositionSource {
  public:
    // Draws from `suite` if there is one, else from `list`. `analyst` must outlive this object.
    PositionSource(const std::vector<protocol::Position>& list, std::optional<Suite> suite,
                   Seeds seeds, const engine::Analyst& analyst);

    // Fails only if the suite has no such position, or the budget is spent before one is found.
    protocol::Result<StartPosition> position(std::uint64_t number,
                                             const engine::Budget& budget = {}) const;

  private:
    std::vector<StartPosition> list_;
    std::optional<Suite> suite_;
    Seeds seeds_;
    const engine::Analyst& analyst_;
};

}  // namespace arena
