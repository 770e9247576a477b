#include "arena/play/pair_games.hpp"

#include <algorithm>

namespace arena {

PairGames::PairGames(const TournamentOptions& options, const PositionSource& positions,
                     std::stop_token stop)
    : options_(options), positions_(positions), stop_(std::move(stop)) {
    for (const PlayerSpec& player : options.players) own_seeds_.push_back(own_seed(player));
}

void PairGames::add(const RoundPlan& plan) {
    for (const PlannedPair& pair : plan.pairs)
        ++meetings_[std::minmax(pair.players[0], pair.players[1])];
}

protocol::Result<void> PairGames::fill_positions(RoundPlan& plan) const {
    std::map<std::uint64_t, StartPosition> starts;     // by number
    std::map<std::pair<int, int>, std::uint64_t> met;  // in this round
    const auto per_round = static_cast<std::uint64_t>(options_.format.games / 2);
    const FormatKind kind = options_.format.kind;
    const bool all_alike = options_.is_match() || kind == FormatKind::RoundRobin ||
                           kind == FormatKind::Gauntlet || kind == FormatKind::Clinic;
    for (PlannedPair& pair : plan.pairs) {
        const auto before = static_cast<std::uint64_t>(pair.key.round - 1) +
                            static_cast<std::uint64_t>(pair.key.attempt - 1) * 1'000'003;
        const std::pair<int, int> both = std::minmax(pair.players[0], pair.players[1]);
        const auto earlier = meetings_.find(both);
        const std::uint64_t number =
            all_alike ? (earlier == meetings_.end() ? 0 : earlier->second) + ++met[both]
                      : before * per_round + static_cast<std::uint64_t>(pair.key.position);
        StartPosition& start = starts[number];
        if (!start) {
            const auto position = positions_.position(number, {.stop = stop_});
            if (!position) return position.error();
            start = *position;
        }
        pair.position = start;
    }
    return {};
}

std::vector<GameTask> PairGames::tasks_of(const Claim& claim) const {
    const bool is_match = options_.is_match();
    const Seeds seeds = options_.seeds();
    std::vector<GameTask> games;
    for (int leg = 1; leg <= 2; ++leg) {
        if (!claim.missing[static_cast<std::size_t>(leg - 1)]) continue;
        GameTask& task = games.emplace_back();
        task.key = {claim.pair.key, leg};
        task.position = claim.pair.position;
        task.players = claim.pair.players;
        if (leg == 2) std::swap(task.players[0], task.players[1]);
        if (is_match) task.game = match_number(task.key);
        for (std::size_t seat = 0; seat < 2; ++seat) {
            const auto& own = own_seeds_[static_cast<std::size_t>(task.players[seat])];
            task.seeds[seat] = own        ? *own
                               : is_match ? seeds.of_game(task.game, seat)
                                          : seeds.of_game(task.key, seat);
        }
    }
    return games;
}

}  // namespace arena
