#include "arena/scoreboard.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "arena/exit_codes.hpp"
#include "arena/report.hpp"
#include "arena/statistics/elo.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::size_t kShownInProgress = 4;  // players
constexpr std::size_t kShownInTable = 200;

std::string points_text(double points) { return fmt::format("{:g}", points); }

}  // namespace

double Scoreboard::Row::points() const {
    return static_cast<double>(wins) + 0.5 * static_cast<double>(draws) + byes;
}

Scoreboard::Scoreboard(const TournamentOptions& options, const Names& names,
                       std::optional<std::uint64_t> total)
    : options_(options), names_(names), total_(total), rows_(options.players.size()) {
    if (!options.sprt.empty()) test_ = *parse_elo_test(options.sprt);
}

void Scoreboard::begin() {
    const std::lock_guard lock(mutex_);
    began_ = Clock::now();
    games_before_ = games_;
    if (total_ && *total_ > 0) tenth_ = games_ * 10 / *total_;
}

void Scoreboard::add(const RoundPlan& plan) {
    const std::lock_guard lock(mutex_);
    for (const int player : plan.byes) {
        rows_[static_cast<std::size_t>(player)].byes += options_.format.games;
    }
    if (!test_) return;
    for (const PlannedPair& pair : plan.pairs) order_.expect(pair.key);
}

bool Scoreboard::add(const GameResult& result) {
    const std::lock_guard lock(mutex_);
    ++games_;
    if (result.reason == Reason::Void) ++void_games_;
    for (int seat = 0; seat < 2 && result.reason != Reason::Void; ++seat) {
        Row& row =
            rows_[static_cast<std::size_t>(result.players[static_cast<std::size_t>(seat)])];
        ++row.games;
        const bool won = result.winner == seat;
        row.wins += won;
        row.draws += !result.winner;
        row.losses += result.winner && !won;
        if (is_fault(result.reason) && !won) {
            ++row.faults[result.reason];
            ++faults_;
        }
    }
    if (result.reason != Reason::Void) {
        const auto [low, high] = std::minmax(result.players[0], result.players[1]);
        Met& met = met_[{low, high}];
        ++met.games;
        const double first = result.winner ? (*result.winner == 0 ? 1.0 : 0.0) : 0.5;
        met.points += result.players[0] == low ? first : 1 - first;
    }
    if (test_) add_to_test(result);
    const bool decided = state_.verdict != TestVerdict::Open;
    return !decided && (options_.max_games == 0 || games_ < options_.max_games);
}

// Pairs with a void game tell nothing.
void Scoreboard::add_to_test(const GameResult& result) {
    std::optional<int> halves;
    if (result.reason != Reason::Void) {
        const int seat = result.players[0] == 0 ? 0 : 1;
        halves = result.winner ? (*result.winner == seat ? 2 : 0) : 1;
    }
    order_.add(result.key, halves);
    while (const auto pair = order_.next()) {
        if (state_.verdict != TestVerdict::Open) return;
        if (!pair->games[0] || !pair->games[1]) continue;
        ++pairs_[static_cast<std::size_t>(*pair->games[0] + *pair->games[1])];
        state_ = judge(*test_, pairs_);
    }
}

void Scoreboard::add_faults(const GameRecord& record) {
    if (!record.faulty_seat) return;
    const auto seat = static_cast<std::size_t>(*record.faulty_seat);
    const std::lock_guard lock(mutex_);
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
    if (!test_ || state_.verdict == TestVerdict::Open) return std::nullopt;
    return state_.verdict == TestVerdict::H0 ? kExitH0 : kExitH1;
}

// Players by points, those with the same in the order of their numbers.
std::vector<std::size_t> Scoreboard::places() const {
    std::vector<std::size_t> order(rows_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [this](std::size_t a, std::size_t b) {
        return rows_[a].points() > rows_[b].points();
    });
    return order;
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
    const auto order = places();
    for (std::size_t i = 0; i < std::min(order.size(), kShownInProgress); ++i) {
        line += fmt::format(", {} {}", names[order[i]], points_text(rows_[order[i]].points()));
    }
    if (order.size() > kShownInProgress) line += ", …";
    if (faults_ > 0) line += fmt::format(", {} fault{}", faults_, faults_ == 1 ? "" : "s");
    if (test_) line += ", " + test_text();
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

std::string Scoreboard::test_text() const { return to_string(state_, to_string(*test_)); }

std::string Scoreboard::table() const {
    const std::lock_guard lock(mutex_);
    const auto names = names_.all();
    const auto order = places();
    std::vector<PairScore> encounters;
    for (const auto& [pair, met] : met_) {
        encounters.push_back({static_cast<std::size_t>(pair.first),
                              static_cast<std::size_t>(pair.second), met.games, met.points});
    }
    const auto ratings = EloFit(rows_.size(), encounters).ratings();
    const std::size_t width = name_width(names);
    std::string text = fmt::format(
        "{:>5}  {:<{}}  {:>7} {:>7} {:>7} {:>7} {:>8} {:>6} {:>5} {:>7}\n", "place", "player",
        width, "games", "won", "drawn", "lost", "points", "Elo", "+/-", "faults");
    for (std::size_t i = 0; i < std::min(order.size(), kShownInTable); ++i) {
        const Row& row = rows_[order[i]];
        const Rating& rating = ratings[order[i]];
        std::uint64_t faults = 0;
        for (const auto& [reason, count] : row.faults) faults += count;
        text += fmt::format("{:>5}  {:<{}}  {:>7} {:>7} {:>7} {:>7} {:>8} {:>6} {:>5} {:>7}\n",
                            i + 1, names[order[i]], width, row.games, row.wins, row.draws,
                            row.losses, points_text(row.points()),
                            rating.played ? fmt::format("{:+.0f}", rating.elo) : "-",
                            rating.played ? fmt::format("{:.0f}", rating.error) : "-", faults);
    }
    if (order.size() > kShownInTable) {
        text += fmt::format("     and {} more\n", order.size() - kShownInTable);
    }
    if (test_) text += test_text() + "\n";
    if (void_games_ > 0) {
        text +=
            fmt::format("{} void by the arena's own fault, counted for nobody\n", void_games_);
    }
    text += fault_text(names);
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

std::string Scoreboard::fault_text(const std::vector<std::string>& names) const {
    std::string text;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        for (const auto& [reason, count] : rows_[i].faults) {
            text += fmt::format("{} lost {} game{} by {}", names[i], count,
                                count == 1 ? "" : "s", name(reason));
            const auto example = examples_.find({static_cast<int>(i), reason});
            if (example != examples_.end()) {
                text += fmt::format("; game {}: {}", example->second.game,
                                    protocol::printable(example->second.detail));
            }
            text += '\n';
        }
    }
    return text;
}

std::vector<EventStanding> Scoreboard::event_rows() const {
    const std::lock_guard lock(mutex_);
    const auto names = names_.all();
    std::vector<EventStanding> rows;
    for (const std::size_t player : places()) {
        rows.push_back({static_cast<int>(player), names[player], rows_[player].points(),
                        rows_[player].games});
    }
    return rows;
}

}  // namespace arena
