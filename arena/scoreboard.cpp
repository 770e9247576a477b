#include "arena/scoreboard.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "arena/exit_codes.hpp"
#include "arena/statistics/elo.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::size_t kShownInProgress = 4;  // players
constexpr std::ptrdiff_t kShownInTable = 200;

// With error bars, unless there are so many players that these would take long.
std::vector<Rating> ratings_of(std::size_t players, const std::vector<PairScore>& scores) {
    constexpr std::size_t kMostWithErrors = 1000;
    const EloFit fit(players, scores);
    if (players <= kMostWithErrors) return fit.ratings();
    std::vector<Rating> ratings(players);
    for (const PairScore& score : scores) {
        ratings[score.first].played = ratings[score.second].played = true;
    }
    for (std::size_t i = 0; i < players; ++i) ratings[i].elo = fit.elo(i);
    return ratings;
}

std::string points_text(double points) { return fmt::format("{}", points); }

}  // namespace

Scoreboard::Scoreboard(const TournamentOptions& options, const Names& names,
                       std::optional<std::uint64_t> total)
    : options_(options), names_(names), total_(total), standings_(options.format.games) {
    if (!options.sprt.empty()) elo_test_ = *parse_elo_test(options.sprt);
    if (!options.sprt_error.empty()) error_test_ = *parse_error_test(options.sprt_error);
}

void Scoreboard::begin() {
    const std::lock_guard lock(mutex_);
    began_ = Clock::now();
    games_before_ = games_;
    if (total_ && *total_ > 0) tenth_ = games_ * 10 / *total_;
}

void Scoreboard::add(const Entrant& entrant) {
    const std::lock_guard lock(mutex_);
    standings_.add(entrant);
}

void Scoreboard::add(const RoundPlan& plan) {
    const std::lock_guard lock(mutex_);
    standings_.add(plan);
    if (!has_test()) return;
    for (const PlannedPair& pair : plan.pairs) order_.expect(pair.key);
}

bool Scoreboard::add(const GameResult& result, const std::optional<Decisions>& decisions) {
    const std::lock_guard lock(mutex_);
    ++games_;
    void_games_ += result.reason == Reason::Void;
    faults_ += is_fault(result.reason);
    standings_.add(result);
    if (has_test()) add_to_test(result, decisions);
    const bool decided = state_.verdict != TestVerdict::Open;
    return !decided && (options_.max_games == 0 || games_ < options_.max_games);
}

// Pairs with a void game tell nothing.
void Scoreboard::add_to_test(const GameResult& result,
                             const std::optional<Decisions>& decisions) {
    std::optional<Tested> tested;
    if (result.reason != Reason::Void) {
        const int seat = result.players[0] == 0 ? 0 : 1;
        tested.emplace();
        tested->halves = result.winner ? (*result.winner == seat ? 2 : 0) : 1;
        if (decisions) tested->decisions = *decisions;
    }
    order_.add(result.key, tested);
    while (const auto pair = order_.next()) {
        if (state_.verdict != TestVerdict::Open) return;
        const auto& [first, second] = pair->games;
        if (!first || !second) continue;
        ++pairs_[static_cast<std::size_t>(first->halves + second->halves)];
        for (const Decisions& game : {first->decisions, second->decisions}) {
            for (const auto& [position, mistake] : game) decisions_.add(position, mistake);
        }
        if (elo_test_) {
            state_ = judge(*elo_test_, pairs_);
        } else {
            const ErrorRate rate = decisions_.error_rate();
            state_ = judge(*error_test_, rate.mistakes, rate.decisions);
        }
    }
}

void Scoreboard::add_details(const GameRecord& record) {
    const std::lock_guard lock(mutex_);
    for (std::size_t seat = 0; seat < 2; ++seat) {
        const int player = record.task.players[seat];
        if (record.off_turn_cpu[seat].count() > 0)
            off_turn_[player].add(record.off_turn_cpu[seat]);
        if (!record.strikes[seat].empty()) strikes_[player] += record.strikes[seat].size();
    }
    if (!record.faulty_seat) return;
    const auto seat = static_cast<std::size_t>(*record.faulty_seat);
    examples_.try_emplace({record.task.players[seat], record.reason},
                          Example{to_string(record.task.key), record.detail});
}

std::uint64_t Scoreboard::games() const {
    const std::lock_guard lock(mutex_);
    return games_;
}

bool Scoreboard::has_faults() const {
    const std::lock_guard lock(mutex_);
    return faults_ > 0;
}

std::optional<int> Scoreboard::test_exit() const {
    const std::lock_guard lock(mutex_);
    if (!has_test() || state_.verdict == TestVerdict::Open) return std::nullopt;
    return state_.verdict == TestVerdict::H0 ? kExitH0 : kExitH1;
}

std::string Scoreboard::progress() const {
    const std::lock_guard lock(mutex_);
    return progress_unlocked();
}

std::string Scoreboard::progress_unlocked() const {
    std::string line = fmt::format("{}", games_);
    if (total_) line += fmt::format("/{}", *total_);
    line += " games";
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    const std::uint64_t played = games_ - games_before_;
    const double rate = seconds > 0 ? static_cast<double>(played) / seconds : 0;
    if (played > 0) line += fmt::format(", {:.1f} games/s", rate);
    const auto names = names_.all();
    const auto table = standings_.table();
    for (std::size_t i = 0; i < std::min(table.size(), kShownInProgress); ++i) {
        line += fmt::format(", {} {}", names[static_cast<std::size_t>(table[i].player)],
                            points_text(table[i].points));
    }
    if (table.size() > kShownInProgress) line += ", …";
    if (faults_ > 0) line += fmt::format(", {} fault{}", faults_, faults_ == 1 ? "" : "s");
    if (has_test()) line += ", " + test_text();
    if (total_ && rate > 0 && *total_ > games_) {
        line += fmt::format(", {} left", duration_text(static_cast<std::uint64_t>(std::ceil(
                                             static_cast<double>(*total_ - games_) / rate))));
    }
    return line;
}

std::optional<std::string> Scoreboard::milestone() {
    const std::lock_guard lock(mutex_);
    if (!total_ || *total_ == 0) return std::nullopt;
    const std::uint64_t tenth = games_ * 10 / *total_;
    if (tenth == tenth_) return std::nullopt;
    tenth_ = tenth;
    return progress_unlocked();
}

std::string Scoreboard::test_text() const {
    return to_string(state_, elo_test_ ? to_string(*elo_test_) : to_string(*error_test_));
}

std::string Scoreboard::table(const std::vector<int>& reached) const {
    const std::lock_guard lock(mutex_);
    const auto names = names_.all();
    const auto table = standings_.table(reached);
    std::vector<PairScore> encounters;
    standings_.for_each_pair([&](int low, int high, const HeadToHead& side) {
        encounters.push_back({static_cast<std::size_t>(low), static_cast<std::size_t>(high),
                              static_cast<double>(side.games), side.points});
    });
    const auto ratings = ratings_of(table.size(), encounters);
    const std::size_t width = name_width(names);
    std::string text = fmt::format(
        "{:>5}  {:<{}}  {:>7} {:>7} {:>7} {:>7} {:>8} {:>9} {:>9} {:>6} {:>5} {:>7}\n", "place",
        "player", width, "games", "won", "drawn", "lost", "points", "buchholz", "sonneborn",
        "Elo", "+/-", "faults");
    for (const Standing& row : table) {
        if (&row - table.data() == kShownInTable) break;
        const Rating& rating = ratings[static_cast<std::size_t>(row.player)];
        std::int64_t faults = 0;
        for (const auto& [reason, count] : row.faults) faults += count;
        text += fmt::format(
            "{:>5}  {:<{}}  {:>7} {:>7} {:>7} {:>7} {:>8} {:>9} {:>9} {:>6} {:>5} {:>7}\n",
            row.rank, names[static_cast<std::size_t>(row.player)], width, row.games, row.wins,
            row.draws, row.losses, points_text(row.points), points_text(row.buchholz),
            points_text(row.sonneborn_berger),
            rating.played ? fmt::format("{:+.0f}", rating.elo) : "-",
            rating.error > 0 ? fmt::format("{:.0f}", rating.error) : "-", faults);
    }
    if (std::ssize(table) > kShownInTable) {
        text += fmt::format("       and {} more\n", std::ssize(table) - kShownInTable);
    }
    if (has_test()) text += test_text() + "\n";
    if (void_games_ > 0) {
        text +=
            fmt::format("{} void by the arena's own fault, counted for nobody\n", void_games_);
    }
    text += fault_text(table, names);
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

std::string Scoreboard::fault_text(const std::vector<Standing>& table,
                                   const std::vector<std::string>& names) const {
    std::string text;
    for (const Standing& row : table) {
        for (const auto& [reason, count] : row.faults) {
            text += fmt::format("{} lost {} game{} by {}",
                                names[static_cast<std::size_t>(row.player)], count,
                                count == 1 ? "" : "s", name(reason));
            const auto example = examples_.find({row.player, reason});
            if (example != examples_.end()) {
                text += fmt::format("; game {}: {}", example->second.game,
                                    protocol::printable(example->second.detail));
            }
            text += '\n';
        }
        const std::string& who = names[static_cast<std::size_t>(row.player)];
        if (const auto strikes = strikes_.find(row.player); strikes != strikes_.end()) {
            text += fmt::format("{} had {} move{} made for it by the arena\n", who,
                                strikes->second, strikes->second == 1 ? "" : "s");
        }
        if (const auto off_turn = off_turn_.find(row.player); off_turn != off_turn_.end()) {
            text += off_turn_text(who, off_turn->second, static_cast<std::uint64_t>(row.games));
        }
    }
    return text;
}

std::vector<EventStanding> Scoreboard::event_rows(const std::vector<int>& reached) const {
    const std::lock_guard lock(mutex_);
    const auto names = names_.all();
    std::vector<EventStanding> rows;
    for (const Standing& row : standings_.table(reached)) {
        rows.push_back({row.rank, row.player, names[static_cast<std::size_t>(row.player)],
                        row.points, row.games});
    }
    return rows;
}

}  // namespace arena
