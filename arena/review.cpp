#include "arena/review.hpp"

#include "arena/statistics/game_analysis.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using engine::Game;
using engine::Outcome;

constexpr std::size_t kMaxShown = 200;

LosingMove describe(const GameRecord& record, std::size_t ply, const engine::Analyst& analyst,
                    const engine::Budget& budget) {
    LosingMove losing;
    losing.ply = ply;
    losing.move = protocol::printable(record.moves[ply - 1], kMaxShown);
    auto game = Game::start(*record.task.position);
    for (std::size_t i = 0; game && i + 1 < ply; ++i) {
        // A move of the record, which is legal there.
        const auto move = protocol::parse_move(record.moves[i], game->position());
        if (move) game->play(*move);
    }
    if (!game) return losing;
    losing.position = protocol::printable(protocol::to_string(game->position()), kMaxShown);
    const auto best = analyst.best_moves(*game, 1, budget);
    if (best && !best->moves.empty()) {
        losing.winning = protocol::printable(to_string(best->moves.front()), kMaxShown);
    }
    return losing;
}

}  // namespace

GameReview review_game(const GameRecord& record, const engine::Analyst& analyst,
                       const engine::Budget& budget) {
    const GameAnalysis analysis = analyse_game(record, analyst, budget, Depth::Mistakes);
    GameReview review;
    review.start = analysis.start();
    for (std::size_t ply = 1; ply <= analysis.plies.size(); ++ply) {
        const PlyAnalysis& here = analysis.plies[ply - 1];
        if (here.before != Outcome::N || here.mistake != Finding::Yes) continue;
        auto& thrown = review.thrown[(ply - 1) % 2];
        if (!thrown) thrown = describe(record, ply, analyst, budget);
    }
    return review;
}

}  // namespace arena
