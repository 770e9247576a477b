#include "engine/sums/solution.hpp"

#include "engine/sums/sum.hpp"

namespace engine {
namespace {

// Under misere play: may a heap be wild, or leave several heaps? A tame heap that splits may
// leave firm ones that XOR to 0 or 1, where nimbers alone do not tell fickle from firm.
bool may_be_wild(const Game& game) {
    for (std::size_t i = 0; i < game.position().components.size(); ++i) {
        if (!shape_as<shape::Subtraction>(*game.ruleset(i))) return true;
    }
    return false;
}

// For play that can come back: by labels if these are known, else from the ends of play back.
std::unique_ptr<Solution> solve_loops(const Game& game, const Budget& budget, Aim aim) {
    if (!game.is_misere()) {
        const Sum sum(game, budget.half(), aim);
        const bool is_enough =
            aim == Aim::Winner ? sum.outcome() != Outcome::Unknown : sum.is_known();
        if (is_enough) return std::make_unique<Sum>(game, budget, aim);
    }
    auto back = solve_backwards(game, budget, aim);
    if (game.is_misere() || back->outcome() != Outcome::Unknown) return back;
    return std::make_unique<Sum>(game, budget, aim);  // which may still know some moves
}

}  // namespace

std::unique_ptr<Solution> solve(const Game& game, const Budget& budget, Aim aim) {
    if (game.can_repeat()) return solve_loops(game, budget, aim);
    if (game.is_misere() && may_be_wild(game)) return solve_misere(game, budget);
    return std::make_unique<Sum>(game, budget, aim);
}

bool JudgedSolution::visit_best(bool all, VisitMoves visit) const {
    constexpr Count kLooked = 10000;  // once one is found
    const bool every = all || (outcome() == Outcome::N && tells_remoteness());
    const Outcome wanted = outcome() == Outcome::D ? Outcome::D : Outcome::P;
    bool known = true;
    bool found = false;
    Count looked = 0;
    const bool ended = visit_moves(game_, budget_, [&](const Move& move) {
        const auto [after, remoteness] = judge_after(move);
        if (after == Outcome::Unknown) known = false;
        if (after == wanted) found = true;
        if (after == wanted && !visit(move, remoteness)) return false;
        return (known || !all) && (every || !found || ++looked < kLooked);
    });
    return known && ended;
}

std::optional<MoveList> JudgedSolution::best_moves(std::size_t limit) const {
    if (outcome() == Outcome::Unknown) return std::nullopt;
    MoveList list;
    if (outcome() == Outcome::P) return list;
    const bool complete = visit_best(
        true, [&](const Move& move, std::uint64_t) { return list.add(move, limit); });
    if (!complete && !list.cut) return std::nullopt;
    return list;
}

std::optional<Count> JudgedSolution::best_move_count() const {
    if (outcome() == Outcome::Unknown) return std::nullopt;
    if (outcome() == Outcome::P) return 0;
    Count count = 0;
    const bool complete =
        visit_best(true, [&](const Move&, std::uint64_t) { return ++count <= most_counted(); });
    return complete && count <= most_counted() ? std::optional(count) : std::nullopt;
}

std::optional<Move> JudgedSolution::best_move(Choice choice, std::mt19937_64& random) const {
    const Outcome own = outcome();
    if (own != Outcome::N && own != Outcome::D) return std::nullopt;
    std::optional<Move> best;
    std::uint64_t least = 0;
    Count equal = 0;
    visit_best(false, [&](const Move& move, std::uint64_t remoteness) {
        if (own == Outcome::D) remoteness = 0;
        if (best && remoteness > least) return true;
        if (!best || remoteness < least) equal = 0;
        ++equal;
        if (equal == 1 || (choice == Choice::Random && uniform_below(random, equal) == 0)) {
            best = move;
        }
        least = remoteness;
        return choice == Choice::Random || (own == Outcome::N && tells_remoteness());
    });
    return best;
}

}  // namespace engine
