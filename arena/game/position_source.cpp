#include "arena/game/position_source.hpp"

#include <random>
#include <utility>

#include "engine/rules/game.hpp"

namespace arena {
namespace {

using protocol::Position;

// One to four heaps of 10 to 20.
Position draw_heaps(std::mt19937_64& random) {
    protocol::Component component;
    const engine::Count heaps = 1 + engine::uniform_below(random, 4);
    for (engine::Count i = 0; i < heaps; ++i) {
        component.heaps.emplace_back(10 + engine::uniform_below(random, 11));
    }
    return Position{{std::move(component)}, protocol::Convention::Normal};
}

// One position in twenty is lost for the first mover, so several draws are needed; a thousand
// suffice for all but one position in 10^20.
Position draw_position(std::uint64_t seed, engine::Outcome wanted,
                       const engine::Analyst& analyst) {
    constexpr int kMaxDraws = 1000;
    std::mt19937_64 random(seed);
    Position position = draw_heaps(random);
    for (int i = 1; i < kMaxDraws; ++i) {
        const auto game = engine::Game::start(position);
        if (game && analyst.outcome(*game, {}) == wanted) break;
        position = draw_heaps(random);
    }
    return position;
}

}  // namespace

PositionSource::PositionSource(const std::vector<Position>& list, std::optional<Suite> suite,
                               Seeds seeds, const engine::Analyst& analyst)
    : list_(list.begin(), list.end()),
      suite_(std::move(suite)),
      seeds_(seeds),
      analyst_(analyst) {}

protocol::Result<StartPosition> PositionSource::position(std::uint64_t number,
                                                         const engine::Budget& budget) const {
    if (suite_) {
        const auto drawn = draw(*suite_, number, seeds_, analyst_, budget);
        if (!drawn) return drawn.error();
        return StartPosition(drawn->position);
    }
    if (!list_.empty()) return list_[(number - 1) % list_.size()];
    const auto wanted = number % 2 == 1 ? engine::Outcome::N : engine::Outcome::P;
    return StartPosition(draw_position(seeds_.of_position(number), wanted, analyst_));
}

}  // namespace arena
