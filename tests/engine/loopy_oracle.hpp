// Who wins where play may go on for ever, found by going back from the ends of play: knows the
// rules and no theory at all.
#pragma once

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/solver/analyst.hpp"
#include "oracle.hpp"

namespace engine::test {

// A graph of positions: to each the positions that a move leads to.
using Moves = std::vector<std::vector<std::size_t>>;

struct Verdict {
    Outcome outcome = Outcome::D;
    std::size_t plies = 0;  // to the end, if the winner hurries and the loser does not; 0: D

    friend bool operator==(const Verdict&, const Verdict&) = default;
};

// Round by round: a position is N if some move leads to a P, and P if all lead to an N, seen in
// earlier rounds. What no round decides is drawn.
inline std::vector<Verdict> play_back(const Moves& moves, protocol::Convention convention) {
    const bool misere = convention == protocol::Convention::Misere;
    std::vector<Verdict> known(moves.size());
    for (std::size_t round = 0, decided = 1; decided > 0; ++round) {
        decided = 0;
        std::vector<Verdict> next = known;
        for (std::size_t p = 0; p < moves.size(); ++p) {
            if (known[p].outcome != Outcome::D) continue;
            const auto all = [&](Outcome outcome) {
                return std::ranges::all_of(
                    moves[p], [&](std::size_t q) { return known[q].outcome == outcome; });
            };
            const bool some_lost = std::ranges::any_of(
                moves[p], [&](std::size_t q) { return known[q].outcome == Outcome::P; });
            if (moves[p].empty()) {
                next[p] = {misere ? Outcome::N : Outcome::P, 0};
            } else if (some_lost) {
                next[p] = {Outcome::N, round};
            } else if (all(Outcome::N)) {
                next[p] = {Outcome::P, round};
            }
            if (next[p].outcome != Outcome::D) ++decided;
        }
        known = std::move(next);
    }
    return known;
}

// "graph{a->b,c;b->a;…}" with 2..most_vertices vertices a, b, … and up to 3 edges from each.
inline std::string random_graph_text(std::mt19937_64& random, Count most_vertices) {
    const auto name = [](Count vertex) { return static_cast<char>('a' + vertex); };
    const Count size = 2 + uniform_below(random, most_vertices - 1);
    std::string text = "graph{";
    for (Count v = 0; v < size; ++v) {
        if (v > 0) text += ';';
        text += name(v);
        const Count degree = uniform_below(random, 4);
        for (Count i = 0; i < degree; ++i) {
            text += i == 0 ? "->" : ",";
            text += name(uniform_below(random, size));
        }
    }
    return text + "}";
}

class LoopyOracle {
  public:
    // All positions that can be reached must be few: where there are more than `most`, nothing
    // is known.
    explicit LoopyOracle(const Game& game, std::size_t most = 100000) : root_(game) {
        games_.push_back(game);
        indices_[key_of(game)] = 0;
        for (std::size_t i = 0; i < games_.size(); ++i) {
            if (games_.size() > most) return;
            for (const Move& move : games_[i].moves(100000)) {
                Game next = games_[i];
                next.play(move);
                const auto [found, is_new] = indices_.try_emplace(key_of(next), games_.size());
                if (is_new) games_.push_back(next);
                if (moves_.size() <= i) moves_.resize(i + 1);
                moves_[i].push_back(found->second);
            }
        }
        moves_.resize(games_.size());
        verdicts_ = play_back(moves_, game.position().convention);
    }

    bool is_complete() const { return !verdicts_.empty(); }
    std::size_t size() const { return games_.size(); }

    // Of any position that can be reached.
    Verdict verdict(const Game& game) const { return verdicts_[indices_.at(key_of(game))]; }
    Verdict verdict() const { return verdicts_[0]; }

    // The winning moves; where there are none, those that hold the draw; else none. In the
    // order of Game::moves.
    std::vector<Move> best_moves(const Game& game) const {
        std::vector<Move> best;
        const Outcome own = verdict(game).outcome;
        if (own == Outcome::P) return best;
        for (const Move& move : game.moves(100000)) {
            Game next = game;
            next.play(move);
            if (verdict(next).outcome == (own == Outcome::N ? Outcome::P : Outcome::D)) {
                best.push_back(move);
            }
        }
        return best;
    }
    std::vector<Move> best_moves() const { return best_moves(root_); }

  private:
    // The heaps and their rulesets, sorted: their order means nothing.
    static std::string key_of(const Game& game) {
        std::vector<std::string> heaps;
        for (const auto& component : game.position().components) {
            for (const Heap& heap : component.heaps) {
                heaps.push_back(component.ruleset.text + ':' + to_string(heap));
            }
        }
        std::ranges::sort(heaps);
        std::string key;
        for (const std::string& heap : heaps) key += heap + '+';
        return key;
    }

    Game root_;
    std::vector<Game> games_;
    std::unordered_map<std::string, std::size_t> indices_;
    Moves moves_;
    std::vector<Verdict> verdicts_;
};

}  // namespace engine::test
