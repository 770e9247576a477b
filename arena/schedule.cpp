#include "arena/schedule.hpp"

#include <random>
#include <utility>

#include "arena/seeds.hpp"

namespace arena {
namespace {

using protocol::Position;

// One to four heaps of 10 to 20.
Position draw_heaps(std::mt19937_64& random) {
    protocol::Component component;
    const engine::Count heaps = 1 + engine::uniform_below(random, 4);
    for (engine::Count i = 0; i < heaps; ++i) {
        component.heaps.emplace_back(10 + engine::uniform_below(random, 11));
    }
    return Position{{std::move(component)}, protocol::Convention::Normal};
}

// One in twenty is lost for who moves first, so that some draws are needed; a thousand are
// enough for all but one position in 10^20.
Position draw_position(std::uint64_t seed, engine::Outcome wanted,
                       const engine::Analyst& analyst) {
    constexpr int kMaxDraws = 1000;
    std::mt19937_64 random(seed);
    Position position = draw_heaps(random);
    for (int i = 1; i < kMaxDraws; ++i) {
        const auto game = engine::Game::start(position);
        if (game && analyst.outcome(*game, {}) == wanted) break;
        position = draw_heaps(random);
    }
    return position;
}

}  // namespace

Schedule::Schedule(const MatchOptions& options, const engine::Analyst& analyst)
    : games_(options.games), seed_(options.seed), analyst_(analyst) {
    for (const Position& position : options.positions) {
        positions_.push_back(std::make_shared<const Position>(position));
    }
    own_seeds_.resize(2);
    for (std::size_t i = 0; i < options.players.size(); ++i) {
        for (const auto& [name, value] : options.players[i].options) {
            const auto seed = protocol::parse_number(value);
            if (name == "Seed" && seed) own_seeds_[i] = *seed;
        }
    }
}

GameTask Schedule::task(std::uint64_t number) const {
    GameTask task;
    task.game = number;
    task.pair = (number + 1) / 2;
    task.position = position_of(task.pair);
    if (number % 2 == 0) task.players = {1, 0};
    task.seeds = {seed_of(number, 0, task.players[0]), seed_of(number, 1, task.players[1])};
    return task;
}

std::uint64_t Schedule::seed_of(std::uint64_t number, int seat, int player) const {
    const auto& own = own_seeds_[static_cast<std::size_t>(player)];
    return own.value_or(game_seed(seed_, number, static_cast<std::uint64_t>(seat)));
}

std::shared_ptr<const Position> Schedule::position_of(std::uint64_t pair) const {
    if (!positions_.empty()) return positions_[(pair - 1) % positions_.size()];
    const auto wanted = pair % 2 == 1 ? engine::Outcome::N : engine::Outcome::P;
    return std::make_shared<const Position>(
        draw_position(position_seed(seed_, pair), wanted, analyst_));
}

}  // namespace arena
