#include "arena/contest/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

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

void add_theory(Accuracy& player, std::size_t seat, Outcome start) {
    if (start == Outcome::Unknown) ++player.theory_unknown;
    if (start == Outcome::D) ++player.theory_halves;
    if (start == Outcome::N && seat == 0) player.theory_halves += 2;
    if (start == Outcome::P && seat == 1) player.theory_halves += 2;
}

// A move of the player's own.
void add_move(Accuracy& player, const PlyAnalysis& ply) {
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

void add_decision(Accuracy& player, std::size_t ply, bool mistake, bool first) {
    ply = std::min(ply, Accuracy::kMaxPlies - 1);
    if (player.plies.size() <= ply) player.plies.resize(ply + 1);
    PlyAccuracy& accuracy = player.plies[ply];
    ++accuracy.decisions;
    accuracy.mistakes += mistake ? 1 : 0;
    accuracy.first_mistakes += first ? 1 : 0;
    player.games_with_mistakes += first ? 1 : 0;
}

bool is_known_decision(const PlyAnalysis& ply) {
    return ply.decision == Finding::Yes && ply.mistake != Finding::Unknown;
}

// Calls `visit` with the ply (from 0) and the position of each decision that is known and that
// the player made itself.
template <typename Visit>
void for_each_decision(const GameRecord& record, const GameAnalysis& analysis,
                       const Visit& visit) {
    if (std::ranges::none_of(analysis.plies, is_known_decision)) return;
    protocol::Position position = *record.task.position;
    const std::size_t plies = std::min(analysis.plies.size(), record.moves.size());
    for (std::size_t i = 0; i < plies; ++i) {
        if (is_known_decision(analysis.plies[i]) && record.strike_at(i + 1) == nullptr)
            visit(i, to_string(position));
        const auto move = protocol::parse_move(record.moves[i], position);
        if (!move) return;
        protocol::apply(position, *move);
    }
}

void add_game(Accuracy& player, std::size_t seat, const GameRecord& record,
              const GameAnalysis& analysis) {
    const bool won = record.winner == static_cast<int>(seat);
    add_theory(player, seat, analysis.start());
    const Stood was = stood(seat, analysis);
    if (was.won) ++player.games_stood_won, player.games_thrown += won ? 0 : 1;
    if (was.lost) {
        ++player.games_stood_lost;
        if (won && !is_fault(record.reason)) ++player.steals;
    }
    const std::size_t plies = std::min(analysis.plies.size(), record.moves.size());
    for (std::size_t i = seat; i < plies; i += 2) {
        if (record.strike_at(i + 1) == nullptr) add_move(player, analysis.plies[i]);
    }
}

}  // namespace

void DecisionCount::add(std::string_view position, bool mistake) {
    ++decisions_;
    mistakes_ += mistake ? 1 : 0;
    const std::uint64_t hash = std::hash<std::string_view>()(position);
    auto found = positions_.find(hash);
    if (found == positions_.end()) {
        if (positions_.size() >= kMaxPositions) {
            ++beyond_;
            beyond_mistakes_ += mistake ? 1 : 0;
            return;
        }
        found = positions_.emplace(hash, Seen{}).first;
        wrong_positions_ += mistake ? 1 : 0;
    } else {
        ++repeats_;
    }
    Seen& seen = found->second;
    ++(mistake ? seen.wrong : seen.right);
    varied_ = varied_ || (seen.right > 0 && seen.wrong > 0);
}

ErrorRate DecisionCount::error_rate() const {
    ErrorRate result;
    result.beyond = beyond_;
    if (varied_) {
        result.decisions = decisions_ - beyond_;
        result.mistakes = mistakes_ - beyond_mistakes_;
    } else {
        result.decisions = positions_.size();
        result.mistakes = wrong_positions_;
        result.repeats = repeats_;
    }
    if (result.decisions > 0) {
        result.rate =
            static_cast<double>(result.mistakes) / static_cast<double>(result.decisions);
    }
    result.interval = clopper_pearson(result.mistakes, result.decisions);
    return result;
}

std::string to_string(const ErrorRate& rate) {
    if (rate.decisions == 0) return "unknown";
    return fmt::format("{:.2f} [{:.2f}, {:.2f}]", rate.rate, rate.interval.low,
                       rate.interval.high);
}

void add_accuracy(const GameRecord& record, const GameAnalysis& analysis,
                  const std::array<Accuracy*, 2>& players) {
    if (record.reason == Reason::Void) return;
    for (std::size_t seat = 0; seat < 2; ++seat)
        add_game(*players[seat], seat, record, analysis);
    std::array<bool, 2> erred{};
    for_each_decision(record, analysis, [&](std::size_t ply, const std::string& position) {
        const bool mistake = analysis.plies[ply].mistake == Finding::Yes;
        bool& has_erred = erred[ply % 2];
        players[ply % 2]->decisions.add(position, mistake);
        add_decision(*players[ply % 2], ply, mistake, mistake && !has_erred);
        has_erred = has_erred || mistake;
    });
}

Decisions decisions_of(const GameRecord& record, const GameAnalysis& analysis,
                       std::size_t seat) {
    Decisions decisions;
    for_each_decision(record, analysis, [&](std::size_t ply, std::string position) {
        if (ply % 2 != seat) return;
        decisions.emplace_back(std::move(position),
                               analysis.plies[ply].mistake == Finding::Yes);
    });
    return decisions;
}

std::string describe_error_rate(const Accuracy& accuracy) {
    const ErrorRate rate = accuracy.decisions.error_rate();
    if (rate.decisions == 0) return "no decisions known";
    std::string text = fmt::format("plays like perfect with ε = {} over {}", to_string(rate),
                                   counted(rate.decisions, "decision"));
    if (rate.repeats > 0) text += " (" + counted(rate.repeats, "repeat") + " left out)";
    if (rate.beyond > 0) text += " (" + counted(rate.beyond, "later one") + " left out)";
    const std::uint64_t unknown = accuracy.unknown_moves + accuracy.undecided;
    if (unknown > 0) {
        text += fmt::format("; {} of {} unknown", unknown, counted(accuracy.moves, "move"));
    }
    return text;
}

}  // namespace arena
