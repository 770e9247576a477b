#include "engine/solver/trap.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include "engine/solver/longest_play.hpp"

namespace engine {
namespace {

using Wide = boost::multiprecision::uint128_t;

// `best` of `all` replies.
struct Share {
    Count best = 0;
    Count all = 1;

    friend bool operator<(const Share& left, const Share& right) {
        return Wide(left.best) * right.all < Wide(right.best) * left.all;
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
    const Heaps heaps(game);
    const Move* best = nullptr;
    Share least;
    std::optional<Loss> least_loss;
    Count equal = 0;
    for (const Move& move : moves) {
        if (budget.is_spent()) break;
        const auto share = share_of_best(game, move, budget);
        if (!share || (best != nullptr && least < *share)) continue;
        auto loss = loss_of(heaps, move, budget);
        if (best != nullptr && !(*share < least)) {
            // As good a trap: the longer play, as far as it is known.
            if (!loss || (least_loss && is_less(*least_loss, *loss))) continue;
            const bool same = least_loss && !is_less(*loss, *least_loss);
            equal = same ? equal + 1 : 1;
            if (same && uniform_below(random, equal) > 0) continue;
        } else {
            equal = 1;
        }
        best = &move;
        least = *share;
        least_loss = std::move(loss);
    }
    return best != nullptr ? *best : moves[uniform_below(random, moves.size())];
}

}  // namespace engine
