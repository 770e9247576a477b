#include "arena/contest/plan.hpp"

namespace arena {

GameResult result_of(const GameRecord& record) {
    GameResult result{record.task.key, record.task.players, record.winner, record.reason};
    for (std::size_t seat = 0; seat < 2; ++seat)
        result.strikes[seat] = static_cast<int>(record.strikes[seat].size());
    result.off_turn_cpu = record.off_turn_cpu;
    return result;
}

}  // namespace arena
