// An Analyst that knows only nim, by the XOR of the heaps, so these tests need no solver.
#pragma once

#include <atomic>
#include <thread>

#include "engine/sums/analyst.hpp"

namespace arena {

class StandInAnalyst : public engine::Analyst {
  public:
    bool knows = true;  // false: answers unknown

    engine::Outcome outcome(const engine::Game& game, const engine::Budget&) const override {
        if (!knows) return engine::Outcome::Unknown;
        std::uint64_t sum = 0;
        bool big = false;
        for (const auto& component : game.position().components) {
            for (const auto& heap : component.heaps) {
                const std::uint64_t size = std::get<protocol::Number>(heap);
                sum ^= size;
                big = big || size > 1;
            }
        }
        const bool misere = game.is_misere();
        const bool lost = misere && !big ? sum == 1 : sum == 0;
        return lost ? engine::Outcome::P : engine::Outcome::N;
    }

    std::optional<engine::Nimber> nimber(const engine::Game&,
                                         const engine::Budget&) const override {
        return std::nullopt;
    }

    std::optional<engine::MoveList> best_moves(const engine::Game& game, std::size_t limit,
                                               const engine::Budget& budget) const override {
        if (!knows) return std::nullopt;
        engine::MoveList list;
        for (const engine::Move& move : game.moves(100000)) {
            engine::Game after = game;
            after.play(move);
            if (outcome(after, budget) != engine::Outcome::P) continue;
            list.cut = list.moves.size() == limit;
            if (list.cut) break;
            list.moves.push_back(move);
        }
        return list;
    }

    std::optional<engine::Move> choose(const engine::Game& game,
                                       const std::vector<engine::Move>&, const engine::Style&,
                                       std::mt19937_64&, const engine::Budget&) const override {
        const auto moves = game.moves(1);
        return moves.empty() ? std::nullopt : std::optional(moves.front());
    }
};

// Its first answer comes too late, without any computing, as if there were no core for it.
class Starved : public StandInAnalyst {
  public:
    engine::Outcome outcome(const engine::Game& game,
                            const engine::Budget& budget) const override {
        if (++asked > 1) return StandInAnalyst::outcome(game, budget);
        std::this_thread::sleep_until(budget.deadline);
        return engine::Outcome::Unknown;
    }
    mutable std::atomic<int> asked{0};
};

}  // namespace arena
