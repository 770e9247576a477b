#include "engine/sums/choice.hpp"

#include <algorithm>

#include "engine/rules/moves.hpp"
#include "engine/sums/longest_play.hpp"
#include "engine/sums/sum.hpp"

namespace engine {
namespace {

const Move& draw(const std::vector<Move>& moves, std::mt19937_64& random) {
    return moves[uniform_below(random, moves.size())];
}

// One of several moves that all lose, or all draw.
Move choose_equal(const Game& game, const std::vector<Move>& moves, Losing losing,
                  std::mt19937_64& random, const Budget& budget) {
    if (losing == Losing::Longest) return longest_move(game, moves, random, budget);
    if (losing == Losing::Trap) return best_trap(game, moves, random, budget);
    return draw(moves, random);
}

// The outcome for the player who made a move, from the outcome for the opponent, who is to
// move.
Outcome kept_by(Outcome after) {
    if (after == Outcome::P) return Outcome::N;
    return after == Outcome::N ? Outcome::P : after;
}

ChosenMove choose_among(const Game& game, const Solution& solution,
                        const std::vector<Move>& candidates, const Style& style,
                        std::mt19937_64& random, const Budget& budget) {
    std::vector<Move> by_outcome[4];
    for (const Move& move : candidates) {
        const Outcome keeps = kept_by(solution.outcome_after(move, budget));
        by_outcome[static_cast<std::size_t>(keeps)].push_back(move);
    }
    const auto with = [&](Outcome keeps) -> const std::vector<Move>& {
        return by_outcome[static_cast<std::size_t>(keeps)];
    };
    if (const auto& winning = with(Outcome::N); !winning.empty()) {
        const bool first = style.choice == Choice::First;
        return {first ? winning.front() : draw(winning, random), Outcome::N};
    }
    if (const auto& drawn = with(Outcome::D); !drawn.empty()) {
        return {choose_equal(game, drawn, style.losing, random, budget), Outcome::D};
    }
    if (const auto& open = with(Outcome::Unknown); !open.empty()) return {draw(open, random)};
    return {choose_equal(game, candidates, style.losing, random, budget), Outcome::P};
}

// Some moves to look at, in any order: all if they are few; else a random sample, preceded by
// the first and the last move of some heaps, which in most rulesets take least.
std::vector<Move> moves_to_look_at(const Game& game, std::size_t limit, std::mt19937_64& random,
                                   const Budget& budget) {
    constexpr std::size_t kHeaps = 16;
    auto drawn = sample_moves(game, limit, random, budget);
    std::ranges::shuffle(drawn, random);
    if (drawn.size() < limit) return drawn;
    std::vector<Move> moves;
    const Heaps heaps(game);
    for (std::size_t i = 0; i < kHeaps && !budget.is_spent(); ++i) {
        const std::size_t place = uniform_below(random, heaps.size());
        const auto& [solver, rules, heap] = heaps[place];
        const auto followers = find_followers(*rules, *heap, budget);
        if (!followers || followers->count == 0) continue;
        moves.push_back({place + 1, followers->at(0)});
        moves.push_back({place + 1, followers->at(followers->count - 1)});
    }
    moves.insert(moves.end(), drawn.begin(), drawn.end());
    return moves;
}

// No best move was found: the best of some moves as far as their outcomes are
// known already. The search that proved a win has met a winning move as a rule, so that it is
// found here. In a won position a move of unknown outcome is preferred to one that draws.
ChosenMove best_known(const Game& game, const Solution& solution, std::mt19937_64& random,
                      const Budget& budget) {
    constexpr std::size_t kLooked = 2000;
    constexpr std::size_t kLookedUnits = 8192;  // of text
    constexpr std::chrono::milliseconds kTime{2};
    const Budget over = Budget::spent();
    const Budget little = budget.is_spent() ? Budget().at_most(kTime) : budget;
    const std::size_t looked =
        std::clamp<std::size_t>(kLookedUnits / longest_heap(game), 1, kLooked);
    const auto moves = moves_to_look_at(game, looked, random, little);
    const bool won = solution.outcome() == Outcome::N;
    const auto rank = [won](Outcome keeps) {
        if (keeps == Outcome::N) return 0;
        if (keeps == Outcome::P) return 3;
        return (keeps == Outcome::D) == won ? 2 : 1;
    };
    ChosenMove best{moves.front()};
    int best_rank = 4;
    for (const Move& move : moves) {
        const Outcome keeps = kept_by(solution.outcome_after(move, over));
        if (rank(keeps) < best_rank) best = {move, keeps};
        best_rank = std::min(best_rank, rank(keeps));
        if (best_rank == 0 || little.is_spent()) break;
    }
    return best;
}

Move choose_lost(const Game& game, Losing losing, std::mt19937_64& random,
                 const Budget& budget) {
    constexpr std::size_t kLooked = 2000;
    if (losing == Losing::Random) return sample_moves(game, 1, random, budget).front();
    const auto moves = moves_to_look_at(game, kLooked, random, budget);
    return choose_equal(game, moves, losing, random, budget);
}

}  // namespace

std::optional<ChosenMove> choose_move(const Game& game, const Solution& solution,
                                      const std::vector<Move>& candidates, const Style& style,
                                      std::mt19937_64& random, const Budget& budget) {
    if (!candidates.empty()) {
        return choose_among(game, solution, candidates, style, random, budget);
    }
    if (!game.has_move()) return std::nullopt;
    const Outcome outcome = solution.outcome();
    if (outcome == Outcome::P) {
        return ChosenMove{choose_lost(game, style.losing, random, budget), outcome};
    }
    if (outcome == Outcome::D && style.losing != Losing::Random) {
        constexpr std::size_t kLooked = 2000;
        const auto holding = solution.best_moves(kLooked);
        if (holding && !holding->moves.empty()) {
            return ChosenMove{choose_equal(game, holding->moves, style.losing, random, budget),
                              outcome};
        }
    }
    if (auto move = solution.best_move(style.choice, random)) {
        return ChosenMove{*std::move(move), outcome};
    }
    return best_known(game, solution, random, budget);
}

bool is_quick(const Game& game) {
    // Sets have few intervals, as the length of their text shows.
    constexpr std::size_t kLittleWork = 20000;
    std::size_t work = 0;
    for (const protocol::Component& component : game.position().components)
        work += component.heaps.size() * component.ruleset.text.size();
    return work <= kLittleWork && Sum(game, Budget::spent()).is_quick();
}

}  // namespace engine
