// The players that a worker keeps running between games. Belongs to the thread of its worker.
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "arena/io.hpp"
#include "arena/player.hpp"
#include "arena/player_spec.hpp"

namespace arena {

class PlayerPool {
  public:
    // `processes`: so many players, at a table or idle, are kept at the most, if not more play.
    PlayerPool(const std::vector<PlayerSpec>& specs, const PlayerContext& context,
               int processes);

    // Player `number` of the tournament: the one that was idle the shortest, or a new one.
    Awaitable<std::unique_ptr<Player>> take(int number);
    // Puts it aside. Where there are too many, those idle the longest are let go; so is, at
    // once, one of which only so many may run.
    Awaitable<void> give_back(int number, std::unique_ptr<Player> player);
    // Takes leave of all that are idle.
    Awaitable<void> quit();

  private:
    struct Idle {
        int number;
        std::unique_ptr<Player> player;
    };
    Awaitable<void> let_go_down_to(int most);

    const std::vector<PlayerSpec>& specs_;
    const PlayerContext& context_;
    int processes_;
    int playing_ = 0;
    std::list<Idle> idle_;  // the one idle the longest first
};

}  // namespace arena
