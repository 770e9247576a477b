#include "arena/contest/plan.hpp"

#include <algorithm>

namespace arena {

void GameResult::set_times(const std::vector<Microseconds>& times, std::size_t plies) {
    constexpr Microseconds kMost = std::chrono::hours(240);  // a damaged record may have more
    for (std::size_t i = 0; i < std::min(times.size(), plies); ++i) {
        thought[i % 2] = std::min(thought[i % 2] + std::min(times[i], kMost), kMost);
        ++moves[i % 2];
    }
}

GameResult result_of(const GameRecord& record) {
    GameResult result{record.task.key, record.task.players, record.winner, record.reason};
    for (std::size_t seat = 0; seat < 2; ++seat)
        result.strikes[seat] = static_cast<int>(record.strikes[seat].size());
    result.off_turn_cpu = record.off_turn_cpu;
    result.set_times(record.times, record.moves.size());
    return result;
}

}  // namespace arena
