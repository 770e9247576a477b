#include "arena/schedule.hpp"

#include "arena/seeds.hpp"

namespace arena {

Schedule::Schedule(const MatchOptions& options, const engine::Analyst& analyst)
    : positions_(options.positions, std::nullopt, options.seed, analyst),
      games_(options.games),
      seed_(options.seed) {
    own_seeds_.resize(2);
    for (std::size_t i = 0; i < options.players.size(); ++i) {
        own_seeds_[i] = own_seed(options.players[i]);
    }
}

GameTask Schedule::task(std::uint64_t number) const {
    GameTask task;
    task.game = number;
    task.pair = (number + 1) / 2;
    task.position = *positions_.position(task.pair);  // without a suite there is one
    if (number % 2 == 0) task.players = {1, 0};
    task.seeds = {seed_of(number, 0, task.players[0]), seed_of(number, 1, task.players[1])};
    return task;
}

std::uint64_t Schedule::seed_of(std::uint64_t number, int seat, int player) const {
    const auto& own = own_seeds_[static_cast<std::size_t>(player)];
    return own.value_or(game_seed(seed_, number, static_cast<std::uint64_t>(seat)));
}

}  // namespace arena
