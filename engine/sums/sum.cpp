#include "engine/sums/sum.hpp"

#include <algorithm>
#include <bit>

namespace engine {
namespace {

constexpr std::size_t kPollHeaps = 16;  // heaps

// Under misere play the others are fickle: 0 and 1 change places.
bool is_firm(const Nimber& nimber) {
    const auto* value = std::get_if<std::uint64_t>(&nimber);
    return value == nullptr || *value > 1;
}

bool lists_nothing(const Nimber& nimber) {
    const auto* loopy = std::get_if<Loopy>(&nimber);
    return loopy != nullptr && loopy->values.empty();
}

}  // namespace

Sum::Sum(const Game& game, const Budget& budget, Aim aim)
    : JudgedSolution(game, budget), heaps_(game), misere_(game.is_misere()) {
    std::size_t hardest = 0;  // counted from 1
    std::uint64_t most_effort = 0;
    const HeapSolver* asked = nullptr;
    bool ends = true;  // play in its heaps
    for (std::size_t i = 0; i < heaps_.size(); ++i) {
        const auto& [solver, rules, heap] = heaps_[i];
        if (solver != asked) {
            asked = solver;
            ends = !rules->can_repeat();
            tame_ = tame_ && solver->is_tame();
        }
        const std::uint64_t effort = ends ? solver->effort(*heap) : 0;
        costly_ = costly_ || effort > 0;
        if (effort <= most_effort) continue;
        most_effort = effort;
        hardest = i + 1;
    }
    if (!is_solvable()) {
        nimbers_.resize(heaps_.size());
        return;
    }
    if (aim == Aim::Values) hardest = 0;
    NimSum known;
    const auto add = [&](std::size_t index) {
        const auto& nimber = nimbers_[index];
        if (!nimber) {
            unknown_.push_back(index);
        } else if (is_loopy(*nimber)) {
            loopy_.push_back(index);
        } else {
            known.add(*nimber);
            if (is_firm(*nimber)) ++firm_count_;
        }
    };
    nimbers_.reserve(heaps_.size());
    for (std::size_t i = 0; i < heaps_.size(); ++i) {
        const bool is_left_out = i + 1 == hardest;
        nimbers_.push_back(is_left_out ? std::nullopt : find_nimber(i));
        if (!is_left_out) add(i);
    }
    // Next to a loopy heap one question, whether the hardest heap has a given nimber, does not
    // decide the outcome.
    if (hardest > 0) {
        if (loopy_.size() == 1) nimbers_[hardest - 1] = find_nimber(hardest - 1);
        add(hardest - 1);
    }
    std::ranges::sort(unknown_);
    known_total_ = known.value();
    total_ = loopy_.empty() ? known_total_ : others(heaps_.size());
}

Outcome Sum::outcome() const {
    if (!outcome_) outcome_ = find_outcome();
    return *outcome_;
}

std::optional<Nimber> Sum::nimber() const {
    if (misere_ || !is_known()) return std::nullopt;
    return total_;
}

Outcome Sum::outcome_of(const Nimber& total, bool fickle) const {
    if (const auto* loopy = std::get_if<Loopy>(&total)) {
        const bool wins =
            loopy->transfinite.empty() && !loopy->values.empty() && loopy->values.front() == 0;
        return wins ? Outcome::N : Outcome::D;
    }
    return total == finite(fickle ? 1 : 0) ? Outcome::P : Outcome::N;
}

Outcome Sum::find_outcome() const {
    if (!game_.has_move()) return misere_ ? Outcome::N : Outcome::P;
    if (!is_solvable()) return Outcome::Unknown;
    if (unknown_.empty()) return outcome_of(total_, misere_ && firm_count_ == 0);
    const bool finite_rest =
        std::ranges::none_of(unknown_, [&](std::size_t part) { return can_repeat(part); });
    if (!loopy_.empty()) {
        // inf{} it stays, whatever finite or transfinite nimbers are added.
        return finite_rest && lists_nothing(total_) ? Outcome::D : Outcome::Unknown;
    }
    if (std::holds_alternative<Ordinal>(total_)) {
        // Only heaps of nim have transfinite nimbers, and those are always known.
        return finite_rest ? Outcome::N : Outcome::Unknown;
    }
    if (unknown_.size() > 1) return Outcome::Unknown;
    const auto& part = heaps_[unknown_.front()];
    if (!misere_) {
        const auto lost =
            part.solver->has_nimber(*part.heap, std::get<std::uint64_t>(known_total_), budget_);
        if (lost && *lost) return Outcome::P;
        if (lost && finite_rest) return Outcome::N;
    }
    return find_winning(unknown_.front()) ? Outcome::N : Outcome::Unknown;
}

// ---- the sum of the other heaps ----

Nimber Sum::others(std::size_t part) const {
    if (loopy_.empty()) {
        return nimbers_[part] ? nim_sum(known_total_, *nimbers_[part]) : known_total_;
    }
    NimSum sum;
    sum.add(known_total_);
    const Nimber* own = part < nimbers_.size() && nimbers_[part] ? &*nimbers_[part] : nullptr;
    if (own != nullptr && !is_loopy(*own)) sum.add(*own);
    std::size_t added = 0;  // two give inf{}, whatever else there is
    for (std::size_t i = 0; i < loopy_.size() && added < 2; ++i) {
        if (loopy_[i] == part) continue;
        sum.add(*nimbers_[loopy_[i]]);
        ++added;
    }
    return sum.value();
}

bool Sum::others_are_fickle(std::size_t part) const {
    const auto& own = nimbers_[part];
    return firm_count_ == (own && !is_loopy(*own) && is_firm(*own) ? 1 : 0);
}

Outcome Sum::outcome_after(const Move& move, const Budget& budget) const {
    const std::size_t part = move.heap - 1;
    const auto& moved = heaps_[part];
    if (!is_solvable()) return Outcome::Unknown;

    // One heap may stay without a nimber: another of the sum, or the hardest that the move
    // leaves.
    const HeapSolver* asked = nullptr;
    const Heap* open = nullptr;
    for (const std::size_t other : unknown_) {
        if (other == part) continue;
        if (open != nullptr || can_repeat(other)) return Outcome::Unknown;
        asked = heaps_[other].solver;
        open = heaps_[other].heap;
    }
    if (open == nullptr && !misere_ && !can_repeat(part)) {
        std::uint64_t most_effort = 0;
        for (const Heap& heap : move.result) {
            const std::uint64_t effort = moved.solver->effort(heap);
            if (effort <= most_effort) continue;
            most_effort = effort;
            asked = moved.solver;
            open = &heap;
        }
    }

    NimSum sum;
    sum.add(others(part));
    bool fickle = misere_ && others_are_fickle(part);
    for (const Heap& heap : move.result) {
        if (&heap == open) continue;
        const auto nimber = moved.solver->nimber(heap, budget);
        if (!nimber) return Outcome::Unknown;
        sum.add(*nimber);
        fickle = fickle && !is_firm(*nimber);
    }
    const Nimber total = sum.value();
    if (open == nullptr) return outcome_of(total, fickle);
    if (misere_) return Outcome::Unknown;
    if (is_loopy(total)) {
        if (lists_nothing(total)) return Outcome::D;
        const auto nimber = asked->nimber(*open, budget);
        return nimber ? outcome_of(nim_sum(total, *nimber), false) : Outcome::Unknown;
    }
    const auto* number = std::get_if<std::uint64_t>(&total);
    if (number == nullptr) return Outcome::N;
    return outcome_by(asked->has_nimber(*open, *number, budget));
}

// ---- moves that win ----

std::optional<Nimber> Sum::target(std::size_t part) const {
    if (!others_are_known(part)) return std::nullopt;
    if (loopy_.size() > 1 || (loopy_.size() == 1 && loopy_.front() != part))
        return std::nullopt;
    const Nimber rest = others(part);
    return misere_ && others_are_fickle(part) ? nim_sum(rest, finite(1)) : rest;
}

// With a transfinite total only nim heaps can win, and only those that have the top bit of the
// total's leading coefficient: their target is smaller than they are.
bool Sum::holds_leading_bit(std::size_t part, const Nimber& total) const {
    const Ordinal::Term& leading = std::get<Ordinal>(total).terms.front();
    const auto& own = nimbers_[part];
    return own && (coefficient(*own, leading.exponent) & std::bit_floor(leading.coefficient));
}

HeapSolver::Tally Sum::winning_tally(std::size_t part) const {
    const auto& [solver, rules, heap] = heaps_[part];
    if (!others_are_known(part)) return {0, !rules->has_move(*heap)};
    if (std::holds_alternative<Ordinal>(total_)) {
        return {holds_leading_bit(part, total_) ? Count{1} : Count{0}, true};
    }
    const auto wanted = target(part);
    if (!wanted) return {0, true};
    return solver->count_followers(*heap, *wanted, budget_);
}

bool Sum::surely_wins(std::size_t part) const {
    if (!others_are_known(part) || !nimbers_[part] || !loopy_.empty()) return false;
    if (std::holds_alternative<Ordinal>(total_)) return holds_leading_bit(part, total_);
    const auto wanted = target(part);
    return wanted && *wanted < *nimbers_[part];
}

std::optional<Move> Sum::find_winning(std::size_t part) const {
    const auto& chosen = heaps_[part];
    if (std::holds_alternative<Ordinal>(total_) &&
        (!others_are_known(part) || !holds_leading_bit(part, total_))) {
        return std::nullopt;
    }
    const auto wanted = target(part);
    if (!wanted) return std::nullopt;
    auto result = chosen.solver->find_follower(*chosen.heap, *wanted, budget_);
    if (!result) return std::nullopt;
    return Move{part + 1, *std::move(result)};
}

std::optional<Move> Sum::sure_winning() const {
    for (std::size_t part = 0; part < heaps_.size(); ++part) {
        if (!surely_wins(part)) continue;
        if (auto move = find_winning(part)) return move;
    }
    return std::nullopt;
}

// The first winning move; if the budget ends, one that is found at once.
std::optional<Move> Sum::first_winning() const {
    BudgetPoll poll(budget_, kPollHeaps);
    for (std::size_t part = 0; part < heaps_.size(); ++part) {
        if (poll.is_spent()) {
            if (auto sure = sure_winning()) return sure;
        }
        if (auto move = find_winning(part)) return move;
    }
    return std::nullopt;
}

// A uniform draw from the winning moves; if the budget ends, from the ones found so far.
std::optional<Move> Sum::random_winning(std::mt19937_64& random) const {
    struct Group {
        std::size_t part;
        Count count;
    };
    std::vector<Group> groups;
    Count total = 0;
    BudgetPoll poll(budget_, kPollHeaps);
    for (std::size_t part = 0; part < heaps_.size(); ++part) {
        if (poll.is_spent()) {
            if (total > 0) break;
            if (auto sure = sure_winning()) return sure;
        }
        const Count count = std::min(winning_tally(part).count, kMany - total);
        if (count > 0) groups.push_back({part, count});
        total += count;
    }
    if (total == 0) return sure_winning();
    Count rest = uniform_below(random, total);
    auto group = groups.begin();
    for (; rest >= group->count; ++group) rest -= group->count;
    const auto& chosen = heaps_[group->part];
    auto result = chosen.solver->follower(*chosen.heap, *target(group->part), rest, budget_);
    if (result.empty()) return find_winning(group->part);
    return Move{group->part + 1, std::move(result)};
}

// A winning move that leaves the least sum of counters. From one move of this player to the
// next that sum never grows, and it falls if a heap was played that can come back; play in the
// other heaps ends anyway. So the game ends (Fraenkel and Yesha 1986).
std::optional<Move> Sum::progress(Choice choice, std::mt19937_64& random) const {
    constexpr std::size_t kLooked = 100000;  // winning moves of one heap
    std::optional<Move> best;
    std::int64_t least = 0;
    Count equal = 0;
    for (std::size_t part = 0; part < heaps_.size(); ++part) {
        const auto& chosen = heaps_[part];
        const auto wanted = target(part);
        if (!wanted) continue;
        if (best && budget_.is_spent()) break;
        const auto counter = [&](const Heap& heap) {
            return static_cast<std::int64_t>(chosen.solver->counter(heap, budget_));
        };
        const std::size_t limit = can_repeat(part) ? kLooked : 1;
        for (auto& result :
             chosen.solver->list_followers(*chosen.heap, *wanted, limit, budget_)) {
            std::int64_t change = -counter(*chosen.heap);
            for (const Heap& heap : result) change += counter(heap);
            if (best && change > least) continue;
            equal = best && change == least ? equal + 1 : 1;
            if (equal == 1 || (choice == Choice::Random && uniform_below(random, equal) == 0)) {
                best = Move{part + 1, std::move(result)};
            }
            least = change;
        }
    }
    return best;
}

std::optional<MoveList> Sum::list_winning(std::size_t limit) const {
    MoveList list;
    BudgetPoll poll(budget_, kPollHeaps);
    for (std::size_t part = 0; part < heaps_.size(); ++part) {
        if (poll.is_spent()) return std::nullopt;
        const auto tally = winning_tally(part);
        if (!tally.complete) return std::nullopt;
        if (tally.count == 0) continue;
        const auto& chosen = heaps_[part];
        const std::size_t room =
            std::min(limit - list.moves.size(), kMaxListUnits / text_units(*chosen.heap));
        auto results = chosen.solver->list_followers(*chosen.heap, *target(part), room + 1,
                                                     budget_);  // one more tells of more
        if (results.size() < std::min<Count>(tally.count, room + 1)) return std::nullopt;
        const bool cut = results.size() > room;
        if (cut) results.pop_back();
        for (auto& result : results) {
            if (!list.add({part + 1, std::move(result)}, limit)) return list;
        }
        list.cut = cut;
        if (cut) break;
    }
    return list;
}

// ---- what a Solution answers ----

std::optional<MoveList> Sum::best_moves(std::size_t limit) const {
    if (outcome() != Outcome::N) return JudgedSolution::best_moves(limit);
    return game_.has_move() ? list_winning(limit) : MoveList();
}

std::optional<Count> Sum::best_move_count() const {
    if (outcome() != Outcome::N) return JudgedSolution::best_move_count();
    if (!game_.has_move()) return 0;
    Count total = 0;
    for (std::size_t part = 0; part < heaps_.size(); ++part) {
        const auto tally = winning_tally(part);
        if (!tally.complete) return std::nullopt;
        total = saturating_sum(total, tally.count);
    }
    return total;
}

std::optional<Move> Sum::best_move(Choice choice, std::mt19937_64& random) const {
    if (!game_.has_move()) return std::nullopt;
    if (outcome() != Outcome::N) return JudgedSolution::best_move(choice, random);
    if (!unknown_.empty()) {
        for (const std::size_t part : unknown_) {
            if (auto move = find_winning(part)) return move;
        }
        // All winning moves are in the other heaps, and what they have to leave depends on the
        // nimber that was not looked for.
        const Sum known(game_, budget_, Aim::Values);
        return known.unknown_.empty() ? known.best_move(choice, random) : std::nullopt;
    }
    if (game_.can_repeat()) return progress(choice, random);
    if (choice == Choice::First || costly_) return first_winning();
    return random_winning(random);
}

std::string Sum::reason() const {
    if (!game_.has_move()) {
        return misere_ ? "no move is left, so that the player to move wins under misere play"
                       : "no move is left, so that the player to move loses";
    }
    const Outcome wins = outcome();
    if (wins == Outcome::Unknown) {
        return unknown_.size() > 1
                   ? "the nimbers of some heaps could not be found in the time and memory given"
                   : "the nimber of a heap could not be found in the time and memory given";
    }
    if (!unknown_.empty() && std::holds_alternative<Ordinal>(total_)) {
        return "the XOR is not 0, since the nimbers that are not known are finite";
    }
    if (!unknown_.empty()) {
        return wins == Outcome::P
                   ? "the heap whose nimber was not looked for has the XOR of the others"
                   : "the XOR is not 0, as was found without the nimber of each heap";
    }
    if (loopy_.size() > 1) {
        return "two loopy heaps: each player can go on for ever in one of them";
    }
    if (loopy_.size() == 1) {
        return wins == Outcome::N ? "one loopy heap, and a move in it makes the XOR 0"
                                  : "one loopy heap, and no move in it makes the XOR 0: play "
                                    "can go on for ever";
    }
    if (!misere_) {
        return wins == Outcome::N ? "the XOR is not 0: the winning moves make it 0"
                                  : "the XOR is 0: every move makes it something else";
    }
    if (firm_count_ == 0) {
        return wins == Outcome::N
                   ? "misere with nimbers of 0 and 1 only, and the XOR is 0: the winning moves "
                     "make it 1 and keep to such nimbers, as for an odd number of heaps of one "
                     "token, of which the opponent takes the last and loses"
                   : "misere with nimbers of 0 and 1 only, and the XOR is 1, as for an odd "
                     "number of heaps of one token: the player to move takes the last and "
                     "loses";
    }
    return wins == Outcome::N
               ? "misere with a nimber of 2 or more, and the XOR is not 0: the winning moves "
                 "make it 0, or 1 where they leave nimbers of 0 and 1 only"
               : "misere with a nimber of 2 or more, and the XOR is 0: every move makes it "
                 "something else";
}

}  // namespace engine
