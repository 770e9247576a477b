#include "arena/contest/plan.hpp"

namespace arena {

void GameResult::set_times(const std::vector<Microseconds>& times) {
    for (std::size_t i = 0; i < times.size(); ++i) {
        thought[i % 2] += times[i];
        ++moves[i % 2];
    }
}

GameResult result_of(const GameRecord& record) {
    GameResult result{record.task.key, record.task.players, record.winner, record.reason};
    for (std::size_t seat = 0; seat < 2; ++seat)
        result.strikes[seat] = static_cast<int>(record.strikes[seat].size());
    result.off_turn_cpu = record.off_turn_cpu;
    result.set_times(record.times);
    return result;
}

}  // namespace arena
