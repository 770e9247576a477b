// A misere position without loops, solved exactly where its heaps need not be tame.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/misere/way.hpp"
#include "engine/rules/moves.hpp"
#include "engine/sums/solution.hpp"

namespace engine {

using misere::Way;

namespace {

using Clock = std::chrono::steady_clock;

constexpr Count kManyMoves = 200'000;  // of a heap: then only candidates are tested
constexpr std::size_t kPollResults = 64;
constexpr std::chrono::milliseconds kRestForMove{500};
constexpr std::size_t kFewElements = 100;  // of a quotient: found in milliseconds
constexpr std::size_t kManyElements = 1000;

// A part of what time is left, at most `most`.
Budget share(const Budget& budget, int part, Clock::duration most) {
    return budget.at_most(std::min(most, budget.left() / part));
}

// Tries the ways of misere/way.hpp, first with little work each, then again and
// again with more while there is time. For one thread.
class MisereSolution : public JudgedSolution {
  public:
    MisereSolution(const Game& game, const Budget& budget)
        : JudgedSolution(game, budget), heaps_(game) {
        if (!game.has_move()) {
            outcome_ = Outcome::N;
            return;
        }
        // The rest of the time is for finding a move that wins.
        const auto rest = std::min<Clock::duration>(budget_.left() / 8, kRestForMove);
        const Budget for_outcome = budget_.at_most(budget_.left() - rest);
        list_heaps();
        if (judge(misere::find_theorem_way(parts_), for_outcome)) return;
        if (!number_heaps(for_outcome)) return;
        find_way(for_outcome);
        // Some heaps may have been too large for their share of the time.
        if (outcome_ == Outcome::Unknown && number_rest(for_outcome)) find_way(for_outcome);
    }

    Outcome outcome() const override { return outcome_; }

    Outcome outcome_after(const Move& move, const Budget& budget) const override {
        if (!way_) return Outcome::Unknown;
        const auto left =
            reduced(*heaps_[move.heap - 1].rules, move.result, Convention::Misere);
        return outcome_by(way_->is_previous_win(move.heap - 1, left, budget));
    }

    std::string reason() const override {
        if (!game_.has_move()) {
            return "no move is left, so that the player to move wins under misere play";
        }
        if (outcome_ == Outcome::Unknown) {
            return "the sum was not solved under misere in the time and memory given";
        }
        return way_->reason();
    }

    bool has_genera() const override { return true; }

    std::optional<misere::Genus> genus(std::size_t heap, const Budget& budget) const override {
        if (heap >= parts_.size()) return std::nullopt;
        const misere::Part& part = parts_[heap];
        if (const auto size = misere::nim_size(part, *part.place.heap)) {
            // A genus holds numbers, and an ordinal's size only stands for it.
            if (!std::holds_alternative<Number>(*part.place.heap)) return std::nullopt;
            return misere::genus_of_nim_heap(*size);
        }
        // Where the heap decided nothing it may have none; others want the time, too.
        const auto number = part.number
                                ? part.number
                                : number_of(part, share(budget, 4, std::chrono::seconds(1)));
        const auto form = number ? tables_->form(*number, budget) : std::nullopt;
        return form ? tables_->genus(*form, budget) : std::nullopt;
    }

    Outcome heap_outcome(std::size_t heap) const override {
        if (heap >= parts_.size() || !way_) return Outcome::Unknown;
        return outcome_by(way_->is_previous_win_alone(heap, budget_));
    }

  private:
    // If the budget ends and `all` is not asked for, the moves found so far are enough.
    bool visit_best(bool all, VisitMoves visit) const override {
        bool complete = true;
        bool found = false;
        bool goes_on = way_ != nullptr;
        for (std::size_t part = 0; part < parts_.size() && goes_on; ++part) {
            if (!all && found && budget_.is_spent()) break;
            complete &= visit_winning(part, all, [&](const Move& move) {
                found = true;
                return goes_on = visit(move, 0);
            });
        }
        return complete;
    }

    Count most_counted() const override { return 1'000'000; }

    void list_heaps() {
        parts_.reserve(heaps_.size());
        auto place = heaps_.places().begin();
        const auto& components = game_.position().components;
        for (std::size_t c = 0; c < components.size(); ++c) {
            const auto ruleset =
                tables_->graph().ruleset_index(components[c].ruleset.text, game_.ruleset(c));
            for (std::size_t i = 0; i < components[c].heaps.size(); ++i, ++place) {
                parts_.push_back({*place, ruleset, std::nullopt});
            }
        }
    }

    // False if the budget ends. A heap may have too many moves to test all.
    bool number_heaps(const Budget& budget) {
        for (misere::Part& part : parts_) {
            part.number = number_of(part, share(budget, 4, std::chrono::seconds(1)));
            if (budget.is_spent()) return false;
        }
        return true;
    }

    // Takes all the time there is. True if a heap got its number that had none.
    bool number_rest(const Budget& budget) {
        bool has_more = false;
        for (misere::Part& part : parts_) {
            if (part.number || !has_few_moves(part.place, budget)) continue;
            part.number = tables_->graph().add(part.ruleset, *part.place.heap, budget);
            if (!part.number) return false;
            has_more = true;
        }
        return has_more;
    }

    // nullopt: it takes too long.
    std::optional<misere::HeapGraph::Index> number_of(const misere::Part& part,
                                                      const Budget& budget) const {
        misere::HeapGraph& graph = tables_->graph();
        const auto known = graph.find(part.ruleset, *part.place.heap);
        if (known || !has_few_moves(part.place, budget)) return known;
        return graph.add(part.ruleset, *part.place.heap, budget);
    }

    // To list them may take long, too.
    bool has_few_moves(const Heaps::Place& place, const Budget& budget) const {
        const auto followers = find_followers(*place.rules, *place.heap, budget);
        return followers && followers->count <= kManyMoves;
    }

    // It is not known in advance whether the quotient, the search or the forms take a
    // millisecond or for ever. So they take turns of growing length, and resume what they began
    // in earlier turns.
    void find_way(const Budget& budget) {
        using std::chrono::milliseconds;
        const Budget little = share(budget, 10, milliseconds(100));
        if (judge(find_tame_way(*tables_, parts_, little), budget)) return;
        if (judge(find_quotient_way(*tables_, parts_, kFewElements, little), budget)) return;
        const Budget some = share(budget, 10, milliseconds(200));
        if (judge(find_form_way(*tables_, parts_, some), some)) return;
        auto search = misere::find_search_way(parts_);
        // A turn much shorter than three times the last one would hardly find more.
        for (auto turn = milliseconds(500); !budget.is_spent(); turn *= 3) {
            const Budget first = share(budget, 3, turn);
            if (judge(find_quotient_way(*tables_, parts_, kManyElements, first), budget))
                return;
            const bool quotient_ends = !first.is_spent();
            const Budget second = share(budget, 2, turn);
            if (search && is_decided_by(*search, second)) {
                way_ = std::move(search);
                return;
            }
            const bool search_ends = !second.is_spent();
            const Budget third = quotient_ends && search_ends ? budget : budget.at_most(turn);
            if (judge(find_form_way(*tables_, parts_, third), third)) return;
            if (quotient_ends && search_ends) return;
        }
    }

    // Takes this way if it tells the outcome.
    bool judge(std::unique_ptr<Way> way, const Budget& budget) {
        if (!way || !is_decided_by(*way, budget)) return false;
        way_ = std::move(way);
        return true;
    }

    bool is_decided_by(const Way& way, const Budget& budget) {
        outcome_ = outcome_by(way.is_previous_win(budget));
        return outcome_ != Outcome::Unknown;
    }

    // Calls `visit` for each winning move in the heap, or for some where all are not wanted,
    // until it returns false. Were all winning moves found?
    template <typename Visit>
    bool visit_winning(std::size_t part, bool all, const Visit& visit) const {
        const auto& [solver, rules, heap] = parts_[part].place;
        bool complete = true;
        BudgetPoll poll(budget_, kPollResults);
        // Some ways look at all other heaps for each move.
        const std::size_t work = text_units(*heap) + parts_.size() / kPollResults;
        const auto look = [&](std::vector<Heap> result) {
            if (poll.is_spent(work)) return complete = false;
            const auto left = reduced(*rules, result, Convention::Misere);
            const auto previous_wins = way_->is_previous_win(part, left, budget_);
            if (!previous_wins) complete = false;
            return !previous_wins || !*previous_wins || visit({part + 1, std::move(result)});
        };
        if (budget_.is_spent()) return false;
        const auto followers = find_followers(*rules, *heap, budget_);
        if (!followers) return false;
        const auto look_at_every_move = [&] {
            for (Count i = 0; i < followers->count; ++i) {
                if (!look(followers->at(i))) break;
            }
            return complete;
        };
        if (followers->count <= kManyMoves) return look_at_every_move();

        auto [candidates, cover] = way_->candidates(part, budget_);
        const auto wins = [&](const std::vector<Heap>& result) {
            return way_->is_previous_win(part, result, budget_).value_or(true);
        };
        if (cover == Way::Cover::One) {
            if (std::ranges::none_of(candidates, wins)) return true;
            if (all) return look_at_every_move();
        }
        for (auto& result : candidates) {
            if (!look(std::move(result))) break;
        }
        return complete && cover == Way::Cover::All;
    }

    const Heaps heaps_;
    mutable misere::BorrowedTables tables_;
    std::vector<misere::Part> parts_;
    std::unique_ptr<misere::Way> way_;  // null: none
    Outcome outcome_ = Outcome::Unknown;
};

}  // namespace

std::unique_ptr<Solution> solve_misere(const Game& game, const Budget& budget) {
    return std::make_unique<MisereSolution>(game, budget);
}

}  // namespace engine
