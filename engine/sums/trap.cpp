#include "engine/sums/choice.hpp"

#include "engine/sums/longest_play.hpp"

namespace engine {
namespace {

// `best` of `all` replies.
struct Share {
    Count best = 0;
    Count all = 1;

    friend bool operator<(const Share& left, const Share& right) {
        return Wide{left.best} * right.all < Wide{right.best} * left.all;
    }
};

// nullopt: not known. A move that ends the game leaves no reply that could err.
std::optional<Share> share_of_best(const Game& game, const Move& move, const Budget& budget) {
    Game next = game;
    next.play(move);
    if (!next.has_move()) return Share{1, 1};
    const auto count = solve(next, budget, Aim::Values)->best_move_count();
    if (!count) return std::nullopt;
    const auto replies = count_moves(next, budget);
    if (!replies) return std::nullopt;
    return Share{*count, *replies};
}

}  // namespace

Move best_trap(const Game& game, const std::vector<Move>& moves, std::mt19937_64& random,
               const Budget& budget) {
    LookAhead ahead(game, budget);
    const Move* best = nullptr;
    Share least;
    LookAhead::Loss least_loss;
    Count equal = 0;
    for (const Move& move : moves) {
        if (budget.is_spent()) break;
        const auto share = share_of_best(game, move, budget);
        if (!share || (best != nullptr && least < *share)) continue;
        const auto loss = ahead.loss(move);
        const bool as_good = best != nullptr && !(*share < least);
        if (as_good && least_loss < loss) continue;  // the longer play
        equal = as_good && loss == least_loss ? equal + 1 : 1;
        if (equal > 1 && uniform_below(random, equal) > 0) continue;
        best = &move;
        least = *share;
        least_loss = loss;
    }
    return best != nullptr ? *best : moves[uniform_below(random, moves.size())];
}

}  // namespace engine
