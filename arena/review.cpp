#include "arena/review.hpp"

#include "protocol/text.hpp"

namespace arena {
namespace {

using engine::Game;
using engine::Outcome;

constexpr std::size_t kMaxShown = 200;

// Plays a move of the record, which is legal there.
void replay(Game& game, const std::string& text) {
    const auto move = protocol::parse_move(text, game.position());
    if (move) game.play(*move);
}

// `before`: for who moves; `after`: for who moves next.
bool gives_win_away(Outcome before, Outcome after) {
    return before == Outcome::N && (after == Outcome::N || after == Outcome::D);
}

LosingMove describe(Game game, const std::vector<std::string>& moves, std::size_t ply,
                    const engine::Analyst& analyst, const engine::Budget& budget) {
    for (std::size_t i = 0; i + 1 < ply; ++i) replay(game, moves[i]);
    LosingMove losing;
    losing.ply = ply;
    losing.position = protocol::printable(protocol::to_string(game.position()), kMaxShown);
    losing.move = protocol::printable(moves[ply - 1], kMaxShown);
    const auto best = analyst.best_moves(game, 1, budget);
    if (best && !best->moves.empty()) {
        losing.winning = protocol::printable(to_string(best->moves.front()), kMaxShown);
    }
    return losing;
}

}  // namespace

GameReview review_game(const GameRecord& record, const engine::Analyst& analyst,
                       const engine::Budget& budget) {
    GameReview review;
    const auto start = Game::start(*record.task.position);
    if (!start) return review;

    Game game = *start;
    std::array<std::size_t, 2> thrown_at{};  // 0: nowhere
    Outcome before = review.start = analyst.outcome(game, budget);
    for (std::size_t ply = 1; ply <= record.moves.size(); ++ply) {
        std::size_t& first = thrown_at[static_cast<std::size_t>(game.player() - 1)];
        replay(game, record.moves[ply - 1]);
        const Outcome after = analyst.outcome(game, budget);
        if (first == 0 && gives_win_away(before, after)) first = ply;
        before = after;
    }
    for (std::size_t seat = 0; seat < 2; ++seat) {
        if (thrown_at[seat] == 0) continue;
        review.thrown[seat] = describe(*start, record.moves, thrown_at[seat], analyst, budget);
    }
    return review;
}

}  // namespace arena
