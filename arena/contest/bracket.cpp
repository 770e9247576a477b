#include "arena/contest/bracket.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace arena {
namespace {

double points(std::int64_t halves) { return static_cast<double>(halves) / 2; }

std::string meeting_text(const BracketMeeting& meeting, const std::vector<std::string>& names) {
    const auto name_of = [&](int seat) {
        const auto& player = meeting.players[static_cast<std::size_t>(seat)];
        return player ? names[static_cast<std::size_t>(*player)] : std::string("?");
    };
    if (!meeting.players[1]) return fmt::format("  {} has a bye\n", name_of(0));
    if (meeting.attempts == 0) return fmt::format("  {} - {}\n", name_of(0), name_of(1));
    return fmt::format("  {} {} - {} {}{}\n", name_of(0), points(meeting.halves[0]),
                       points(meeting.halves[1]), name_of(1), decision_text(meeting, ", "));
}

}  // namespace

std::string round_name(const Bracket& bracket, int round) {
    const bool is_final = std::ranges::count(bracket, round, &BracketMeeting::round) == 1;
    return is_final ? "final" : fmt::format("round {}", round);
}

std::string decision_text(const BracketMeeting& meeting, std::string_view before) {
    using Decision = BracketMeeting::Decision;
    std::vector<std::string> parts;
    if (meeting.attempts > 1) parts.push_back(fmt::format("in {} attempts", meeting.attempts));
    if (!meeting.winner)
        parts.emplace_back("not decided yet");
    else if (meeting.decision == Decision::AllAttempts)
        parts.emplace_back("decided by the points of all");
    else if (meeting.decision == Decision::Faults)
        parts.emplace_back("decided by fewer faults");
    else if (meeting.decision == Decision::Lots)
        parts.emplace_back("decided by lots");
    if (parts.empty()) return {};
    return fmt::format("{}{}", before, fmt::join(parts, ", "));
}

std::string bracket_text(const Bracket& bracket, const std::vector<std::string>& names) {
    std::string text;
    int round = 0;
    for (const BracketMeeting& meeting : bracket) {
        if (meeting.round != round) {
            round = meeting.round;
            text += round_name(bracket, round) + "\n";
        }
        text += meeting_text(meeting, names);
    }
    if (text.empty()) return text;
    const BracketMeeting& last = bracket.back();
    const bool is_over = last.winner && round_name(bracket, last.round) == "final";
    if (is_over) text += "winner: " + names[static_cast<std::size_t>(*last.winner)] + "\n";
    text.pop_back();
    return text;
}

}  // namespace arena
