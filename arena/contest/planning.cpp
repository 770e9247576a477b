#include "arena/contest/planning.hpp"

namespace arena {

void add_pairs(RoundPlan& plan, int pairing, const Meeting& meeting, int first, int last) {
    for (int position = first; position <= last; ++position) {
        PlannedPair& pair = plan.pairs.emplace_back();
        pair.key = {plan.stage, plan.round, pairing, position, plan.attempt};
        pair.players = meeting;
    }
}

std::uint64_t lot(const FormatOptions& options, int round, int number) {
    return Seeds(options.seed, options.seed_hash).of_lot(round, number);
}

}  // namespace arena
