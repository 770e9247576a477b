// Finds who wins by retrograde analysis: it lists all positions that the rules allow and goes
// back from the ends of play. It knows no theory, so results by nimbers, genera, quotients or
// labels can be compared with it.
#pragma once

#include <queue>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/sums/analyst.hpp"
#include "tests/agreement/positions.hpp"

namespace engine::test {

// A graph of positions: for each, the positions after its moves.
using Moves = std::vector<std::vector<std::size_t>>;

struct Verdict {
    Outcome outcome = Outcome::Unknown;
    std::size_t plies =
        0;  // of N and P: to the end, if the winner hurries and the loser delays

    friend bool operator==(const Verdict&, const Verdict&) = default;
};

// Finds the verdicts that follow from known ones and from the ends of play. The moves of
// positions from moves.size() on were not listed.
inline void play_back(const Moves& moves, Outcome at_end, std::vector<Verdict>& verdicts) {
    std::vector<std::vector<std::size_t>> before(verdicts.size());
    std::vector<std::size_t> undecided;  // moves to positions not known to be N
    for (std::size_t p = 0; p < moves.size(); ++p) {
        undecided.push_back(moves[p].size());
        for (const std::size_t q : moves[p]) before[q].push_back(p);
        if (moves[p].empty() && verdicts[p].outcome == Outcome::Unknown)
            verdicts[p].outcome = at_end;
    }
    using Decided = std::pair<std::size_t, std::size_t>;  // the plies, and the position
    std::priority_queue<Decided, std::vector<Decided>, std::greater<>> decided;
    for (std::size_t p = 0; p < verdicts.size(); ++p) {
        if (verdicts[p].outcome == Outcome::N || verdicts[p].outcome == Outcome::P)
            decided.emplace(verdicts[p].plies, p);
    }
    while (!decided.empty()) {
        const auto [plies, position] = decided.top();
        decided.pop();
        const bool wins = verdicts[position].outcome == Outcome::N;
        for (const std::size_t p : before[position]) {
            if (verdicts[p].outcome != Outcome::Unknown) continue;
            if (wins && --undecided[p] > 0) continue;
            verdicts[p] = {wins ? Outcome::P : Outcome::N, plies + 1};
            decided.emplace(plies + 1, p);
        }
    }
}

// A position that no end of play decides is drawn.
inline void call_the_rest_drawn(std::vector<Verdict>& verdicts) {
    for (Verdict& verdict : verdicts) {
        if (verdict.outcome == Outcome::Unknown) verdict.outcome = Outcome::D;
    }
}

// Keeps its results for later positions, of both conventions.
class PlayBackOracle {
  public:
    // If a position with loops can reach more than `most` others, only what these prove is
    // known.
    explicit PlayBackOracle(std::size_t most = 100000) : most_(most) {}

    Outcome outcome(const Game& game) { return outcome(sum_of(game), game.is_misere()); }
    bool wins(const Game& game) { return outcome(game) == Outcome::N; }

    // The plies are exact if all reachable positions were listed.
    Verdict verdict(const Game& game) { return verdict(sum_of(game), game.is_misere()); }
    // The number of positions listed for verdicts.
    std::size_t size() const { return verdicts_[0].size() + verdicts_[1].size(); }

    // The length of the longest play. No ruleset of the game may repeat.
    std::size_t longest_play(const Game& game) { return longest_play(sum_of(game)); }

    // The winning moves, else those that hold the draw, else none. In the order of Game::moves.
    // nullopt: too many positions.
    std::optional<std::vector<Move>> best_moves(const Game& game) {
        const Outcome own = outcome(game);
        if (own == Outcome::Unknown) return std::nullopt;
        std::vector<Move> best;
        for (const Move& move : game.moves(100000)) {
            const Outcome then = outcome(after(game, move));
            if (then == Outcome::Unknown) return std::nullopt;
            const bool is_best = own == Outcome::N   ? then == Outcome::P
                                 : own == Outcome::D ? then == Outcome::D
                                                     : false;
            if (is_best) best.push_back(move);
        }
        return best;
    }

    // By definition: the least n such that the sum with a nim heap n is lost; if there is none,
    // the nimbers of the followers that have one. Normal play. nullopt: too many positions.
    std::optional<Nimber> nimber(const Game& game) {
        const auto moves = game.moves(100000);
        bool all_known = true;
        if (const auto n = finite_nimber(sum_of(game), moves.size(), all_known)) return *n;
        Loopy loopy;
        for (const Move& move : moves) {
            const Game next = after(game, move);
            const auto n = finite_nimber(sum_of(next), next.moves(100000).size(), all_known);
            if (n) loopy.values.push_back(*n);
        }
        if (!all_known) return std::nullopt;
        std::ranges::sort(loopy.values);
        loopy.values.erase(std::unique(loopy.values.begin(), loopy.values.end()),
                           loopy.values.end());
        return loopy;
    }

  private:
    // The numbers of the heaps that have a move, sorted: they identify the position.
    using Sum = std::u16string;
    // Of all bytes at once: Boost's hash takes them one by one.
    template <typename Value>
    using SumMap = boost::unordered_flat_map<Sum, Value, std::hash<Sum>>;

    static Outcome at_end(bool misere) { return misere ? Outcome::N : Outcome::P; }

    Sum sum_of(const Game& game) {
        Sum sum;
        for (std::size_t i = 0; i < game.position().components.size(); ++i) {
            const auto& component = game.position().components[i];
            const std::size_t rules = rules_of(component.ruleset.text, game.ruleset(i));
            for (const Heap& heap : component.heaps) add(sum, rules, heap);
        }
        std::ranges::sort(sum);
        return sum;
    }

    std::size_t rules_of(const std::string& text, std::shared_ptr<const Ruleset> rules) {
        const auto [found, is_new] = rules_numbers_.try_emplace(text, rules_.size());
        if (is_new) rules_.push_back(std::move(rules));
        return found->second;
    }

    void add(Sum& sum, std::size_t rules, const Heap& heap) {
        if (!rules_[rules]->has_move(heap)) return;
        const auto [found, is_new] = numbers_.try_emplace({rules, heap}, heaps_.size());
        if (is_new) heaps_.push_back({rules, heap, std::nullopt});
        if (heaps_.size() > UINT16_MAX) throw std::runtime_error("too many heaps");
        sum += static_cast<char16_t>(found->second);
    }

    // The live heaps each move in a heap leaves.
    const std::vector<Sum>& results_of(char16_t number) {
        if (!heaps_[number].results) {
            const auto [rules, heap, none] = heaps_[number];
            std::vector<Sum> results;
            for (Count i = 0; i < rules_[rules]->follower_count(heap); ++i) {
                Sum result;
                for (const Heap& left : rules_[rules]->follower(heap, i)) {
                    add(result, rules, left);
                }
                results.push_back(result);
            }
            heaps_[number].results = std::move(results);
        }
        return *heaps_[number].results;
    }

    // Visits followers until `visit` returns false.
    template <typename Visit>
    void visit_followers(const Sum& sum, const Visit& visit) {
        for (std::size_t i = 0; i < sum.size(); ++i) {
            if (i > 0 && sum[i] == sum[i - 1]) continue;
            const std::size_t count = results_of(sum[i]).size();
            for (std::size_t j = 0; j < count; ++j) {
                Sum next = sum;
                next.replace(i, 1, results_of(sum[i])[j]);
                std::ranges::sort(next);
                if (!visit(next)) return;
            }
        }
    }

    bool can_repeat(const Sum& sum) const {
        return std::ranges::any_of(
            sum, [&](char16_t number) { return rules_[heaps_[number].rules]->can_repeat(); });
    }

    Outcome outcome(const Sum& sum, bool misere) {
        if (can_repeat(sum)) return verdict(sum, misere).outcome;
        left_ = most_;
        try {
            return wins(sum, misere) ? Outcome::N : Outcome::P;
        } catch (const TooMany&) {
            return Outcome::Unknown;
        }
    }

    // If play always ends, one winning move is enough.
    bool wins(const Sum& sum, bool misere) {
        if (const auto known = wins_[misere].find(sum); known != wins_[misere].end())
            return known->second;
        if (left_-- == 0) throw TooMany();
        bool winning = sum.empty() && misere;
        visit_followers(sum, [&](const Sum& next) {
            winning = !wins(next, misere);
            return !winning;
        });
        return wins_[misere][sum] = winning;
    }

    std::size_t longest_play(const Sum& sum) {
        if (const auto known = longest_.find(sum); known != longest_.end())
            return known->second;
        std::size_t most = 0;
        visit_followers(sum, [&](const Sum& next) {
            most = std::max(most, 1 + longest_play(next));
            return true;
        });
        return longest_[sum] = most;
    }

    Verdict verdict(const Sum& sum, bool misere) {
        const auto known = verdicts_[misere].find(sum);
        if (known != verdicts_[misere].end()) return known->second;
        explore(sum, misere);
        return verdicts_[misere].try_emplace(sum).first->second;
    }

    // Lists all reachable positions, but not beyond known verdicts.
    void explore(const Sum& start, bool misere) {
        auto& known = verdicts_[misere];
        std::vector<Sum> sums{start};
        SumMap<std::size_t> indices{{start, 0}};
        std::vector<Verdict> verdicts(1);
        Moves moves;
        for (std::size_t i = 0; i < sums.size() && i < most_; ++i) {
            moves.emplace_back();
            if (verdicts[i].outcome != Outcome::Unknown) continue;
            visit_followers(Sum(sums[i]), [&](const Sum& next) {
                const auto [found, is_new] = indices.try_emplace(next, sums.size());
                moves[i].push_back(found->second);
                if (!is_new) return true;
                sums.push_back(next);
                const auto verdict = known.find(next);
                verdicts.push_back(verdict == known.end() ? Verdict() : verdict->second);
                return true;
            });
        }
        play_back(moves, at_end(misere), verdicts);
        if (sums.size() <= most_) call_the_rest_drawn(verdicts);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (verdicts[i].outcome != Outcome::Unknown) known[sums[i]] = verdicts[i];
        }
    }

    std::optional<std::uint64_t> finite_nimber(const Sum& sum, std::size_t most,
                                               bool& all_known) {
        static const auto nim = ruleset_of("nim");
        const std::size_t rules = rules_of("nim", nim);
        for (Number n = 0; n <= most; ++n) {
            Sum with_nim = sum;
            add(with_nim, rules, Heap(n));
            std::ranges::sort(with_nim);
            const Outcome then = outcome(with_nim, false);
            if (then == Outcome::P) return n;
            if (then == Outcome::Unknown) all_known = false;
            if (!all_known) return std::nullopt;
        }
        return std::nullopt;
    }

    struct TooMany {};

    struct Listed {
        std::size_t rules;
        Heap heap;
        std::optional<std::vector<Sum>> results;
    };

    std::size_t most_;
    std::size_t left_ = 0;  // positions that wins() may still visit
    std::map<std::string, std::size_t> rules_numbers_;
    std::vector<std::shared_ptr<const Ruleset>> rules_;
    std::map<std::pair<std::size_t, Heap>, std::size_t> numbers_;
    std::vector<Listed> heaps_;
    // By convention: [1] is misere.
    SumMap<bool> wins_[2];
    SumMap<Verdict> verdicts_[2];
    SumMap<std::size_t> longest_;
};

}  // namespace engine::test
