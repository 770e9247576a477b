#include "arena/formats/planning.hpp"

namespace arena {

void add_pairs(RoundPlan& plan, int pairing, const Meeting& meeting, int first, int last) {
    for (int position = first; position <= last; ++position) {
        PlannedPair& pair = plan.pairs.emplace_back();
        pair.key = {plan.stage, plan.round, pairing, position, plan.attempt};
        pair.players = meeting;
    }
}

}  // namespace arena
