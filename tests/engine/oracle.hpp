// Who wins, found by playing everything out: knows the rules and no theory at all.
#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include "engine/rules/game.hpp"

namespace engine::test {

inline Game game_of(std::string_view text) {
    auto game = read_game(text);
    if (!game) throw std::runtime_error(describe(game.error()));
    return *std::move(game);
}

class Oracle {
  public:
    // Does the player to move win?
    bool wins(const Game& game) { return wins(key_of(game), game.position().convention); }

    // Every legal move, and every winning one, in the order of Game::moves.
    std::vector<Move> winning_moves(const Game& game) {
        std::vector<Move> winning;
        for (const Move& move : game.moves(100000)) {
            Game next = game;
            next.play(move);
            if (!wins(next)) winning.push_back(move);
        }
        return winning;
    }

    // How many moves play can last at most.
    std::size_t longest_play(const Game& game) { return longest(key_of(game)); }

  private:
    // Heaps and their rulesets, sorted: their order means nothing.
    using Key = std::vector<std::pair<std::string, Heap>>;

    Key key_of(const Game& game) {
        Key key;
        std::size_t component = 0;
        for (const auto& [ruleset, heaps] : game.position().components) {
            alive_.push_back(game.ruleset(component++));
            rulesets_[ruleset.text] = alive_.back().get();
            for (const Heap& heap : heaps) key.emplace_back(ruleset.text, heap);
        }
        std::ranges::sort(key);
        return key;
    }

    template <typename Visit>
    void visit_followers(const Key& key, Visit visit) {
        for (std::size_t i = 0; i < key.size(); ++i) {
            const Ruleset& rules = *rulesets_.at(key[i].first);
            for (Count j = 0; j < rules.follower_count(key[i].second); ++j) {
                Key next = key;
                next.erase(next.begin() + static_cast<std::ptrdiff_t>(i));
                for (Heap& heap : rules.follower(key[i].second, j)) {
                    next.emplace_back(key[i].first, std::move(heap));
                }
                std::ranges::sort(next);
                if (!visit(next)) return;
            }
        }
    }

    bool wins(const Key& key, protocol::Convention convention) {
        auto& memo = wins_[convention == protocol::Convention::Misere];
        if (const auto known = memo.find(key); known != memo.end()) return known->second;
        bool any = false;
        bool winning = false;
        visit_followers(key, [&](const Key& next) {
            any = true;
            winning = !wins(next, convention);
            return !winning;
        });
        if (!any) winning = convention == protocol::Convention::Misere;
        return memo[key] = winning;
    }

    std::size_t longest(const Key& key) {
        if (const auto known = longest_.find(key); known != longest_.end())
            return known->second;
        std::size_t most = 0;
        visit_followers(key, [&](const Key& next) {
            most = std::max(most, 1 + longest(next));
            return true;
        });
        return longest_[key] = most;
    }

    std::map<std::string, const Ruleset*> rulesets_;
    std::vector<std::shared_ptr<const Ruleset>> alive_;
    std::map<Key, bool> wins_[2];
    std::map<Key, std::size_t> longest_;
};

// The nimber of each heap 0..last of take{SET}, by the definition: the mex of the followers'.
inline std::vector<Number> nimbers_by_mex(const Ruleset& rules, Number last) {
    std::vector<Number> nimbers;
    for (Number heap = 0; heap <= last; ++heap) {
        std::vector<bool> seen(heap + 1);
        for (Count i = 0; i < rules.follower_count(Heap(heap)); ++i) {
            seen[nimbers[std::get<Number>(rules.follower(Heap(heap), i).front())]] = true;
        }
        nimbers.push_back(static_cast<Number>(std::ranges::find(seen, false) - seen.begin()));
    }
    return nimbers;
}

}  // namespace engine::test
