// Heaps of which nothing but the moves is known: by search, by table, or by labels where play
// may come back.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/sort_in_pieces.hpp"
#include "engine/base/turn.hpp"
#include "engine/heaps/heap_labels.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/nimber_search.hpp"
#include "engine/heaps/search_games.hpp"
#include "engine/heaps/solvers.hpp"
#include "engine/rules/formula/formula_ruleset.hpp"
#include "engine/rules/moves.hpp"

namespace engine {
namespace {

// Nimbers of rules{…} whose heaps are numbers that decrease with each move: a table from 0 on
// that grows on demand. Thread-safe.
class RulesNumbers {
  public:
    // Heaps from here on are not for a table.
    static constexpr Number kMaxHeaps = Number{1} << 22;

    // The heaps of `rules` are numbers.
    explicit RulesNumbers(std::shared_ptr<const UserRules> rules) : rules_(std::move(rules)) {}

    // nullopt: not known within the budget or the memory, or a heap on the way can get larger
    // or stay as it is. What was computed stays.
    std::optional<std::uint64_t> nimber(Number heap, const Budget& budget) const {
        const auto turn = take_turn(mutex_, budget);
        if (!turn) return std::nullopt;
        if (heap >= kMaxHeaps) return std::nullopt;
        while (nimbers_.size() <= heap) {
            if (grows_ || !add_next(budget)) return std::nullopt;
        }
        return nimbers_[heap];
    }

    // Without growing it, nor waiting for a thread that does.
    std::optional<std::uint64_t> known(Number heap) const {
        const std::unique_lock turn(mutex_, std::try_to_lock);
        if (!turn || heap >= nimbers_.size()) return std::nullopt;
        return nimbers_[heap];
    }

  private:
    bool add_next(const Budget& budget) const {
        const Number heap = nimbers_.size();
        if (!make_room(nimbers_, 1, memory_)) return false;
        if (heap % 64 == 0 && budget.is_spent())
            return false;  // heaps without a move visit none
        const auto mark = static_cast<std::uint32_t>(heap + 1);
        const auto see = [&](std::uint32_t value) {
            if (!make_room_for(value)) return false;
            seen_[value] = mark;
            return true;
        };
        const auto visit = [&](const rules::MoveBlock& block) {
            if (budget.is_spent()) return false;
            for (std::size_t i = 0; i < block.count; ++i) {
                std::uint32_t sum = 0;
                for (const Number part : block.row(i)) {
                    grows_ = grows_ || part >= heap;
                    if (grows_) return false;
                    sum ^= nimbers_[part];
                }
                if (!see(sum)) return false;
            }
            return true;
        };
        // A range up to the largest of all smaller heaps has a value if the last heap with it
        // lies there.
        Number low = heap;
        const auto visit_range = [&](Number first, Number last) {
            grows_ = grows_ || last >= heap;
            if (grows_ || budget.is_spent()) return false;
            if (last + 1 == heap) {
                low = std::min(low, first);
                return true;
            }
            return std::all_of(&nimbers_[first], &nimbers_[last] + 1, see);
        };
        if (!rules_->visit_moves({&heap, 1}, visit, visit_range)) return false;
        std::uint32_t mex = 0;
        while (mex < seen_.size() && (seen_[mex] == mark || last_[mex] > low)) ++mex;
        if (!make_room_for(mex)) return false;
        last_[mex] = mark;
        nimbers_.push_back(mex);
        return true;
    }

    // Both arrays keep one size, also where there is no memory for the second.
    bool make_room_for(std::uint32_t value) const {
        if (value < seen_.size()) return true;
        const std::size_t size = 2 * std::size_t{value} + 64;
        for (auto* values : {&seen_, &last_}) {
            if (!make_room(*values, size - values->size(), memory_)) return false;
        }
        seen_.resize(size);
        last_.resize(size);
        return true;
    }

    std::shared_ptr<const UserRules> rules_;
    mutable std::timed_mutex mutex_;
    mutable std::vector<std::uint32_t> nimbers_;
    // By value, plus 1: the heap that reached it last, and the last heap that has it.
    mutable std::vector<std::uint32_t> seen_, last_;
    mutable bool grows_ = false;  // a heap can get larger: nothing can be added
    mutable Reservation memory_;
};

constexpr std::uint64_t kFewNodes = 1000;  // some milliseconds, if they have few moves
constexpr std::chrono::milliseconds kShortSearch{20};

// For numbers of rules{…} the table of all smaller heaps is asked first, as far as it has
// grown; then a short search, as moves may reach few heaps; then the table grows; then a search
// without end. Where it has not been proven that play ends, labels come before all of these:
// only they tell how to win in the end.
template <typename Game>
class SearchSolver : public EnumeratingSolver {
  public:
    SearchSolver(const RulesetPtr& rules, Game game)
        : EnumeratingSolver(rules), search_(std::move(game)) {
        const auto formula = shape_as<shape::Formula>(*rules);
        if (formula && formula->rules.entries() == 1) {
            numbers_.emplace(std::shared_ptr<const UserRules>(rules, &formula->rules));
        }
        if (rules->can_repeat()) labels_.emplace(rules);
    }

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override {
        NimSum sum;
        for (const State& state : search_.game().states_of(heap)) {
            const auto value = nimber_of(state, budget);
            if (!value) return std::nullopt;
            sum.add(*value);
        }
        return sum.value();
    }

    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t wanted,
                                   const Budget& budget) const override {
        return have_nimber(search_.game().states_of(heap), wanted, budget, true);
    }

    // How large it is, see Game::size().
    std::uint64_t effort(const Heap& heap) const override {
        std::uint64_t most = 0;
        for (const State& state : search_.game().states_of(heap)) {
            most = std::max(most, search_.game().size(state));
        }
        return most;
    }

    std::uint64_t counter(const Heap& heap, const Budget& budget) const override {
        return labels_ ? labels_->counter(heap, budget) : 0;
    }

    // Looks first at what is known already, then searches from the smallest follower on.
    std::optional<std::vector<Heap>> find_follower(const Heap& heap, const Nimber& nimber,
                                                   const Budget& budget) const override {
        const auto* wanted = std::get_if<std::uint64_t>(&nimber);
        if (wanted == nullptr) return std::nullopt;
        struct Candidate {
            std::uint64_t effort;
            Count index;
        };
        std::vector<Candidate> candidates;
        Reservation memory;  // of these
        const auto followers = find_followers(rules(), heap, budget);
        if (!followers) return std::nullopt;
        for (Count i = 0; i < followers->count; ++i) {
            if (budget.is_spent()) return std::nullopt;
            auto next = followers->at(i);
            const auto known = have_nimber(states_of(next), *wanted, budget, false);
            if (known && *known) return next;
            if (known) continue;
            std::uint64_t most = 0;
            for (const Heap& part : next) most = std::max(most, effort(part));
            if (!make_room(candidates, 1, memory)) return std::nullopt;
            candidates.push_back({most, i});
        }
        const auto is_easier = [](const Candidate& left, const Candidate& right) {
            return left.effort < right.effort;
        };
        if (!sort_in_pieces(candidates, is_easier, [&] { return budget.is_spent(); })) {
            return std::nullopt;
        }
        for (const auto& candidate : candidates) {
            if (budget.is_spent()) return std::nullopt;
            auto next = followers->at(candidate.index);
            if (have_nimber(states_of(next), *wanted, budget, true).value_or(false))
                return next;
        }
        return std::nullopt;
    }

  private:
    using State = typename Game::State;

    // Of a RulesetGame, which alone has a table or labels.
    static Heap heap_of(const State& state) {
        if constexpr (std::is_same_v<Game, RulesetGame>) return Game::heap_of(state);
        return {};
    }
    std::optional<Nimber> nimber_of(const State& state, const Budget& budget) const {
        if (labels_) {
            if (auto label = labels_->nimber(heap_of(state), budget)) return label;
        }
        if (!numbers_) {
            const auto value = search_.nimber(state, budget);
            return value ? std::optional(finite(*value)) : std::nullopt;
        }
        const NimberFacts facts = known(state);
        if (facts.is_exact()) return finite(facts.low());
        auto value = search_.nimber(state, little(budget), kFewNodes);
        const Budget most = nearly_all(budget);
        if (!value) value = numbers_->nimber(std::get<Number>(heap_of(state)), most);
        if (!value && !most.is_spent()) value = search_.nimber(state, budget);
        return value ? std::optional(finite(*value)) : std::nullopt;
    }

    std::optional<bool> has_nimber(const State& state, std::uint64_t wanted,
                                   const Budget& budget) const {
        if (labels_) {
            const auto label = labels_->nimber(heap_of(state), budget);
            if (label) return *label == finite(wanted);
        }
        if (!numbers_) return search_.has_nimber(state, wanted, budget);
        const NimberFacts facts = known(state);
        if (facts.is_exact()) return facts.low() == wanted;
        auto has = search_.has_nimber(state, wanted, little(budget), kFewNodes);
        if (has) return has;
        const Budget most = nearly_all(budget);
        const auto value = numbers_->nimber(std::get<Number>(heap_of(state)), most);
        if (value) return *value == wanted;
        if (!most.is_spent()) has = search_.has_nimber(state, wanted, budget);
        return has;
    }

    // What the table or the search knows already.
    NimberFacts known(const State& state) const {
        if (numbers_) {
            const auto value = numbers_->known(std::get<Number>(heap_of(state)));
            if (value) return NimberFacts::exactly(*value);
        }
        return search_.known(state);
    }

    // For the table; the rest is for finding a move among the heaps that it has by then.
    static Budget nearly_all(const Budget& budget) {
        return budget.at_most(budget.left() - budget.left() / 8);
    }
    static Budget little(const Budget& budget) {
        return budget.at_most(
            std::min<std::chrono::nanoseconds>(kShortSearch, budget.left() / 4));
    }
    std::vector<State> states_of(const std::vector<Heap>& heaps) const {
        std::vector<State> states;
        for (const Heap& heap : heaps) {
            std::ranges::move(search_.game().states_of(heap), std::back_inserter(states));
        }
        return states;
    }

    // Has the sum of these states the nimber? nullopt: not known, or, without `search`, not
    // yet.
    std::optional<bool> have_nimber(std::vector<State> states, std::uint64_t wanted,
                                    const Budget& budget, bool search) const {
        std::ranges::sort(states, {},
                          [&](const State& state) { return search_.game().size(state); });
        for (std::size_t i = 0; i < states.size(); ++i) {
            const bool is_last = i + 1 == states.size();
            if (!search) {
                const NimberFacts facts = known(states[i]);
                if (is_last && facts.excludes(wanted)) return false;
                if (!facts.is_exact()) return std::nullopt;
                wanted ^= facts.low();
            } else if (is_last) {
                return has_nimber(states[i], wanted, budget);
            } else {
                const auto value = nimber_of(states[i], budget);
                if (!value) return std::nullopt;
                if (is_loopy(*value)) return false;
                wanted ^= std::get<std::uint64_t>(*value);
            }
        }
        return wanted == 0;
    }

    NimberSearch<Game> search_;

    std::optional<RulesNumbers> numbers_;
    std::optional<HeapLabels> labels_;
};

// Heaps that fit the states of one solver, and all others.
class EitherSolver : public HeapSolver {
  public:
    EitherSolver(bool (*fits)(const Heap&), SolverPtr small, SolverPtr large)
        : fits_(fits), small_(std::move(small)), large_(std::move(large)) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override {
        return solver(heap).nimber(heap, budget);
    }
    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t wanted,
                                   const Budget& budget) const override {
        return solver(heap).has_nimber(heap, wanted, budget);
    }
    std::uint64_t effort(const Heap& heap) const override { return solver(heap).effort(heap); }
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override {
        return solver(heap).visit_followers(heap, nimber, budget, visit);
    }
    std::optional<std::vector<Heap>> find_follower(const Heap& heap, const Nimber& nimber,
                                                   const Budget& budget) const override {
        return solver(heap).find_follower(heap, nimber, budget);
    }

  private:
    const HeapSolver& solver(const Heap& heap) const { return fits_(heap) ? *small_ : *large_; }

    bool (*fits_)(const Heap&);
    SolverPtr small_, large_;
};

template <typename Game>
SolverPtr make_solver(const RulesetPtr& rules, Game game) {
    return std::make_shared<SearchSolver<Game>>(rules, std::move(game));
}

}  // namespace

SolverPtr make_search_solver(const RulesetPtr& rules) {
    return make_solver(rules, RulesetGame(rules));
}

SolverPtr make_vertex_solver(const RulesetPtr& rules) {
    return make_solver(rules, VertexGame(shape_as<shape::Vertices>(*rules)->graph));
}

SolverPtr make_cram_solver(const RulesetPtr& rules) {
    const auto fits = [](const Heap& heap) {
        const Board board(std::get<protocol::Vertex>(heap).name);
        return std::max(board.rows(), board.columns()) <= VertexGame::kSide;
    };
    return std::make_shared<EitherSolver>(fits, make_solver(rules, VertexGame()),
                                          make_search_solver(rules));
}

SolverPtr make_cookie_solver(const RulesetPtr& rules) {
    const auto fits = [](const Heap& heap) {
        return reduced_sizes(heap).size() <= ShortCookieCode::kMaxCookies;
    };
    return std::make_shared<EitherSolver>(fits,
                                          make_solver(rules, CookieGame<ShortCookieCode>()),
                                          make_solver(rules, CookieGame<LongCookieCode>()));
}

}  // namespace engine
