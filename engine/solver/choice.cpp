#include "engine/solver/choice.hpp"

#include <algorithm>

#include "engine/solver/longest_play.hpp"
#include "engine/solver/move_sample.hpp"
#include "engine/solver/trap.hpp"

namespace engine {
namespace {

const Move& draw(const std::vector<Move>& moves, std::mt19937_64& random) {
    return moves[uniform_below(random, moves.size())];
}

// Drawn from all where the loss of none is known.
Move least_loss(const Game& game, const std::vector<Move>& candidates, std::mt19937_64& random,
                const Budget& budget) {
    const Heaps heaps(game);
    std::vector<const Move*> best;
    Loss least;
    for (const Move& move : candidates) {
        auto loss = loss_of(heaps, move, budget);
        if (!loss || (!best.empty() && is_less(least, *loss))) continue;
        if (!best.empty() && is_less(*loss, least)) best.clear();
        best.push_back(&move);
        least = *std::move(loss);
    }
    if (best.empty()) return draw(candidates, random);
    return *best[uniform_below(random, best.size())];
}

// Of moves that are equally good, lost or drawn.
Move choose_equal(const Game& game, const std::vector<Move>& moves, Losing losing,
                  std::mt19937_64& random, const Budget& budget) {
    if (losing == Losing::Longest) return least_loss(game, moves, random, budget);
    if (losing == Losing::Trap) return best_trap(game, moves, random, budget);
    return draw(moves, random);
}

Move choose_among(const Game& game, const Solution& solution,
                  const std::vector<Move>& candidates, const Style& style,
                  std::mt19937_64& random, const Budget& budget) {
    std::vector<Move> by_outcome[4];
    for (const Move& move : candidates) {
        const Outcome after = solution.outcome_after(move, budget);
        by_outcome[static_cast<std::size_t>(after)].push_back(move);
    }
    const auto with = [&](Outcome after) -> const std::vector<Move>& {
        return by_outcome[static_cast<std::size_t>(after)];
    };
    if (const auto& winning = with(Outcome::P); !winning.empty()) {
        return style.choice == Choice::First ? winning.front() : draw(winning, random);
    }
    if (const auto& drawn = with(Outcome::D); !drawn.empty()) {
        return choose_equal(game, drawn, style.losing, random, budget);
    }
    if (const auto& open = with(Outcome::Unknown); !open.empty()) return draw(open, random);
    return choose_equal(game, candidates, style.losing, random, budget);
}

// Some moves to look at: all where they are few, else some drawn and one that lasts long.
std::vector<Move> moves_to_look_at(const Game& game, std::size_t limit, std::mt19937_64& random,
                                   const Budget& budget) {
    auto moves = sample_moves(game, limit, random, budget);
    if (moves.size() < limit) return moves;
    if (auto move = longest_move(Heaps(game), random, budget)) {
        moves.back() = *std::move(move);
    }
    std::ranges::sort(moves);
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    return moves;
}

// Nobody knows who wins, and time is up: of some moves the one of which the best is known by
// what has been found already.
Move guess(const Game& game, const Solution& solution, std::mt19937_64& random) {
    constexpr std::size_t kLooked = 64;
    constexpr std::size_t kLookedUnits = 8192;  // of text
    constexpr std::chrono::milliseconds kTime{2};
    const Budget over{std::chrono::steady_clock::time_point::min(), {}};
    const Budget little = Budget().at_most(kTime);
    const std::size_t looked =
        std::clamp<std::size_t>(kLookedUnits / longest_heap(game), 1, kLooked);
    auto moves = moves_to_look_at(game, looked, random, little);
    std::ranges::shuffle(moves, random);
    const auto rank = [](Outcome after) {
        if (after == Outcome::P) return 0;
        if (after == Outcome::D) return 1;
        return after == Outcome::Unknown ? 2 : 3;
    };
    const Move* best = &moves.front();
    int best_rank = 4;
    for (const Move& move : moves) {
        const int own = rank(solution.outcome_after(move, over));
        if (own < best_rank) best = &move;
        best_rank = std::min(best_rank, own);
        if (best_rank == 0 || little.is_spent()) break;
    }
    return *best;
}

Move choose_lost(const Game& game, Losing losing, std::mt19937_64& random,
                 const Budget& budget) {
    constexpr std::size_t kLooked = 2000;
    if (losing == Losing::Longest) {
        if (auto move = longest_move(Heaps(game), random, budget)) return *std::move(move);
    }
    if (losing == Losing::Trap) {
        return best_trap(game, moves_to_look_at(game, kLooked, random, budget), random, budget);
    }
    return sample_moves(game, 1, random, budget).front();
}

}  // namespace

std::optional<Move> choose_move(const Game& game, const Solution& solution,
                                const std::vector<Move>& candidates, const Style& style,
                                std::mt19937_64& random, const Budget& budget) {
    if (!candidates.empty()) {
        return choose_among(game, solution, candidates, style, random, budget);
    }
    if (!game.has_move()) return std::nullopt;
    const Outcome outcome = solution.outcome();
    if (outcome == Outcome::P) return choose_lost(game, style.losing, random, budget);
    if (outcome == Outcome::D && style.losing != Losing::Random) {
        constexpr std::size_t kLooked = 2000;
        const auto holding = solution.best_moves(kLooked);
        if (holding && !holding->moves.empty()) {
            return choose_equal(game, holding->moves, style.losing, random, budget);
        }
    }
    if (auto move = solution.best_move(style.choice, random)) return move;
    return guess(game, solution, random);
}

}  // namespace engine
