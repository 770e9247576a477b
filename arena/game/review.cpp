#include "arena/game/review.hpp"

#include "arena/game/game_analysis.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using engine::Game;

constexpr std::size_t kMaxShown = 200;

}  // namespace

LosingMove describe_throw(const GameRecord& record, std::size_t ply, const std::string& better,
                          const engine::Analyst& analyst, const engine::Budget& budget) {
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
    losing.winning = protocol::printable(better, kMaxShown);
    if (!better.empty()) return losing;
    const auto best = analyst.best_moves(*game, 1, budget);
    if (best && !best->moves.empty()) {
        losing.winning = protocol::printable(to_string(best->moves.front()), kMaxShown);
    }
    return losing;
}

GameReview review_game(const GameRecord& record, const engine::Analyst& analyst,
                       const engine::Budget& budget) {
    const GameAnalysis analysis = analyse_game(record, analyst, budget, Depth::Mistakes);
    GameReview review;
    review.start = analysis.start();
    for (std::size_t seat = 0; seat < 2; ++seat) {
        const std::size_t ply = first_throw(analysis, seat);
        if (ply == 0) continue;
        review.thrown[seat] =
            describe_throw(record, ply, analysis.plies[ply - 1].better, analyst, budget);
    }
    return review;
}

}  // namespace arena
