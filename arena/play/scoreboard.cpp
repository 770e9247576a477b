// Adds up games while they are played, and prints the result: the table, the faults, the test.
//
// Sums are kept, never games; of each kind of fault, the key of the earliest example. But for
// the sequential test, none depends on the order in which games end.
//
// One mutex guards all of it: results come from the director's thread, questions from the
// console's and the web server's.
#include "arena/play/scoreboard.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "arena/base/console.hpp"
#include "arena/base/counted.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/text_table.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::size_t kShownInProgress = 4;  // players
constexpr std::size_t kShownInTable = 200;

constexpr std::size_t kMostWithErrors = 1000;  // players; with more these would take long
constexpr std::size_t kLivePlayers = 20;
constexpr std::size_t kLiveWidth = 6;     // of a column, at least
constexpr std::size_t kLiveNumbers = 49;  // columns beside the name, mostly
constexpr std::size_t kLeastLiveName = 10;

constexpr std::size_t kMostDetailed = 10;                   // faults
constexpr std::chrono::milliseconds kQuietBeginning{1000};  // without a rate to speak of

std::string endings_text(const std::map<Reason, std::uint64_t>& endings) {
    std::string text;
    for (const auto& [reason, count] : endings) {
        text += fmt::format("{} {} {}", text.empty() ? "games ended by:" : ",", name(reason),
                            count);
    }
    if (!text.empty()) text += '\n';
    const auto abandoned = endings.find(Reason::Void);
    if (abandoned != endings.end()) {
        text += counted(abandoned->second, "game") +
                " void, not counted: neither player started, or the arena failed\n";
    }
    return text;
}

// Says how much CPU time a player used off turn; empty if none.
std::string off_turn_text(const std::string& who, const Standing& row,
                          std::string_view remedy) {
    if (row.off_turn_games == 0) return {};
    return fmt::format(
        "{} used {:.1f} s of CPU time while its opponent was to move, in {} of {}: it takes "
        "time from whom it shares a core with{}\n",
        who, static_cast<double>(row.off_turn_cpu.count()) / 1e6, row.off_turn_games,
        counted(static_cast<std::uint64_t>(row.games), "game"), remedy);
}

// A name of at most `room` columns; "…" marks where it was cut.
std::string shortened(const std::string& name, std::size_t room) {
    if (display_width(name) <= room) return name;
    return std::string(cut_to_width(name, room - 1)) + "…";
}

bool have_equal_points(const std::vector<Standing>& table) {
    const auto equal = [](const Standing& a, const Standing& b) {
        return a.points == b.points;
    };
    return std::ranges::adjacent_find(table, equal) != table.end();
}

}  // namespace

Scoreboard::Scoreboard(const TournamentOptions& options, const Names& names)
    : options_(options),
      names_(names),
      results_(options.format.games, kMostStarts),
      test_(options.sprt, options.sprt_error) {}

void Scoreboard::set_total(std::optional<std::uint64_t> total) {
    const std::lock_guard lock(mutex_);
    total_ = total;
}

void Scoreboard::set_reached(std::vector<int> reached) {
    const std::lock_guard lock(mutex_);
    reached_ = std::move(reached);
}

void Scoreboard::begin() {
    const std::lock_guard lock(mutex_);
    began_ = Clock::now();
    games_before_ = games_;
    if (total_ && *total_ > 0) tenth_ = games_ * 10 / *total_;
}

void Scoreboard::add(const Entrant& entrant) {
    const std::lock_guard lock(mutex_);
    results_.add(entrant);
}

void Scoreboard::add(const RoundPlan& plan) {
    const std::lock_guard lock(mutex_);
    results_.add(plan);
    last_round_ = std::max(last_round_, plan.round);
    if (!plan.pairs.empty()) open_rounds_[plan.round] += 2 * plan.pairs.size();
    test_.add(plan);
}

bool Scoreboard::add(const GameResult& result, const std::optional<Decisions>& decisions) {
    const std::lock_guard lock(mutex_);
    ++games_;
    const auto open = open_rounds_.find(result.key.pair.round);
    if (open != open_rounds_.end() && --open->second == 0) open_rounds_.erase(open);
    ++endings_[result.reason];
    results_.add(result);
    faults_ += is_fault(result.reason);
    test_.add(result, decisions);
    return !test_.is_decided() && (options_.max_games == 0 || games_ < options_.max_games);
}

std::string Scoreboard::rematches(const RoundPlan& plan) const {
    const std::lock_guard lock(mutex_);
    const auto names = names_.all();
    std::string text;
    for (const PlannedPair& pair : plan.pairs) {
        const auto& [first, second] = pair.players;
        if (pair.key.position != 1 || pair.key.attempt != 1) continue;
        if (results_.encounter(first, second).meetings == 0) continue;
        text += fmt::format("{}{} and {}", text.empty() ? "rematch: " : "; ",
                            names[static_cast<std::size_t>(first)],
                            names[static_cast<std::size_t>(second)]);
    }
    return text;
}

std::uint64_t Scoreboard::games() const {
    const std::lock_guard lock(mutex_);
    return games_;
}

bool Scoreboard::has_faults() const {
    const std::lock_guard lock(mutex_);
    return faults_ > 0;
}

bool Scoreboard::has_startup_failure() const {
    const std::lock_guard lock(mutex_);
    return endings_.contains(Reason::Startup);
}

std::optional<int> Scoreboard::test_exit() const {
    const std::lock_guard lock(mutex_);
    if (!test_.is_decided()) return std::nullopt;
    return test_.verdict() == TestVerdict::H0 ? kExitH0 : kExitH1;
}

std::string Scoreboard::live(std::size_t rows, std::size_t columns) const {
    const std::lock_guard lock(mutex_);
    const auto names = names_.all();
    const auto table = results_.table(reached_);
    // Some room for lines above.
    const std::size_t shown = std::min({table.size(), kLivePlayers, rows > 8 ? rows - 6 : 0});
    const bool narrow = columns < kLiveNumbers + kLeastLiveName;
    const unsigned views = narrow ? kLive : kLive | kLiveWide;
    std::vector<StandingRow> lines;
    for (const Standing& standing : std::span(table).first(shown))
        lines.emplace_back().standing = &standing;
    if (lines.empty()) return progress(kShownInProgress);
    // Without names, their column is as wide as its head.
    const std::size_t beside = terminal_table(lines, views, kLiveWidth).find('\n') - kLiveWidth;
    const std::size_t room = std::max(columns, beside + kLeastLiveName) - beside;
    for (StandingRow& row : lines)
        row.name = shortened(names[static_cast<std::size_t>(row.standing->player)], room);
    return terminal_table(lines, views, kLiveWidth) + progress(0);
}

std::string Scoreboard::progress(std::size_t leaders) const {
    std::string line = fmt::format("{}", games_);
    if (total_) line += fmt::format("/{}", *total_);
    line += " games";
    if (games_ > games_before_) line += fmt::format(", {:.1f} games/s", rate());
    if (leaders > 0) {
        const auto names = names_.all();
        const auto table = results_.table(reached_);
        for (std::size_t i = 0; i < std::min(table.size(), leaders); ++i) {
            line += fmt::format(", {} {}", names[static_cast<std::size_t>(table[i].player)],
                                points_text(table[i].points));
        }
        if (table.size() > leaders) line += ", …";
    }
    if (faults_ > 0) line += ", " + counted(faults_, "fault");
    if (test_.is_wanted()) line += ", " + test_.text();
    if (const auto left = seconds_left()) {
        line += fmt::format(", {} left",
                            duration_text(static_cast<std::uint64_t>(std::ceil(*left))));
    }
    return line;
}

double Scoreboard::rate() const {
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    return seconds > 0 ? static_cast<double>(games_ - games_before_) / seconds : 0;
}

std::optional<double> Scoreboard::seconds_left() const {
    if (!total_ || *total_ <= games_ || games_ == games_before_) return std::nullopt;
    return static_cast<double>(*total_ - games_) / rate();
}

ContestProgress Scoreboard::contest_progress() const {
    const std::lock_guard lock(mutex_);
    ContestProgress progress{games_, total_, rate(), faults_, seconds_left(), std::nullopt};
    // The rounds of a match are only a way to plan it a few hundred games at a time.
    if (last_round_ == 0 || options_.is_match()) return progress;
    progress.round = open_rounds_.empty() ? last_round_ : open_rounds_.begin()->first;
    return progress;
}

std::vector<Standing> Scoreboard::standings() const {
    const std::lock_guard lock(mutex_);
    return results_.table(reached_);
}

std::optional<std::string> Scoreboard::milestone(Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    if (!total_ || *total_ == 0 || now - began_ < kQuietBeginning) return std::nullopt;
    const std::uint64_t tenth = games_ * 10 / *total_;
    if (tenth <= tenth_) return std::nullopt;  // the total may have grown
    tenth_ = tenth;
    return progress(kShownInProgress);
}

std::string Scoreboard::summary() const {
    const std::lock_guard lock(mutex_);
    return progress(kShownInProgress);
}

std::vector<StandingRow> Scoreboard::rows(const std::vector<Standing>& table) const {
    const auto names = names_.all();
    const EloFit fit(table.size(), results_.pair_scores());
    const auto ratings = fit.ratings(kMostWithErrors);
    std::vector<StandingRow> rows;
    for (std::size_t i = 0; i < std::min(table.size(), kShownInTable); ++i) {
        const auto player = static_cast<std::size_t>(table[i].player);
        StandingRow& row = rows.emplace_back();
        row.standing = &table[i];
        row.name = names[player];
        row.rating = ratings[player];
        if (i + 1 == table.size() || table.size() > kMostWithErrors) continue;
        const auto next = static_cast<std::size_t>(table[i + 1].player);
        if (row.rating.played && ratings[next].played)
            row.superiority = fit.superiority(player, next);
    }
    return rows;
}

std::string Scoreboard::table() const {
    const std::lock_guard lock(mutex_);
    const auto table = results_.table(reached_);
    const bool with_ties = options_.format.kind == FormatKind::Swiss ||
                           (table.size() > 2 && reached_.empty() && have_equal_points(table));
    const unsigned views = with_ties ? kTerminal | kTieBreaks : kTerminal;
    std::string text = terminal_table(rows(table), views);
    if (table.size() > kShownInTable) {
        text += fmt::format("       and {} more\n", table.size() - kShownInTable);
    }
    text += terminal_legend(views);
    if (!reached_.empty()) {
        text += fmt::format(
            "places: by the round reached; points: of all games, and {} for each bye\n",
            options_.format.games);
    } else if (std::ranges::any_of(table, [](const auto& row) { return row.byes > 0; })) {
        text += fmt::format("points: also {} for each bye\n", options_.format.games);
    }
    if (test_.is_wanted()) text += test_.text() + "\n";
    if (test_.is_decided() && games_ > test_.games_read()) {
        text += fmt::format(
            "the table has {}: {} had begun before that decision, and were played to their "
            "end\n",
            counted(games_, "game"), games_ - test_.games_read());
    }
    text += endings_text(endings_);
    text.pop_back();
    return text;
}

std::string Scoreboard::starts() const {
    const std::lock_guard lock(mutex_);
    std::vector<int> order;
    for (const Standing& row : results_.table(reached_)) order.push_back(row.player);
    return starts_text(results_.starts(), order, names_.all(), !options_.positions.empty());
}

std::string Scoreboard::faults(const GameOf& game_of) const {
    const std::lock_guard lock(mutex_);
    const auto names = names_.all();
    std::string text;
    std::size_t detailed = 0;
    for (const Standing& row : results_.table(reached_)) {
        const std::string& who = names[static_cast<std::size_t>(row.player)];
        for (const auto& [reason, lost] : row.faults) {
            text += fmt::format("{} lost {} by {}", who,
                                counted(static_cast<std::uint64_t>(lost.games), "game"),
                                name(reason));
            const auto game = game_of(lost.first);
            if (game) {
                text += fmt::format("; game {}: {}", game_name(lost.first, options_.is_match()),
                                    protocol::printable(game->detail));
            }
            text += '\n';
            if (game && ++detailed <= kMostDetailed) text += fault_text(*game);
        }
        if (row.strikes > 0) {
            text += fmt::format("{} had {} made for it by the arena\n", who,
                                counted(static_cast<std::uint64_t>(row.strikes), "move"));
        }
        const bool is_fair = options_.fair || options_.untrusted || options_.sandbox.on;
        text +=
            off_turn_text(who, row, is_fair ? "" : "; --fair stops it while it is off turn");
    }
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

}  // namespace arena
