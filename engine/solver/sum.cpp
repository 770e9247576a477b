#include "engine/solver/sum.hpp"

#include <algorithm>
#include <bit>

namespace engine {

using protocol::Ordinal;

namespace {

// Under misere play the others are fickle: 0 and 1 change places.
bool is_firm(const Nimber& nimber) { return nimber > finite(1); }

const Ordinal::Term* find_term(const Nimber& nimber, Number exponent) {
    const auto* ordinal = std::get_if<Ordinal>(&nimber);
    if (ordinal == nullptr) return nullptr;
    const auto found = std::ranges::lower_bound(ordinal->terms, exponent, std::greater<>(),
                                                &Ordinal::Term::exponent);
    return found != ordinal->terms.end() && found->exponent == exponent ? &*found : nullptr;
}

}  // namespace

Sum::Sum(const Game& game, const Budget& budget)
    : misere_(game.position().convention == protocol::Convention::Misere), budget_(budget) {
    const auto& components = game.position().components;
    parts_.reserve(game.position().heap_count());
    NimSum total;
    for (std::size_t i = 0; i < components.size(); ++i) {
        const bool same = i > 0 && game.ruleset(i) == game.ruleset(i - 1);
        if (!same) solvers_.push_back(find_solver(components[i].ruleset, game.ruleset(i)));
        const HeapSolver& solver = *solvers_.back();
        for (const Heap& heap : components[i].heaps) {
            parts_.push_back({&solver, &heap, solver.nimber(heap, budget)});
            const auto& nimber = parts_.back().nimber;
            if (!nimber) {
                unknown_.push_back(parts_.size() - 1);
                continue;
            }
            total.add(*nimber);
            if (is_firm(*nimber)) ++firm_count_;
        }
    }
    total_ = total.value();
}

Outcome Sum::outcome() const {
    if (unknown_.empty()) {
        const Nimber lost = misere_ && firm_count_ == 0 ? finite(1) : finite(0);
        return total_ == lost ? Outcome::P : Outcome::N;
    }
    if (std::holds_alternative<Ordinal>(total_)) return Outcome::N;
    return winning_count(unknown_.front()) > 0 ? Outcome::N : Outcome::Unknown;
}

std::optional<Nimber> Sum::nimber() const {
    if (misere_ || !is_known()) return std::nullopt;
    return total_;
}

bool Sum::is_decidable(std::size_t part) const {
    return unknown_.empty() || (unknown_.size() == 1 && unknown_.front() == part);
}

bool Sum::others_are_fickle(std::size_t part) const {
    const auto& own = parts_[part].nimber;
    return firm_count_ == (own && is_firm(*own) ? 1 : 0);
}

Nimber Sum::target(std::size_t part) const {
    const Nimber others = nim_sum(total_, parts_[part].nimber.value_or(finite(0)));
    return misere_ && others_are_fickle(part) ? nim_sum(others, finite(1)) : others;
}

// With a transfinite total only nim heaps can win, and only those that have the top bit of the
// total's leading coefficient: their target is smaller than they are.
bool Sum::holds_leading_bit(std::size_t part) const {
    const Ordinal::Term& leading = std::get<Ordinal>(total_).terms.front();
    const auto& own = parts_[part].nimber;
    const auto* term = own ? find_term(*own, leading.exponent) : nullptr;
    return term != nullptr && (term->coefficient & std::bit_floor(leading.coefficient)) != 0;
}

Count Sum::winning_count(std::size_t part) const {
    if (!is_decidable(part)) return 0;
    if (std::holds_alternative<Ordinal>(total_)) return holds_leading_bit(part) ? 1 : 0;
    return parts_[part]
        .solver->count_followers(*parts_[part].heap, target(part), budget_)
        .count;
}

bool Sum::surely_wins(std::size_t part) const {
    if (!is_decidable(part) || !parts_[part].nimber) return false;
    if (std::holds_alternative<Ordinal>(total_)) return holds_leading_bit(part);
    return target(part) < *parts_[part].nimber;
}

Move Sum::winning_move(std::size_t part, Count index) const {
    const Part& chosen = parts_[part];
    return {part + 1, chosen.solver->follower(*chosen.heap, target(part), index, budget_)};
}

std::vector<Move> Sum::winning_moves(std::size_t part, std::size_t limit) const {
    std::vector<Move> moves;
    if (winning_count(part) == 0) return moves;
    const Part& chosen = parts_[part];
    for (auto& result :
         chosen.solver->list_followers(*chosen.heap, target(part), limit, budget_)) {
        moves.push_back({part + 1, std::move(result)});
    }
    return moves;
}

bool Sum::is_winning(const Move& move, const Budget& budget) const {
    const std::size_t part = move.heap - 1;
    if (!is_decidable(part)) return false;
    NimSum change;  // from the known total to the total after the move
    if (parts_[part].nimber) change.add(*parts_[part].nimber);
    bool fickle = misere_ && others_are_fickle(part);
    for (const Heap& heap : move.result) {
        const auto nimber = parts_[part].solver->nimber(heap, budget);
        if (!nimber) return false;
        change.add(*nimber);
        fickle = fickle && !is_firm(*nimber);
    }
    if (fickle) change.add(finite(1));
    return change.value() == total_;
}

}  // namespace engine
