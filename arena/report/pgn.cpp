#include "arena/report/exports.hpp"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::size_t kLineWidth = 79;

std::string_view pgn_result(const GameRecord& record) {
    if (record.reason == Reason::Void) return "*";
    if (!record.winner) return "1/2-1/2";
    return *record.winner == 0 ? "1-0" : "0-1";
}

// The words of the standard (9.8.1).
std::string_view termination_of(Reason reason) {
    switch (reason) {
        case Reason::NoMoves:
        case Reason::Repetition:
            return "normal";
        case Reason::PlyLimit:
        case Reason::Adjudicated:
            return "adjudication";
        case Reason::Timeout:
            return "time forfeit";
        case Reason::IllegalMove:
        case Reason::Protocol:
        case Reason::OffTurn:
            return "rules infraction";
        case Reason::Disconnected:
        case Reason::Startup:
            return "abandoned";
        case Reason::Void:
            return "unterminated";
    }
    return "unterminated";
}

std::string date_of(const GameRecord& record) {
    if (record.started == std::chrono::system_clock::time_point{}) return "????.??.??";
    return fmt::format("{:%Y.%m.%d}", fmt::gmtime(record.started));
}

std::string tag(std::string_view name, std::string_view value) {
    std::string line = fmt::format("[{} \"", name);
    for (const char c : value) {
        if (c == '"' || c == '\\') line += '\\';
        line += c;
    }
    return line + "\"]\n";
}

// A comment cannot hold its own end: a brace is written as a bracket.
std::string in_comment(std::string word) {
    for (char& c : word) {
        if (c == '{') c = '(';
        if (c == '}') c = ')';
    }
    return word;
}

// No line begins with '%': the standard (6) has readers skip such a line, and so the end of a
// comment in it.
std::string wrap(const std::vector<std::string>& words) {
    std::string text;
    std::size_t width = 0;
    for (const std::string& word : words) {
        if (width > 0 && width + 1 + word.size() > kLineWidth && !word.starts_with('%')) {
            text += '\n';
            width = 0;
        } else if (width > 0) {
            text += ' ';
            ++width;
        }
        text += word;
        width += word.size();
    }
    return text + '\n';
}

// "[%emt 0:00:01.250000]", the time that a move took: hours, minutes, seconds.
std::string move_time(Microseconds time) {
    const std::chrono::hh_mm_ss parts(time);
    return fmt::format("[%emt {}:{:02}:{:02}.{:06}]", parts.hours().count(),
                       parts.minutes().count(), parts.seconds().count(),
                       parts.subseconds().count());
}

// The parts of one comment, which are not broken.
void add_comment(std::vector<std::string> parts, std::vector<std::string>& words) {
    if (parts.empty()) return;
    for (std::string& part : parts) part = in_comment(std::move(part));
    parts.front().insert(0, "{");
    parts.back() += "}";
    std::ranges::move(parts, std::back_inserter(words));
}

// Why the game ended, by what text, and after what time; nothing where the last move says it.
std::vector<std::string> end_of(const GameRecord& record) {
    constexpr std::size_t kMostShown = 1000;  // bytes
    if (record.reason == Reason::NoMoves) return {};
    std::string text = fmt::format("{}: {}", name(record.reason),
                                   protocol::printable(record.detail, kMostShown));
    if (!record.received.empty())
        text += "; received: " + protocol::printable(record.received, kMostShown);
    const auto words = protocol::split_words(text);
    std::vector<std::string> parts(words.begin(), words.end());
    if (record.fault_time) parts.push_back(move_time(*record.fault_time));
    return parts;
}

}  // namespace

std::string pgn(const GameRecord& record, std::span<const std::string> names,
                const std::string& event) {
    const auto name_in = [&](std::size_t seat) {
        return protocol::printable(names[static_cast<std::size_t>(record.task.players[seat])]);
    };
    std::string text;
    text += tag("Event", protocol::printable(event));
    text += tag("Site", "?");
    text += tag("Date", date_of(record));
    text += tag("Round", to_string(record.task.key));
    text += tag("White", name_in(0));
    text += tag("Black", name_in(1));
    text += tag("Result", pgn_result(record));
    text += tag("Variant", "Nimarena");
    text += tag("Position", record.task.position.text());
    text += tag("PlyCount", std::to_string(record.moves.size()));
    text += tag("Termination", termination_of(record.reason));
    text += '\n';

    std::vector<std::string> words;
    std::vector<std::string> moves;  // each followed by its time
    for (std::size_t i = 0; i < record.moves.size(); ++i) {
        moves.push_back(protocol::printable(record.moves[i]));
        if (i < record.times.size()) moves.push_back(move_time(record.times[i]));
    }
    add_comment(std::move(moves), words);
    add_comment(end_of(record), words);
    words.emplace_back(pgn_result(record));
    return text + wrap(words) + '\n';
}

}  // namespace arena
