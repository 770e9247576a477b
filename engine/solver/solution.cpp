#include "engine/solver/solution.hpp"

#include <algorithm>

#include "engine/rules/nim.hpp"
#include "engine/rules/take.hpp"
#include "engine/solver/followers.hpp"
#include "engine/solver/misere/misere_solution.hpp"
#include "engine/solver/retrograde_solution.hpp"
#include "engine/solver/sum.hpp"

namespace engine {
namespace {

bool can_repeat(const Game& game) {
    for (std::size_t i = 0; i < game.position().components.size(); ++i) {
        if (game.ruleset(i)->can_repeat()) return true;
    }
    return false;
}

// Under misere play: may a heap be wild, or leave several heaps? A tame heap that splits may
// leave firm ones that XOR to 0 or 1, where nimbers alone do not tell fickle from firm.
bool may_be_wild(const Game& game) {
    for (std::size_t i = 0; i < game.position().components.size(); ++i) {
        const Ruleset* rules = game.ruleset(i).get();
        if (dynamic_cast<const Nim*>(rules) == nullptr &&
            dynamic_cast<const Take*>(rules) == nullptr) {
            return true;
        }
    }
    return false;
}

// Half of the time there is.
Budget half_of(const Budget& budget) {
    if (budget.deadline == std::chrono::steady_clock::time_point::max()) return budget;
    return budget.at_most(budget.left() / 2);
}

// Where play can come back: by labels if these are known, else from the ends of play back.
std::unique_ptr<Solution> solve_loops(const Game& game, const Budget& budget, Aim aim) {
    const bool misere = game.position().convention == protocol::Convention::Misere;
    if (!misere) {
        const Sum sum(game, half_of(budget), aim);
        const bool is_enough =
            aim == Aim::Winner ? sum.outcome() != Outcome::Unknown : sum.is_known();
        if (is_enough) return std::make_unique<Sum>(game, budget, aim);
    }
    auto back = std::make_unique<RetrogradeSolution>(game, budget, aim);
    if (misere || back->outcome() != Outcome::Unknown) return back;
    return std::make_unique<Sum>(game, budget, aim);  // which may still know some moves
}

// Few heaps, none of which seems to split: then the sums that play can come to may be gone
// through even where their canonical forms are too many.
bool has_few_sums(const Game& game) {
    constexpr std::size_t kFewHeaps = 4;
    constexpr std::size_t kLooked = 64;         // moves of a heap
    constexpr std::size_t kLookedUnits = 1024;  // of text
    const auto& components = game.position().components;
    if (game.position().heap_count() > kFewHeaps) return false;
    for (std::size_t i = 0; i < components.size(); ++i) {
        for (const Heap& heap : components[i].heaps) {
            const std::size_t looked =
                std::clamp<std::size_t>(kLookedUnits / text_units(heap), 1, kLooked);
            for (const auto& left : game.ruleset(i)->some_followers(heap, looked)) {
                if (left.size() > 1) return false;
            }
        }
    }
    return true;
}

std::unique_ptr<Solution> solve_misere(const Game& game, const Budget& budget, Aim aim) {
    using misere::MisereSolution;
    if (!has_few_sums(game)) return std::make_unique<MisereSolution>(game, budget);
    const bool is_enough = MisereSolution(game, half_of(budget)).outcome() != Outcome::Unknown;
    if (!is_enough) {
        auto back = std::make_unique<RetrogradeSolution>(game, budget, aim);
        if (back->outcome() != Outcome::Unknown) return back;
    }
    return std::make_unique<MisereSolution>(game, budget);
}

}  // namespace

std::size_t text_units(const Heap& heap) {
    if (const auto* tuple = std::get_if<protocol::Tuple>(&heap)) {
        return 1 + tuple->entries.size();
    }
    if (const auto* ordinal = std::get_if<protocol::Ordinal>(&heap)) {
        return 1 + ordinal->terms.size();
    }
    if (const auto* vertex = std::get_if<protocol::Vertex>(&heap)) {
        return 1 + vertex->name.size() / 2;
    }
    return 1;
}

std::size_t text_units(const Move& move) {
    std::size_t units = 1;
    for (const Heap& heap : move.result) units += text_units(heap);
    return units;
}

bool ListFiller::add(Move move) {
    units_ += text_units(move);
    list_.cut = list_.moves.size() == limit_ || units_ > kMaxListUnits;
    if (!list_.cut) list_.moves.push_back(std::move(move));
    return !list_.cut;
}

std::unique_ptr<Solution> solve(const Game& game, const Budget& budget, Aim aim) {
    if (can_repeat(game)) return solve_loops(game, budget, aim);
    if (game.position().convention == protocol::Convention::Misere && may_be_wild(game)) {
        return solve_misere(game, budget, aim);
    }
    return std::make_unique<Sum>(game, budget, aim);
}

bool visit_moves(const Game& game, const Budget& budget,
                 const std::function<bool(const Move&)>& visit) {
    constexpr std::size_t kPollEvery = 64;
    BudgetPoll poll(budget, kPollEvery);
    const auto& components = game.position().components;
    std::size_t number = 0;
    for (std::size_t i = 0; i < components.size(); ++i) {
        for (const Heap& heap : components[i].heaps) {
            ++number;
            const auto followers = find_followers(*game.ruleset(i), heap, budget);
            if (!followers) return false;
            const std::size_t units = text_units(heap);
            for (Count j = 0; j < followers->count; ++j) {
                if (poll.is_spent(units)) return false;
                if (!visit({number, followers->at(j)})) return false;
            }
        }
    }
    return true;
}

std::optional<Count> count_moves(const Game& game, const Budget& budget) {
    Count total = 0;
    const auto& components = game.position().components;
    for (std::size_t i = 0; i < components.size(); ++i) {
        for (const Heap& heap : components[i].heaps) {
            const auto followers = find_followers(*game.ruleset(i), heap, budget);
            if (!followers) return std::nullopt;
            total += std::min(followers->count, kMany - total);
        }
    }
    return total;
}

Outcome best_outcome_after(Outcome outcome) {
    return outcome == Outcome::D ? Outcome::D : Outcome::P;
}

}  // namespace engine
