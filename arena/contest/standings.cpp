#include "arena/contest/standings.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace arena {
namespace {

// The criteria of ranking, most important first.
auto merit(const Standing& standing) {
    return std::tuple(standing.points, standing.buchholz, standing.sonneborn_berger,
                      standing.head_to_head);
}

void rank_by(std::vector<Standing>& table, bool (*better)(const Standing&, const Standing&)) {
    std::ranges::stable_sort(table, better);
    for (std::size_t i = 0; i < table.size(); ++i) {
        const bool equal = i > 0 && !better(table[i - 1], table[i]);
        table[i].rank = equal ? table[i - 1].rank : static_cast<int>(i) + 1;
    }
}

bool has_more_points(const Standing& a, const Standing& b) { return merit(a) > merit(b); }
bool got_further(const Standing& a, const Standing& b) {
    return a.round_reached > b.round_reached;
}

double points_of(int seat, const GameResult& result) {
    if (!result.winner) return 0.5;
    return *result.winner == seat ? 1 : 0;
}

}  // namespace

Standings::Pair Standings::pair(int a, int b) {
    const auto [low, high] = std::minmax(a, b);
    return static_cast<Pair>(low) << 32 | static_cast<Pair>(high);
}

std::string points_text(double points) { return fmt::format("{}", points); }

std::int64_t Standing::fault_count() const {
    std::int64_t total = 0;
    for (const auto& [reason, count] : faults) total += count;
    return total;
}

void Standings::add(const Entrant&) {
    const int number = static_cast<int>(players_.size());
    players_.emplace_back().player = number;
}

void Standings::add(const RoundPlan& plan) {
    for (const PlannedPair& planned : plan.pairs) {
        if (planned.key.position != 1 || planned.key.attempt != 1) continue;
        ++encounters_[pair(planned.players[0], planned.players[1])].meetings;
    }
    for (const int player : plan.byes) {
        Standing& standing = players_[static_cast<std::size_t>(player)];
        ++standing.byes;
        standing.points += bye_points_;
    }
}

void Standings::add(const GameResult& result) {
    if (result.reason == Reason::Void) return;
    for (const int seat : {0, 1}) {
        const int player = result.players[static_cast<std::size_t>(seat)];
        count(players_[static_cast<std::size_t>(player)], seat, result);
    }
    const int low_seat = result.players[0] < result.players[1] ? 0 : 1;
    HeadToHead& encounter = encounters_[pair(result.players[0], result.players[1])];
    ++encounter.games;
    encounter.points += points_of(low_seat, result);
    encounter.conceded += points_of(1 - low_seat, result);
}

void Standings::count(Standing& side, int seat, const GameResult& result) {
    ++side.games;
    side.points += points_of(seat, result);
    if (!result.winner) {
        ++side.draws;
    } else if (*result.winner == seat) {
        ++side.wins;
    } else {
        ++side.losses;
        if (is_fault(result.reason)) ++side.faults[result.reason];
    }
}

HeadToHead Standings::encounter(int player, int other) const {
    const auto found = encounters_.find(pair(player, other));
    if (found == encounters_.end()) return {};
    HeadToHead seen = found->second;
    if (player > other) std::swap(seen.points, seen.conceded);
    return seen;
}

std::vector<Standing> Standings::table(const std::vector<int>& rounds_reached) const {
    std::vector<Standing> table = players_;
    add_tie_breaks(table);
    for (std::size_t i = 0; i < std::min(table.size(), rounds_reached.size()); ++i) {
        table[i].round_reached = rounds_reached[i];
    }
    if (!rounds_reached.empty()) {
        rank_by(table, got_further);
        return table;
    }
    std::ranges::stable_sort(table, has_more_points);
    for (std::size_t begin = 0, end = 0; begin < table.size(); begin = end) {
        while (end < table.size() && merit(table[end]) == merit(table[begin])) ++end;
        add_head_to_head(table, begin, end);
    }
    rank_by(table, has_more_points);
    return table;
}

// All sums are multiples of 1/4 and far below 2^53, so they are exact in any order.
void Standings::add_tie_breaks(std::vector<Standing>& table) const {
    for (const auto& [who, encounter] : encounters_) {
        Standing& low = table[static_cast<std::size_t>(who >> 32)];
        Standing& high = table[static_cast<std::size_t>(who & 0xFFFFFFFF)];
        const auto meetings = static_cast<double>(encounter.meetings);
        low.buchholz += meetings * high.points;
        high.buchholz += meetings * low.points;
        low.sonneborn_berger += encounter.points * high.points;
        high.sonneborn_berger += encounter.conceded * low.points;
    }
    for (Standing& standing : table) {
        const auto byes = static_cast<double>(standing.byes);
        standing.buchholz += byes * standing.points;
        standing.sonneborn_berger += byes * bye_points_ * standing.points;
    }
}

// Players from `begin` to before `end` are equal.
void Standings::add_head_to_head(std::vector<Standing>& table, std::size_t begin,
                                 std::size_t end) const {
    std::vector<double> balance(end - begin, 0);
    for (std::size_t a = begin; a < end; ++a) {
        for (std::size_t b = begin; b < end; ++b) {
            if (a == b) continue;
            const HeadToHead met = encounter(table[a].player, table[b].player);
            if (met.games == 0) return;
            balance[a - begin] += met.points - met.conceded;
        }
    }
    for (std::size_t i = 0; i < balance.size(); ++i) {
        table[begin + i].head_to_head = balance[i];
    }
}

std::vector<PairScore> Standings::pair_scores() const {
    std::vector<PairScore> scores;
    for (const auto& [who, low] : encounters_) {
        scores.push_back(
            {who >> 32, who & 0xFFFFFFFF, static_cast<double>(low.games), low.points});
    }
    return scores;
}

}  // namespace arena
