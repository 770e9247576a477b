#include "arena/players/builtin_choice.hpp"

#include "arena/game/decision.hpp"
#include "bots/greedy/greedy_choice.hpp"
#include "bots/random/random_choice.hpp"

namespace arena {
namespace {

using engine::Move;

// Makes a mistake at the player's rate, if one is possible.
std::optional<Move> draw_mistake(double rate, const engine::Game& game,
                                 const engine::Analyst& analyst, std::mt19937_64& random,
                                 const engine::Budget& budget) {
    constexpr engine::Count kSteps = engine::Count{1} << 53;
    const auto drawn = static_cast<double>(engine::uniform_below(random, kSteps));
    if (drawn >= rate * static_cast<double>(kSteps)) return std::nullopt;
    const auto value = analyst.outcome(game, budget);
    return random_mistake(game, value, analyst, random, budget);
}

}  // namespace

std::optional<Move> builtin_choice(const PlayerSpec& spec, const engine::Game& game,
                                   const engine::Analyst& analyst, std::mt19937_64& random,
                                   const engine::Budget& budget) {
    if (spec.builtin == "greedy") return bots::greedy_choice(game);
    if (spec.builtin == "random") return bots::random_choice(game, random);
    if (spec.builtin == "eps") {
        auto mistake = draw_mistake(spec.error_rate, game, analyst, random, budget);
        if (mistake) return mistake;
    }
    return analyst.choose(game, {}, {}, random, budget);
}

}  // namespace arena
