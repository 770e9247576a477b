#include "arena/contest/player_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "arena/base/counted.hpp"
#include "protocol/move.hpp"

namespace arena {
namespace {

using engine::Outcome;

// Whether the position ever had this value for the player in `seat`, whoever was to move.
struct Stood {
    bool won = false;
    bool lost = false;
};

Stood stood(std::size_t seat, const GameAnalysis& analysis) {
    Stood result;
    for (std::size_t i = 0; i <= analysis.plies.size(); ++i) {
        const bool last = i == analysis.plies.size();
        const Outcome outcome = last ? analysis.end : analysis.plies[i].before;
        const bool moves = i % 2 == seat;
        if (outcome == Outcome::N) (moves ? result.won : result.lost) = true;
        if (outcome == Outcome::P) (moves ? result.lost : result.won) = true;
    }
    return result;
}

bool struck(const GameRecord& record, std::size_t seat, std::size_t ply) {
    const auto& strikes = record.strikes[seat];
    return std::ranges::find(strikes, ply, &Strike::ply) != strikes.end();
}

PlyAccuracy& at_ply(PlayerNumbers& player, std::size_t ply) {
    ply = std::min(ply, PlayerNumbers::kMaxPlies - 1);
    if (player.plies.size() <= ply) player.plies.resize(ply + 1);
    return player.plies[ply];
}

void add_theory(PlayerNumbers& player, std::size_t seat, Outcome start) {
    if (start == Outcome::Unknown) ++player.theory_unknown;
    if (start == Outcome::D) ++player.theory_halves;
    if (start == Outcome::N && seat == 0) player.theory_halves += 2;
    if (start == Outcome::P && seat == 1) player.theory_halves += 2;
}

// A move of the player's own.
void add_move(PlayerNumbers& player, const PlyAnalysis& ply) {
    ++player.moves;
    if (ply.mistake == Finding::Unknown) {
        ++player.unknown_moves;
        return;
    }
    const bool kept = ply.mistake == Finding::No;
    if (ply.decision == Finding::Unknown) ++player.undecided;
    if (ply.before == Outcome::N) ++player.won_positions, player.won_kept += kept ? 1 : 0;
    if (ply.before == Outcome::D) ++player.drawn_positions, player.drawn_held += kept ? 1 : 0;
}

void add_decision(PlayerNumbers& player, std::size_t ply, bool mistake, bool first) {
    PlyAccuracy& accuracy = at_ply(player, ply);
    ++accuracy.decisions;
    accuracy.mistakes += mistake ? 1 : 0;
    accuracy.first_mistakes += first ? 1 : 0;
    player.games_with_mistakes += first ? 1 : 0;
}

}  // namespace

void PlayerStatistics::add(const GameRecord& record, const GameAnalysis& analysis) {
    if (record.reason == Reason::Void) return;
    for (std::size_t seat = 0; seat < 2; ++seat) {
        const auto player = static_cast<std::size_t>(record.task.players[seat]);
        if (player >= players_.size()) players_.resize(player + 1);
    }
    for (std::size_t seat = 0; seat < 2; ++seat) add_result(seat, record, analysis);
    add_moves(record, analysis);
}

void PlayerStatistics::add_result(std::size_t seat, const GameRecord& record,
                                  const GameAnalysis& analysis) {
    PlayerNumbers& player = players_[static_cast<std::size_t>(record.task.players[seat])];
    const bool won = record.winner == static_cast<int>(seat);
    ++player.games;
    ++(!record.winner ? player.draws : won ? player.wins : player.losses);
    add_theory(player, seat, analysis.start());
    if (record.faulty_seat == static_cast<int>(seat)) ++player.faults[record.reason];
    player.strikes += record.strikes[seat].size();

    const Stood was = stood(seat, analysis);
    if (was.won) ++player.games_stood_won, player.games_thrown += won ? 0 : 1;
    if (was.lost) {
        ++player.games_stood_lost;
        if (won && !is_fault(record.reason)) ++player.steals;
    }
}

void PlayerStatistics::add_moves(const GameRecord& record, const GameAnalysis& analysis) {
    protocol::Position position = *record.task.position;
    // Positions are needed where there are decisions alone.
    const bool has_decisions = std::ranges::any_of(
        analysis.plies, [](const PlyAnalysis& ply) { return ply.decision == Finding::Yes; });
    std::array<bool, 2> erred{};
    const std::size_t plies = std::min(analysis.plies.size(), record.moves.size());
    for (std::size_t i = 0; i < plies; ++i) {
        const std::size_t seat = i % 2;
        const PlyAnalysis& ply = analysis.plies[i];
        PlayerNumbers& player = players_[static_cast<std::size_t>(record.task.players[seat])];
        if (!struck(record, seat, i + 1)) {
            add_move(player, ply);
            if (ply.decision == Finding::Yes && ply.mistake != Finding::Unknown) {
                const bool mistake = ply.mistake == Finding::Yes;
                player.decisions.add(to_string(position), mistake);
                add_decision(player, i, mistake, mistake && !erred[seat]);
                erred[seat] = erred[seat] || mistake;
            }
        }
        if (!has_decisions) continue;
        const auto move = protocol::parse_move(record.moves[i], position);
        if (!move) return;
        protocol::apply(position, *move);
    }
}

Decisions decisions_of(const GameRecord& record, const GameAnalysis& analysis,
                       std::size_t seat) {
    Decisions decisions;
    protocol::Position position = *record.task.position;
    const std::size_t plies = std::min(analysis.plies.size(), record.moves.size());
    for (std::size_t i = 0; i < plies; ++i) {
        const PlyAnalysis& ply = analysis.plies[i];
        if (i % 2 == seat && !struck(record, seat, i + 1) && ply.decision == Finding::Yes &&
            ply.mistake != Finding::Unknown) {
            decisions.emplace_back(to_string(position), ply.mistake == Finding::Yes);
        }
        const auto move = protocol::parse_move(record.moves[i], position);
        if (!move) break;
        protocol::apply(position, *move);
    }
    return decisions;
}

std::string describe_error_rate(const PlayerNumbers& numbers) {
    const ErrorRate rate = numbers.decisions.error_rate();
    if (rate.decisions == 0) return "no decisions known";
    std::string text = fmt::format("plays like perfect with ε = {} over {}", to_string(rate),
                                   counted(rate.decisions, "decision"));
    if (rate.repeats > 0) text += " (" + counted(rate.repeats, "repeat") + " left out)";
    if (rate.beyond > 0) text += " (" + counted(rate.beyond, "later one") + " left out)";
    const std::uint64_t unknown = numbers.unknown_moves + numbers.undecided;
    if (unknown > 0) {
        text += fmt::format("; {} of {} unknown", unknown, counted(numbers.moves, "move"));
    }
    return text;
}

}  // namespace arena
