#include "arena/contest/results.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace

Results::Pair Results::pair(int a, int b) {
    const auto [low, high] = std::minmax(a, b);
    return static_cast<Pair>(low) << 32 | static_cast<Pair>(high);
}

std::string points_text(double points) { return fmt::format("{}", points); }

std::string points_as_fraction(double points) {
    const double whole = std::floor(points);
    if (points == whole) return fmt::format("{:.0f}", whole);
    return whole == 0 ? "½" : fmt::format("{:.0f}½", whole);
}

std::int64_t Standing::fault_count() const {
    std::int64_t total = 0;
    for (const auto& [reason, count] : faults) total += count.games;
    return total;
}

std::optional<double> Standing::thinking_time() const {
    if (moves == 0) return std::nullopt;
    return static_cast<double>(thought.count()) / 1000 / static_cast<double>(moves);
}

void Results::add(const Entrant&) {
    const int number = static_cast<int>(players_.size());
    players_.emplace_back().player = number;
    accuracy_.emplace_back();
}

void Results::add(const RoundPlan& plan) {
    starts_.add(plan);
    for (const PlannedPair& planned : plan.pairs) {
        if (planned.key.position != 1 || planned.key.attempt != 1) continue;
        ++met(planned.players[0], planned.players[1]).meetings;
    }
    for (const int player : plan.byes) {
        if (static_cast<std::size_t>(player) >= players_.size()) continue;  // joined since
        Standing& standing = players_[static_cast<std::size_t>(player)];
        ++standing.byes;
        standing.points += bye_points_;
    }
}

void Results::add(const GameResult& result) {
    starts_.add(result);
    add_to_pairs(result);
    for (const int seat : {0, 1}) {
        const auto at = static_cast<std::size_t>(seat);
        Standing& side = players_[static_cast<std::size_t>(result.players[at])];
        count_use(side, at, result);
        if (result.reason != Reason::Void) count(side, seat, result);
    }
    if (result.reason == Reason::Void) return;
    const int low_seat = result.players[0] < result.players[1] ? 0 : 1;
    PairScore& encounter = met(result.players[0], result.players[1]);
    ++encounter.games;
    encounter.points += static_cast<double>(result.halves(low_seat)) / 2;
}

void Results::add_analysis(const GameRecord& record, const GameAnalysis& analysis) {
    const auto accuracy_in = [&](std::size_t seat) {
        return &accuracy_[static_cast<std::size_t>(record.task.players[seat])];
    };
    add_accuracy(record, analysis, {accuracy_in(0), accuracy_in(1)});
}

PairScore& Results::met(int a, int b) {
    const auto [low, high] = std::minmax(a, b);
    const PairScore none{static_cast<std::size_t>(low), static_cast<std::size_t>(high)};
    return encounters_.try_emplace(pair(a, b), none).first->second;
}

void Results::count_use(Standing& side, std::size_t seat, const GameResult& result) {
    constexpr Milliseconds kTrifle{50};
    side.strikes += result.strikes[seat];
    side.off_turn_cpu += result.off_turn_cpu[seat];
    side.off_turn_games += result.off_turn_cpu[seat] > kTrifle;
    if (result.reason == Reason::Void) return;
    side.thought += result.thought[seat];
    side.moves += result.moves[seat];
}

void Results::add_to_pairs(const GameResult& result) {
    const auto [low, high] = std::minmax(result.players[0], result.players[1]);
    std::optional<int> halves;
    if (result.reason != Reason::Void) {
        halves = result.halves(result.players[0] == low ? 0 : 1);
    }
    const auto [other, is_first] = halves_.try_emplace(result.key.pair, halves);
    if (is_first) return;
    if (halves && other->second) {
        const auto sum = static_cast<std::size_t>(*halves + *other->second);
        ++players_[static_cast<std::size_t>(low)].pairs[sum];
        ++players_[static_cast<std::size_t>(high)].pairs[4 - sum];
    }
    halves_.erase(other);
}

void Results::count(Standing& side, int seat, const GameResult& result) {
    ++side.games;
    side.points += static_cast<double>(result.halves(seat)) / 2;
    if (!result.winner) {
        ++side.draws;
    } else if (*result.winner == seat) {
        ++side.wins;
    } else {
        ++side.losses;
        if (!is_fault(result.reason)) return;
        FaultCount& faults = side.faults[result.reason];
        if (++faults.games == 1 || result.key < faults.first) faults.first = result.key;
    }
}

PairScore Results::encounter(int player, int other) const {
    const auto found = encounters_.find(pair(player, other));
    if (found == encounters_.end()) return {};
    PairScore seen = found->second;
    if (player < other) return seen;
    std::swap(seen.first, seen.second);
    seen.points = seen.games - seen.points;
    return seen;
}

std::vector<Standing> Results::table(const std::vector<int>& rounds_reached) const {
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
void Results::add_tie_breaks(std::vector<Standing>& table) const {
    for (const auto& [who, encounter] : encounters_) {
        Standing& low = table[static_cast<std::size_t>(who >> 32)];
        Standing& high = table[static_cast<std::size_t>(who & 0xFFFFFFFF)];
        const auto meetings = static_cast<double>(encounter.meetings);
        low.buchholz += meetings * high.points;
        high.buchholz += meetings * low.points;
        low.sonneborn_berger += encounter.points * high.points;
        high.sonneborn_berger += (encounter.games - encounter.points) * low.points;
    }
    for (Standing& standing : table) {
        const auto byes = static_cast<double>(standing.byes);
        standing.buchholz += byes * standing.points;
        standing.sonneborn_berger += byes * bye_points_ * standing.points;
    }
}

// Players from `begin` to before `end` are equal.
void Results::add_head_to_head(std::vector<Standing>& table, std::size_t begin,
                               std::size_t end) const {
    std::vector<double> balance(end - begin, 0);
    for (std::size_t a = begin; a < end; ++a) {
        for (std::size_t b = begin; b < end; ++b) {
            if (a == b) continue;
            const PairScore met = encounter(table[a].player, table[b].player);
            if (met.games == 0) return;
            balance[a - begin] += 2 * met.points - met.games;
        }
    }
    for (std::size_t i = 0; i < balance.size(); ++i) {
        table[begin + i].head_to_head = balance[i];
    }
}

std::vector<PairScore> Results::pair_scores() const {
    std::vector<PairScore> scores;
    for (const auto& [who, score] : encounters_) scores.push_back(score);
    return scores;
}

}  // namespace arena
