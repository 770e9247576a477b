// Who wins, with loops or without, found by going back from the ends of play: knows the rules
// and no theory at all. Keeps what it found for the positions that follow.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/solver/analyst.hpp"
#include "oracle.hpp"

namespace engine::test {

class PlayBackOracle {
  public:
    explicit PlayBackOracle(protocol::Convention convention, std::size_t most = 3000)
        : at_end_(convention == protocol::Convention::Normal ? Outcome::P : Outcome::N),
          most_(most) {}

    // Unknown: more than `most` positions can be reached, and those do not tell.
    Outcome outcome(const Game& game) { return outcome(sum_of(game)); }

    // By definition: the least n with which the position loses; where there is none, what it
    // can reach that has one. Normal play. nullopt: too many positions.
    std::optional<Nimber> nimber(const Game& game) {
        const auto moves = game.moves(100000);
        bool all_known = true;
        if (const auto n = finite_nimber(sum_of(game), moves.size(), all_known)) return *n;
        Loopy loopy;
        for (const Move& move : moves) {
            Game next = game;
            next.play(move);
            const auto n = finite_nimber(sum_of(next), next.moves(100000).size(), all_known);
            if (n) loopy.values.push_back(*n);
        }
        if (!all_known) return std::nullopt;
        std::ranges::sort(loopy.values);
        loopy.values.erase(std::unique(loopy.values.begin(), loopy.values.end()),
                           loopy.values.end());
        return loopy;
    }

    // The winning moves; where there are none, those that hold the draw; else none. In the
    // order of Game::moves. nullopt: too many positions.
    std::optional<std::vector<Move>> best_moves(const Game& game) {
        std::vector<Move> best;
        const Outcome own = outcome(game);
        for (const Move& move : game.moves(100000)) {
            Game next = game;
            next.play(move);
            const Outcome after = outcome(next);
            if (own == Outcome::Unknown || after == Outcome::Unknown) return std::nullopt;
            const bool is_best = own == Outcome::N   ? after == Outcome::P
                                 : own == Outcome::D ? after == Outcome::D
                                                     : false;
            if (is_best) best.push_back(move);
        }
        return best;
    }

  private:
    // The numbers of the heaps that have a move, sorted.
    using Sum = std::u16string;

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
        sum += static_cast<char16_t>(found->second);
    }

    const std::vector<Sum>& results_of(char16_t number) {
        if (!heaps_[number].results) {
            const std::size_t rules = heaps_[number].rules;
            const Heap heap = heaps_[number].heap;
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

    std::vector<Sum> followers(const Sum& sum) {
        std::vector<Sum> followers;
        for (std::size_t i = 0; i < sum.size(); ++i) {
            if (i > 0 && sum[i] == sum[i - 1]) continue;
            for (const Sum& result : results_of(sum[i])) {
                Sum next = sum;
                next.replace(i, 1, result);
                std::ranges::sort(next);
                followers.push_back(std::move(next));
            }
        }
        std::ranges::sort(followers);
        followers.erase(std::unique(followers.begin(), followers.end()), followers.end());
        return followers;
    }

    Outcome outcome(const Sum& sum) {
        const auto known = known_.find(sum);
        if (known != known_.end()) return known->second;
        explore(sum);
        return known_.try_emplace(sum, Outcome::Unknown).first->second;
    }

    // Lists all that can be reached, then goes back from what is decided.
    void explore(const Sum& start) {
        struct Seen {
            Sum sum;
            Outcome outcome = Outcome::Unknown;
            std::size_t undecided = 0;  // followers not known to be N
            std::vector<std::size_t> before;
        };
        std::vector<Seen> seen{{start, Outcome::Unknown, 0, {}}};
        std::unordered_map<Sum, std::size_t> indices{{start, 0}};
        std::vector<std::size_t> decided;
        for (std::size_t i = 0; i < seen.size() && i < most_; ++i) {
            if (seen[i].outcome != Outcome::Unknown) continue;  // from an earlier position
            const auto next = followers(seen[i].sum);
            seen[i].undecided = next.size();
            if (next.empty()) {
                seen[i].outcome = at_end_;
                decided.push_back(i);
            }
            for (const Sum& follower : next) {
                const auto [found, is_new] = indices.try_emplace(follower, seen.size());
                if (is_new) {
                    const auto known = known_.find(follower);
                    seen.push_back({follower, Outcome::Unknown, SIZE_MAX, {}});
                    if (known != known_.end()) seen.back().outcome = known->second;
                    if (seen.back().outcome != Outcome::Unknown)
                        decided.push_back(found->second);
                }
                seen[found->second].before.push_back(i);
            }
        }
        const bool is_complete = seen.size() <= most_;
        for (std::size_t i = 0; i < decided.size(); ++i) {
            const Outcome outcome = seen[decided[i]].outcome;
            for (const std::size_t before : seen[decided[i]].before) {
                Seen& source = seen[before];
                if (source.outcome != Outcome::Unknown || outcome == Outcome::D) continue;
                if (outcome == Outcome::N && --source.undecided > 0) continue;
                source.outcome = outcome == Outcome::N ? Outcome::P : Outcome::N;
                decided.push_back(before);
            }
        }
        for (Seen& each : seen) {
            if (is_complete && each.outcome == Outcome::Unknown) each.outcome = Outcome::D;
            if (each.outcome != Outcome::Unknown) known_[each.sum] = each.outcome;
        }
    }

    std::optional<std::uint64_t> finite_nimber(const Sum& sum, std::size_t most,
                                               bool& all_known) {
        static const Game nim = game_of("nim:0");
        const std::size_t rules = rules_of("nim", nim.ruleset(0));
        for (Number n = 0; n <= most; ++n) {
            Sum beside = sum;
            add(beside, rules, Heap(n));
            std::ranges::sort(beside);
            const Outcome beside_outcome = outcome(beside);
            if (beside_outcome == Outcome::P) return n;
            if (beside_outcome == Outcome::Unknown) all_known = false;
            if (!all_known) return std::nullopt;
        }
        return std::nullopt;
    }

    struct Listed {
        std::size_t rules;
        Heap heap;
        std::optional<std::vector<Sum>> results;
    };

    Outcome at_end_;
    std::size_t most_;
    std::map<std::string, std::size_t> rules_numbers_;
    std::vector<std::shared_ptr<const Ruleset>> rules_;
    std::map<std::pair<std::size_t, Heap>, std::size_t> numbers_;
    std::vector<Listed> heaps_;
    std::unordered_map<Sum, Outcome> known_;
};

}  // namespace engine::test
