#include "arena/game/game_record.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "arena/base/counted.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

// The CPU time that a player may use off turn in a game, and the share of the opponent's time
// that it may use if that is more.
constexpr Microseconds kMostOffTurn{200'000};
constexpr int kMostOffTurnPart = 10;

struct ReasonText {
    std::string_view name;
    std::string_view fault;  // in words; empty: it is none
};
// In the order of Reason.
constexpr std::array kTexts{ReasonText{"no-moves", ""},
                            ReasonText{"repetition", ""},
                            ReasonText{"ply-limit", ""},
                            ReasonText{"adjudicated", ""},
                            ReasonText{"illegal-move", "an illegal move"},
                            ReasonText{"timeout", "no move in time"},
                            ReasonText{"disconnected", "it ended"},
                            ReasonText{"protocol", "an unreadable answer"},
                            ReasonText{"startup", "it did not start"},
                            ReasonText{"off-turn", "it computed off turn"},
                            ReasonText{"void", ""}};
static_assert(kTexts.size() == static_cast<std::size_t>(Reason::Void) + 1);

const ReasonText& text_of(Reason reason) { return kTexts[static_cast<std::size_t>(reason)]; }

}  // namespace

std::string_view name(Reason reason) { return text_of(reason).name; }

std::optional<Reason> parse_reason(std::string_view text) {
    const auto found = std::ranges::find(kTexts, text, &ReasonText::name);
    if (found == kTexts.end()) return std::nullopt;
    return static_cast<Reason>(found - kTexts.begin());
}

bool is_fault(Reason reason) { return !fault_words(reason).empty(); }

std::string_view fault_words(Reason reason) { return text_of(reason).fault; }

std::optional<int> Cause::faulty_seat() const {
    if (!is_fault(reason) || !winner) return std::nullopt;
    return 1 - *winner;
}

std::optional<Cause> off_turn_verdict(const GameRecord& record) {
    std::array<Microseconds, 2> thought{};
    for (std::size_t ply = 0; ply < record.times.size(); ++ply) {
        thought[ply % 2] += record.times[ply];
    }
    const std::size_t seat = record.off_turn_cpu[1] > record.off_turn_cpu[0] ? 1 : 0;
    const Microseconds used = record.off_turn_cpu[seat];
    const Microseconds most = std::max(kMostOffTurn, thought[1 - seat] / kMostOffTurnPart);
    const int winner = static_cast<int>(1 - seat);
    if (used <= most || record.reason == Reason::Void || record.winner == winner) {
        return std::nullopt;
    }
    const auto in_seconds = [](Microseconds time) {
        return static_cast<double>(time.count()) / 1e6;
    };
    Cause verdict;
    verdict.reason = Reason::OffTurn;
    verdict.winner = winner;
    verdict.detail = fmt::format(
        "p{} used {:.2f} s of CPU time while its opponent was to move, expected {:.2f} s at "
        "most",
        seat + 1, in_seconds(used), in_seconds(most));
    verdict.expected = "a player that rests until it is asked";
    return verdict;
}

std::string game_name(const GameTask& task) {
    return task.game > 0 ? std::to_string(task.game) : to_string(task.key);
}

std::string kept_text(std::string_view received) {
    constexpr std::size_t kLongest = 1000;  // bytes
    return protocol::printable(received, kLongest);
}

void add_strike(std::vector<Strike>& strikes, std::size_t ply, const Cause& fault) {
    constexpr std::size_t kMostTexts = 100;
    const bool is_kept = strikes.size() < kMostTexts;
    strikes.push_back({ply, fault.reason, is_kept ? kept_text(fault.received) : ""});
}

const Strike* GameRecord::strike_at(std::size_t ply) const {
    const auto& own = strikes[(ply - 1) % 2];
    const auto found = std::ranges::lower_bound(own, ply, {}, &Strike::ply);
    return found == own.end() || found->ply != ply ? nullptr : &*found;
}

std::vector<std::string> split_printable(std::string_view text, std::size_t most_bytes) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        std::string blank;
        for (const char c : line) blank += c == '\t' ? "    " : std::string(1, c);
        lines.push_back(protocol::printable(blank, most_bytes));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<std::string> last_lines(std::string_view text, std::size_t most_lines,
                                    std::size_t most_bytes) {
    auto lines = split_printable(text, most_bytes);
    if (lines.size() > most_lines) {
        lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most_lines));
    }
    return lines;
}

std::string fault_text(const Cause& fault, std::size_t most_bytes) {
    constexpr std::size_t kLines = 10;  // of stderr
    std::string text;
    if (!fault.received.empty()) {
        text += "    received: '" + protocol::printable(fault.received, most_bytes) + "'\n";
    }
    if (!fault.expected.empty()) {
        text += "    expected: " + protocol::printable(fault.expected, most_bytes) + "\n";
    }
    if (!fault.stderr_tail.empty()) text += "    its last lines on stderr:\n";
    for (const auto& line : last_lines(fault.stderr_tail, kLines, most_bytes)) {
        text += "      | " + line + "\n";
    }
    if (!fault.advice.empty()) text += "    to do: " + fault.advice + "\n";
    return text;
}

std::string winner_text(const GameRecord& record, const std::vector<std::string>& names) {
    if (record.reason == Reason::Void) return "void";
    const auto name_of = [&](int seat) {
        return names[static_cast<std::size_t>(
            record.task.players[static_cast<std::size_t>(seat)])];
    };
    if (!record.winner) return fmt::format("{} and {} drew", name_of(0), name_of(1));
    return fmt::format("{} beat {}", name_of(*record.winner), name_of(1 - *record.winner));
}

std::string outcome_text(const GameRecord& record, const std::vector<std::string>& names) {
    return fmt::format("{} in {} ({})", winner_text(record, names),
                       counted(record.moves.size(), "move"), name(record.reason));
}

}  // namespace arena
