#include "arena/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "arena/counted.hpp"
#include "arena/record.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using Names = std::vector<std::string>;

constexpr std::size_t kMaxThrows = 10;     // listed for a player
constexpr std::size_t kMaxReceived = 200;  // bytes of a line
constexpr std::size_t kMaxStderrLines = 10;

std::string points(std::uint64_t halves) {
    return fmt::format("{}.{}", halves / 2, halves % 2 * 5);
}

// ---- adding up ----

void add_theory(PlayerTally& player, std::size_t seat, engine::Outcome start) {
    switch (start) {
        case engine::Outcome::N:
            player.theory_halves += seat == 0 ? 2 : 0;
            break;
        case engine::Outcome::P:
            player.theory_halves += seat == 1 ? 2 : 0;
            break;
        case engine::Outcome::D:
            player.theory_halves += 1;
            break;
        case engine::Outcome::Unknown:
            ++player.theory_unknown;
            break;
    }
}

void add_fault(FaultTally& tally, const GameRecord& record) {
    ++tally.count;
    if (tally.count > 1 && record.task.game > tally.game) return;
    tally.game = record.task.game;
    tally.detail = record.detail;
    tally.fault = record.fault;
    if (tally.fault.received.size() > kMaxReceived)
        tally.fault.received.resize(kMaxReceived + 1);
}

void add_throw(PlayerTally& player, std::uint64_t game, const LosingMove& move) {
    ++player.thrown;
    player.throws.emplace(game, move);
    if (player.throws.size() > kMaxThrows) player.throws.erase(std::prev(player.throws.end()));
}

// ---- the report, paragraph by paragraph ----

std::string table(const Tally& tally, const Names& names) {
    const std::size_t width = name_width(names);
    std::string text =
        fmt::format("{:<{}}  {:>8} {:>8} {:>8} {:>8} {:>10} {:>10}\n", "player", width, "games",
                    "wins", "losses", "draws", "points", "theory");
    for (std::size_t i = 0; i < names.size(); ++i) {
        const PlayerTally& player = tally.players()[i];
        const std::string theory =
            points(player.theory_halves) + (player.theory_unknown > 0 ? "+?" : "");
        text += fmt::format("{:<{}}  {:>8} {:>8} {:>8} {:>8} {:>10} {:>10}\n", names[i], width,
                            player.games, player.wins, player.losses, player.draws,
                            points(player.halves()), theory);
    }
    return text;
}

// What the column "theory" does not know.
std::string unknown_theory(const Tally& tally) {
    std::uint64_t unknown = 0;
    for (const PlayerTally& player : tally.players()) unknown += player.theory_unknown;
    if (unknown == 0) return {};
    return fmt::format("theory: without {}, whose outcome is not known\n",
                       counted(unknown / 2, "game"));
}

std::string endings(const Tally& tally) {
    std::string text;
    for (const auto& [reason, count] : tally.endings()) {
        text += fmt::format("{} {} {}", text.empty() ? "games ended by:" : ",", name(reason),
                            count);
    }
    if (!text.empty()) text += "\n";
    const auto abandoned = tally.endings().find(Reason::Void);
    if (abandoned != tally.endings().end()) {
        text += fmt::format("{} void by the arena's own fault, counted for nobody\n",
                            counted(abandoned->second, "game"));
    }
    return text;
}

std::string last_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(protocol::printable(line, kMaxReceived));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    const std::size_t skipped =
        lines.size() > kMaxStderrLines ? lines.size() - kMaxStderrLines : 0;
    std::string shown;
    for (std::size_t i = skipped; i < lines.size(); ++i) shown += "      | " + lines[i] + "\n";
    return shown;
}

std::string exit_text(const ExitStatus& exit) {
    if (exit.signal) return "was ended by " + signal_name(*exit.signal);
    return fmt::format("exited with status {}", exit.code.value_or(0));
}

std::string fault_text(const std::string& who, Reason reason, const FaultTally& tally) {
    const FaultDetail& fault = tally.fault;
    std::string text =
        fmt::format("{} lost {} by {}; game {}: {}\n", who, counted(tally.count, "game"),
                    name(reason), tally.game, tally.detail);
    if (!fault.received.empty()) {
        text += "    received: '" + protocol::printable(fault.received, kMaxReceived) + "'\n";
    }
    if (!fault.expected.empty()) {
        text += "    expected: " + protocol::printable(fault.expected, kMaxReceived) + "\n";
    }
    if (fault.exit) text += "    the process " + exit_text(*fault.exit) + "\n";
    if (!fault.stderr_tail.empty()) {
        text += "    its last lines on stderr:\n" + last_lines(fault.stderr_tail);
    }
    return text;
}

std::string throws_text(const std::string& who, const PlayerTally& player) {
    if (player.thrown == 0) return {};
    std::string text = fmt::format(
        "{} threw {} of {}, by its first losing move from a won "
        "position:\n",
        who, player.thrown, counted(player.games, "game"));
    for (const auto& [game, losing] : player.throws) {
        text += fmt::format("    game {}, move {}, in {}: {}", game, losing.ply,
                            losing.position, losing.move);
        text +=
            losing.winning.empty() ? "\n" : fmt::format(" loses, {} wins\n", losing.winning);
    }
    const std::uint64_t more = player.thrown - player.throws.size();
    if (more > 0) text += fmt::format("    and {} more\n", more);
    return text;
}

}  // namespace

void OffTurnTally::add(Microseconds used) {
    constexpr Milliseconds kTrifle{50};
    cpu += used;
    games += used > kTrifle;
}

std::string off_turn_text(const std::string& who, const OffTurnTally& off_turn,
                          std::uint64_t games) {
    if (off_turn.games == 0) return {};
    return fmt::format(
        "{} used {:.1f} s of CPU time while its opponent was to move, in {} of {}: it takes "
        "time "
        "from whom it shares a core with\n",
        who, static_cast<double>(off_turn.cpu.count()) / 1e6, off_turn.games,
        counted(games, "game"));
}

// What fmt leaves of a wide field that it fills with blanks.
std::size_t display_width(std::string_view text) {
    constexpr std::size_t kField = 1000;
    return text.size() + kField - fmt::formatted_size("{:<{}}", text, kField);
}

std::string aligned(const std::vector<std::vector<std::string>>& rows,
                    const std::vector<std::size_t>& left) {
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], display_width(row[i]));
        }
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool is_left = std::ranges::find(left, i) != left.end();
            if (i > 0) line += ' ';
            line += is_left ? fmt::format("{:<{}}", row[i], widths[i])
                            : fmt::format("{:>{}}", row[i], widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::size_t name_width(const std::vector<std::string>& names) {
    std::size_t width = std::string_view("player").size();
    for (const std::string& name : names) width = std::max(width, display_width(name));
    return width;
}

std::string duration_text(std::uint64_t seconds) {
    if (seconds >= 3600)
        return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
    if (seconds >= 60) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
    return fmt::format("{} s", seconds);
}

void Tally::add(const GameRecord& record, const GameReview& review) {
    ++finished_;
    ++endings_[record.reason];
    if (record.reason == Reason::Void) return;
    for (std::size_t seat = 0; seat < 2; ++seat) {
        add_seat(players_[static_cast<std::size_t>(record.task.players[seat])], seat, record,
                 review);
    }
}

void Tally::add_seat(PlayerTally& player, std::size_t seat, const GameRecord& record,
                     const GameReview& review) {
    const int number = static_cast<int>(seat);
    const bool won = record.winner == number;
    ++player.games;
    player.wins += won;
    player.draws += !record.winner;
    player.losses += record.winner && !won;
    add_theory(player, seat, review.start);
    if (record.faulty_seat == number) add_fault(player.faults[record.reason], record);
    if (review.thrown[seat] && !won) add_throw(player, record.task.game, *review.thrown[seat]);
    player.off_turn.add(record.off_turn_cpu[seat]);
}

bool Tally::has_faults() const {
    return std::ranges::any_of(endings_, [](const auto& row) { return is_fault(row.first); });
}

std::string progress_line(const Tally& tally, const Names& names, std::uint64_t total,
                          Milliseconds elapsed) {
    const std::uint64_t done = tally.finished();
    std::string line = fmt::format("{}/{} games", done, total);
    if (done == 0 || elapsed.count() <= 0) return line;

    const double rate = static_cast<double>(done) * 1000 / static_cast<double>(elapsed.count());
    line += fmt::format(", {:.1f} games/s", rate);
    if (names.size() == 2) {
        line += fmt::format(", {} {} : {} {}", names[0], points(tally.players()[0].halves()),
                            points(tally.players()[1].halves()), names[1]);
    }
    if (done >= total) return line;
    const double left = std::ceil(static_cast<double>(total - done) / rate);
    return line + ", " + duration_text(static_cast<std::uint64_t>(left)) + " left";
}

std::string final_report(const Tally& tally, const Names& names) {
    std::string text = table(tally, names) + unknown_theory(tally) + endings(tally);
    for (std::size_t i = 0; i < names.size(); ++i) {
        for (const auto& [reason, faults] : tally.players()[i].faults) {
            text += fault_text(names[i], reason, faults);
        }
        const PlayerTally& player = tally.players()[i];
        text += off_turn_text(names[i], player.off_turn, player.games);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += throws_text(names[i], tally.players()[i]);
    }
    return text;
}

}  // namespace arena
