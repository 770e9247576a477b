#include "arena/contest/planning.hpp"

#include "arena/game/seeds.hpp"

namespace arena {

void add_pairs(RoundPlan& plan, int pairing, const Meeting& meeting, int first, int last) {
    for (int position = first; position <= last; ++position) {
        PlannedPair& pair = plan.pairs.emplace_back();
        pair.key = {plan.stage, plan.round, pairing, position, plan.attempt};
        pair.players = meeting;
    }
}

std::uint64_t lot(std::uint64_t seed, int round, int number) {
    return game_seed(seed, static_cast<std::uint64_t>(round),
                     static_cast<std::uint64_t>(number));
}

}  // namespace arena
