#include "arena/game/decision.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace arena {
namespace {

using engine::Analyst;
using engine::Budget;
using engine::Game;
using engine::Move;
using engine::Outcome;

constexpr std::size_t kMaxListed = 10000;
constexpr int kMaxTries = 1000;

Finding gives_away(Game& game, const Move& move, Outcome before, const Analyst& analyst,
                   const Budget& budget) {
    auto played = game.play(move);
    const Outcome after =
        game.check_limits() ? analyst.outcome(game, budget) : Outcome::Unknown;
    game.take_back(std::move(played));
    return is_mistake(before, after);
}

// The legal moves that do not keep the value; nullopt if either list is not completely known.
std::optional<std::vector<Move>> mistakes(const Game& game, const Analyst& analyst,
                                          const Budget& budget) {
    if (game.move_count() > kMaxListed) return std::nullopt;
    auto keeping = keeping_moves(game, analyst, budget);
    if (!keeping) return std::nullopt;
    std::ranges::sort(*keeping);
    std::vector<Move> rest = game.moves(kMaxListed);
    std::erase_if(rest,
                  [&](const Move& move) { return std::ranges::binary_search(*keeping, move); });
    return rest;
}

}  // namespace

Finding is_mistake(Outcome before, Outcome after) {
    if (before == Outcome::P) return Finding::No;
    if (before == Outcome::Unknown || after == Outcome::Unknown) return Finding::Unknown;
    const bool kept = after == Outcome::P || (before == Outcome::D && after == Outcome::D);
    return kept ? Finding::No : Finding::Yes;
}

std::optional<std::vector<Move>> keeping_moves(const Game& game, const Analyst& analyst,
                                               const Budget& budget) {
    auto keeping = analyst.best_moves(game, kMaxListed, budget);
    if (!keeping || keeping->cut || keeping->moves.empty()) return std::nullopt;
    return std::move(keeping->moves);
}

std::optional<Move> random_mistake(const Game& game, Outcome before, const Analyst& analyst,
                                   std::mt19937_64& random, const Budget& budget) {
    if (before == Outcome::P || before == Outcome::Unknown) return std::nullopt;
    if (const auto found = mistakes(game, analyst, budget)) {
        if (found->empty()) return std::nullopt;
        return (*found)[engine::uniform_below(random, found->size())];
    }
    Game trial = game;
    for (int tries = 0; tries < kMaxTries && !budget.is_spent(); ++tries) {
        Move move = game.random_move(random);
        if (gives_away(trial, move, before, analyst, budget) == Finding::Yes) return move;
    }
    return std::nullopt;
}

}  // namespace arena
