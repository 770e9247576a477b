#include "arena/report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arena/contest/format_table.hpp"
#include "arena/record/annotate.hpp"
#include "arena/report/record_head.hpp"

namespace arena::pages {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

constexpr std::size_t kMaxChosen = 200;       // games of a player, where not all are asked for
constexpr std::size_t kMaxWithErrors = 2000;  // players
constexpr std::size_t kRatingsShown = 24;     // points of time
constexpr std::size_t kEvents = 4096;

// ---- the first pass: results alone ----

// Players and results into the summary.
Result<std::vector<RoundPlan>> read_events(Store& store, const engine::Budget& budget,
                                           Summary& summary) {
    std::vector<RoundPlan> plans;
    std::uint64_t after = 0;
    while (!budget.is_spent()) {
        const auto events = store.events(after, kEvents);
        if (!events) return events.error();
        if (events->empty()) break;
        after = events->back().number;
        for (const Event& event : *events) {
            if (const auto* entrant = std::get_if<Entrant>(&event.what))
                summary.entrants.push_back(*entrant);
            else if (const auto* plan = std::get_if<RoundPlan>(&event.what))
                plans.push_back(*plan);
            else
                summary.results.push_back(std::get<GameResult>(event.what));
        }
    }
    std::ranges::sort(summary.results, {}, &GameResult::key);
    return plans;
}

// Adds up the results, and notes the ratings now and then. Ends early once the budget is spent:
// with many players each fit takes long.
void add_results(const std::vector<RoundPlan>& plans, const engine::Budget& budget,
                 Summary& summary) {
    const std::size_t players = summary.entrants.size();
    for (const Entrant& entrant : summary.entrants) summary.standings->add(entrant);
    for (const RoundPlan& plan : plans) summary.standings->add(plan);
    const std::vector<GameResult>& games = summary.results;
    const std::size_t step = std::max<std::size_t>(1, games.size() / kRatingsShown);
    for (std::size_t i = 0; i < games.size(); ++i) {
        summary.standings->add(games[i]);
        if ((i + 1) % step != 0 && i + 1 != games.size()) continue;
        if (budget.is_spent()) return;
        const EloFit fit(players, summary.standings->pair_scores());
        RatingsAt at{i + 1, {}};
        for (std::size_t player = 0; player < players; ++player) {
            at.elo.push_back(fit.elo(player));
        }
        summary.progress.push_back(std::move(at));
    }
    if (budget.is_spent()) return;
    summary.with_errors = players <= kMaxWithErrors;
    summary.ratings = EloFit(players, summary.standings->pair_scores()).ratings(kMaxWithErrors);
}

// ---- the second pass: the games ----

class GameReader {
  public:
    GameReader(Summary& summary, const PageOptions& options)
        : summary_(summary), options_(options), others_(summary.players.size()) {}

    void add(const GameRecord& record) {
        ++summary_.games;
        summary_.void_games += record.reason == Reason::Void;
        if (const auto time = record.started; time.time_since_epoch().count() > 0) {
            summary_.began = std::min(summary_.began.value_or(time), time);
            summary_.last_began = std::max(summary_.last_began.value_or(time), time);
        }
        summary_.plies += record.moves.size();
        auto analysis = noted_analysis(record);
        if (!analysis) {
            ++summary_.not_analysed;
            for (const int number : record.task.players) ++player_at(number).not_analysed;
            analysis = known_analysis(record);
        }
        summary_.standings->add_analysis(record, *analysis);
        for (std::size_t seat = 0; seat < 2; ++seat) add_seat(seat, record);
        choose(record, *analysis);
    }

    // Fills up with games in which the player did nothing wrong.
    void finish() {
        for (std::size_t i = 0; i < others_.size(); ++i) {
            auto& games = summary_.players[i].games;
            for (auto& game : others_[i]) {
                if (games.size() < most_chosen()) games.push_back(std::move(game));
            }
            std::ranges::sort(games, {}, [](const auto& game) { return game->task.key; });
        }
    }

  private:
    std::size_t most_chosen() const {
        if (options_.games == PageGames::Number) return options_.number;
        return options_.games == PageGames::All ? std::string::npos : kMaxChosen;
    }

    void add_seat(std::size_t seat, const GameRecord& record) {
        PlayerPages& player = player_at(record.task.players[seat]);
        const int opponent = record.task.players[1 - seat];
        for (std::size_t i = seat; i < record.times.size(); i += 2) {
            player.times.add(record.times[i]);
        }
        const bool lost = record.faulty_seat() == static_cast<int>(seat);
        const auto& strikes = record.strikes[seat];
        for (std::size_t i = 0; i < strikes.size(); ++i) {
            // The end of stderr stands with the game's last fault.
            const bool last = i + 1 == strikes.size() && !lost;
            Cause fault{strikes[i].reason, "the arena moved instead", strikes[i].received};
            if (last) fault.stderr_tail = record.stderr_tails[seat];
            add_fault(player, {record.task.key, opponent, strikes[i].ply, std::move(fault)});
        }
        if (!lost) return;
        add_fault(player, {record.task.key, opponent, 0, record});
    }

    void add_fault(PlayerPages& player, FaultCase fault) const {
        if (player.faults.size() < options_.faults) player.faults.push_back(std::move(fault));
    }

    void choose(const GameRecord& record, const GameAnalysis& analysis) {
        const std::array erred{has_erred(record, analysis, 0), has_erred(record, analysis, 1)};
        if (!erred[0] && !erred[1] && options_.games == PageGames::Faults) return;
        std::shared_ptr<const GameRecord> game;
        for (std::size_t seat = 0; seat < 2; ++seat) {
            const int number = record.task.players[seat];
            PlayerPages& player = player_at(number);
            ++player.games_of_that_kind;
            auto& games =
                erred[seat] ? player.games : others_[static_cast<std::size_t>(number)];
            if (games.size() >= most_chosen()) continue;
            if (!game) game = std::make_shared<GameRecord>(record);
            games.push_back(game);
        }
    }

    PlayerPages& player_at(int number) {
        return summary_.players[static_cast<std::size_t>(number)];
    }

    Summary& summary_;
    const PageOptions& options_;
    std::vector<std::vector<std::shared_ptr<const GameRecord>>> others_;
};

// Null for all formats but a knockout, whose bracket it knows.
Result<std::unique_ptr<Format>> knockout_of(const Summary& summary,
                                            const std::vector<RoundPlan>& plans) {
    const auto options = recorded_format(summary.configuration, summary.entrants);
    if (!options) return options.error();
    if (options->kind != FormatKind::Knockout) return std::unique_ptr<Format>();
    auto format = make_format(*options);
    if (!format) return format.error();
    for (const Entrant& entrant : summary.entrants) (*format)->add(entrant);
    for (const RoundPlan& plan : plans) (*format)->add(plan);
    for (const GameResult& game : summary.results) (*format)->add(game);
    return format;
}

void keep_visits(Summary& summary, const std::vector<RoundPlan>& plans) {
    for (const RoundPlan& plan : plans) {
        auto visit = visit_of(plan);
        if (!visit || static_cast<std::size_t>(visit->player) >= summary.players.size())
            continue;
        summary.players[static_cast<std::size_t>(visit->player)].visits.push_back(*visit);
    }
}

// Hands the results to the pages of their players.
void keep_results(Summary& summary) {
    for (std::size_t i = 0; i < summary.results.size(); ++i) {
        for (const int player : summary.results[i].players) {
            summary.players[static_cast<std::size_t>(player)].results.push_back(i);
        }
    }
}

Error out_of_time() {
    return {Fault::TimedOut, "the games could not be read in the time for it", 0};
}

}  // namespace

GameAnalysis known_analysis(const GameRecord& record) {
    if (auto noted = noted_analysis(record)) return *std::move(noted);
    return {std::vector<PlyAnalysis>(record.moves.size())};
}

bool has_erred(const GameRecord& record, const GameAnalysis& analysis, std::size_t seat) {
    if (record.faulty_seat() == static_cast<int>(seat)) return true;
    if (!record.strikes[seat].empty()) return true;
    return record.winner != static_cast<int>(seat) && first_throw(record, analysis, seat) > 0;
}

void ThinkTimes::add(Microseconds time) {
    const double us = static_cast<double>(std::max<std::int64_t>(time.count(), 0));
    std::size_t bin = 0;
    while (bin + 1 < kBins && us >= std::pow(10, (static_cast<double>(bin) + 1) / 2)) ++bin;
    ++counts[bin];
}

std::string ThinkTimes::bin_name(std::size_t bin) {
    if (bin == 0) return "0";
    constexpr std::array kUnits{"µs", "ms", "s"};
    const std::size_t decade = bin / 2;
    const std::size_t unit = std::min<std::size_t>(decade / 3, 2);
    const double value = std::pow(10, static_cast<double>(decade - 3 * unit));
    return fmt::format("{:.0f} {}", bin % 2 == 0 ? value : 3 * value, kUnits[unit]);
}

Result<Summary> summarize(Store& store, const PageOptions& options,
                          const engine::Budget& budget) {
    Summary summary;
    auto configuration = store.configuration();
    if (!configuration) return configuration.error();
    summary.configuration = *std::move(configuration);
    const auto plans = read_events(store, budget, summary);
    if (!plans) return plans.error();

    summary.standings.emplace(games_of_pairing(summary.configuration), Summary::kMostStarts);
    add_results(*plans, budget, summary);
    if (budget.is_spent()) return out_of_time();
    const auto knockout = knockout_of(summary, *plans);
    if (!knockout) return knockout.error();
    if (*knockout) summary.bracket = (*knockout)->bracket();
    summary.table = summary.standings->table(*knockout ? (*knockout)->rounds_reached()
                                                       : std::vector<int>());

    summary.players.resize(summary.entrants.size());
    keep_visits(summary, *plans);
    keep_results(summary);
    GameReader reader(summary, options);
    const auto read = store.for_each_game([&](const GameRecord& game) {
        const GameKey& key = game.task.key;
        if (std::ranges::binary_search(summary.results, key, {}, &GameResult::key)) {
            reader.add(game);
        }
        return !budget.is_spent();
    });
    if (!read) return read.error();
    reader.finish();
    summary.damage = store.damage();
    if (budget.is_spent()) return out_of_time();
    return summary;
}

}  // namespace arena::pages
