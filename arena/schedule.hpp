// Which games a match consists of. Games are made when they are asked for, so that a match of
// millions takes no more memory than its positions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "arena/game_record.hpp"
#include "arena/match_options.hpp"
#include "arena/position_source.hpp"
#include "engine/solver/analyst.hpp"

namespace arena {

// Games 2k-1 and 2k are pair k: position k of the source with the seats swapped. A player that
// was given an option.Seed gets that for every game. Safe to use from several threads.
// `analyst` outlives it.
class Schedule {
  public:
    Schedule(const MatchOptions& options, const engine::Analyst& analyst);

    std::uint64_t size() const { return games_; }
    // Game `number`, from 1: always the same, whenever it is asked for.
    GameTask task(std::uint64_t number) const;

  private:
    std::uint64_t seed_of(std::uint64_t number, int seat, int player) const;

    PositionSource positions_;
    std::uint64_t games_;
    std::uint64_t seed_;
    std::vector<std::optional<std::uint64_t>> own_seeds_;  // by player
};

}  // namespace arena
