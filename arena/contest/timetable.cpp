#include "arena/contest/timetable.hpp"

#include <algorithm>

namespace arena {
namespace {

// Enough for any number of cores, and cheap to keep.
constexpr int kPairsOfRound = 512;
constexpr std::int64_t kGamesAhead = 2048;

}  // namespace

void Timetable::add(const Entrant& entrant) {
    (entrant.first_round <= 1 ? starters_ : joiners_).push_back(entrants_++);
}

void Timetable::add(const RoundPlan& plan) {
    rounds_planned_ = std::max(rounds_planned_, plan.round);
    outstanding_.add(plan);
}

void Timetable::add(const GameResult& result) { outstanding_.add(result); }

std::uint64_t Timetable::starter_count() const {
    return std::max(starters_.size(), static_cast<std::size_t>(options_.players));
}

int Timetable::positions_at_a_time(const Section& section) const {
    return std::clamp(kPairsOfRound / std::max(section.width, 1), 1, options_.games / 2);
}

NextRound Timetable::next(std::chrono::milliseconds) {
    int left = rounds_planned_;  // rounds between the current section and the wanted one
    for (std::size_t number = 0; number <= joiners_.size(); ++number) {
        const Section looked_at = section(number);
        const int at_a_time = positions_at_a_time(looked_at);
        const int cuts = (options_.games / 2 + at_a_time - 1) / at_a_time;
        if (left >= looked_at.rounds * cuts) {
            left -= looked_at.rounds * cuts;
            continue;
        }
        if (outstanding_.games() >= kGamesAhead) return AwaitResults{};
        return plan(number, left / cuts, left % cuts * at_a_time + 1);
    }
    return GameOver{};
}

RoundPlan Timetable::plan(std::size_t number, int round, int first_position) const {
    RoundPlan plan;
    plan.round = rounds_planned_ + 1;
    const int end = first_position + positions_at_a_time(section(number)) - 1;
    int pairing = 0;
    for (const Meeting& meeting : meetings(number, round)) {
        add_pairs(plan, ++pairing, meeting, first_position, std::min(end, options_.games / 2));
    }
    return plan;
}

}  // namespace arena
