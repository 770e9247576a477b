#include "bots/random/random_choice.hpp"

namespace bots {

std::optional<protocol::Move> random_choice(const engine::Game& game, std::mt19937_64& random) {
    if (!game.has_move()) return std::nullopt;
    return game.random_move(random);
}

std::optional<protocol::Move> random_choice(const std::vector<protocol::Move>& candidates,
                                            std::mt19937_64& random) {
    if (candidates.empty()) return std::nullopt;
    return candidates[engine::uniform_below(random, candidates.size())];
}

}  // namespace bots
