#include "arena/pages/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "arena/tournament_options.hpp"

namespace arena::pages {
namespace {

using protocol::Result;

constexpr std::size_t kMaxFaults = 50;        // shown for a player
constexpr std::size_t kMaxChosen = 200;       // games of a player, where not all are asked for
constexpr std::size_t kMaxWithErrors = 2000;  // players
constexpr std::size_t kRatingsShown = 24;     // points of time
constexpr std::size_t kEvents = 4096;

// ---- the first pass: results alone ----

struct Results {
    std::vector<RoundPlan> plans;
    std::vector<GameResult> games;  // sorted as the schedule is
};

Result<Results> read_results(Store& store) {
    Results results;
    std::uint64_t after = 0;
    while (true) {
        auto events = store.events(after, kEvents);
        if (!events) return events.error();
        if (events->empty()) break;
        after = events->back().number;
        for (Event& event : *events) {
            if (auto* plan = std::get_if<RoundPlan>(&event.what)) {
                results.plans.push_back(std::move(*plan));
            } else if (auto* game = std::get_if<GameResult>(&event.what)) {
                results.games.push_back(*game);
            }
        }
    }
    std::ranges::sort(results.games, {}, &GameResult::key);
    return results;
}

double points_of_first(const GameResult& result) {
    return !result.winner ? 0.5 : *result.winner == 0 ? 1 : 0;
}

class ScoreTable {
  public:
    void add(const GameResult& result) {
        if (result.reason == Reason::Void) return;
        const auto [first, second] = result.players;
        PairScore& score = scores_[{std::min(first, second), std::max(first, second)}];
        const double points = points_of_first(result);
        score.games += 1;
        score.points += first < second ? points : 1 - points;
    }
    std::vector<PairScore> scores() const {
        std::vector<PairScore> all;
        for (const auto& [players, score] : scores_) {
            all.push_back({static_cast<std::size_t>(players.first),
                           static_cast<std::size_t>(players.second), score.games,
                           score.points});
        }
        return all;
    }

  private:
    std::map<std::pair<int, int>, PairScore> scores_;
};

void rate(Summary& summary, const std::vector<GameResult>& games) {
    const std::size_t players = summary.entrants.size();
    summary.with_errors = players <= kMaxWithErrors;
    ScoreTable table;
    const std::size_t step = std::max<std::size_t>(1, games.size() / kRatingsShown);
    for (std::size_t i = 0; i < games.size(); ++i) {
        table.add(games[i]);
        if ((i + 1) % step != 0 && i + 1 != games.size()) continue;
        const EloFit fit(players, table.scores());
        RatingsAt at{i + 1, {}};
        for (std::size_t player = 0; player < players; ++player) {
            at.elo.push_back(fit.elo(player));
        }
        summary.progress.push_back(std::move(at));
    }
    const EloFit fit(players, table.scores());
    if (summary.with_errors) {
        summary.ratings = fit.ratings();
    } else {
        for (std::size_t i = 0; i < players; ++i)
            summary.ratings.push_back({fit.elo(i), 0, true});
    }
}

// Pairs of games by the points of player 0.
PairCounts count_pairs(const Results& results) {
    std::map<PairKey, std::array<std::optional<GameResult>, 2>> pairs;
    for (const GameResult& game : results.games) {
        pairs[game.key.pair][game.key.leg == 2 ? 1 : 0] = game;
    }
    PairCounts counts{};
    for (const auto& [key, games] : pairs) {
        int halves = 0;
        bool complete = true;
        for (const auto& game : games) {
            complete = complete && game && game->reason != Reason::Void;
            if (!complete) break;
            const double points = points_of_first(*game);
            halves += static_cast<int>(2 * (game->players[0] == 0 ? points : 1 - points));
        }
        if (complete) ++counts[static_cast<std::size_t>(halves)];
    }
    return counts;
}

// ---- the second pass: the games ----

bool has_mistake(const GameAnalysis& analysis, std::size_t seat, engine::Outcome before) {
    for (std::size_t i = seat; i < analysis.plies.size(); i += 2) {
        const PlyAnalysis& ply = analysis.plies[i];
        if (ply.mistake == Finding::Yes && ply.before == before) return true;
    }
    return false;
}

// A game with a fault or a strike, or one that was thrown.
bool is_telling(const GameRecord& record, const GameAnalysis& analysis) {
    if (is_fault(record.reason)) return true;
    for (std::size_t seat = 0; seat < 2; ++seat) {
        if (!record.strikes[seat].empty()) return true;
        const bool won = record.winner == static_cast<int>(seat);
        if (!won && has_mistake(analysis, seat, engine::Outcome::N)) return true;
    }
    return false;
}

class GameReader {
  public:
    GameReader(Summary& summary, const PageOptions& options)
        : summary_(summary), options_(options), plain_(summary.players.size()) {}

    void add(const StoredGame& stored) {
        const GameRecord& record = stored.record;
        ++summary_.games;
        summary_.plies += record.moves.size();
        auto analysis = parse_game_analysis(stored.annotation);
        const bool known = analysis && analysis->plies.size() == record.moves.size();
        if (!known) {
            ++summary_.not_analysed;
            analysis = GameAnalysis{};
            analysis->plies.resize(record.moves.size());
        }
        summary_.statistics.add(record, *analysis);
        for (std::size_t seat = 0; seat < 2; ++seat) add_seat(seat, record);
        choose(record, *analysis);
    }

    // Fills up with games that are not telling.
    void finish() {
        for (std::size_t i = 0; i < plain_.size(); ++i) {
            auto& games = summary_.players[i].games;
            for (auto& game : plain_[i]) {
                if (games.size() < most_chosen()) games.push_back(std::move(game));
            }
            std::ranges::sort(games, {},
                              [](const auto& game) { return game->record.task.key; });
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
        const bool lost =
            is_fault(record.reason) && record.faulty_seat == static_cast<int>(seat);
        const auto& strikes = record.strikes[seat];
        for (std::size_t i = 0; i < strikes.size(); ++i) {
            // What stderr had in the end stands with the game's last fault.
            const bool last = i + 1 == strikes.size() && !lost;
            add_fault(player, {record.task.key,
                               opponent,
                               strikes[i].reason,
                               strikes[i].ply,
                               "the arena moved instead",
                               {strikes[i].received,
                                {},
                                last ? record.stderr_tails[seat] : std::string(),
                                std::nullopt}});
        }
        if (!lost) return;
        add_fault(player,
                  {record.task.key, opponent, record.reason, 0, record.detail, record.fault});
    }

    static void add_fault(PlayerPages& player, FaultCase fault) {
        if (player.faults.size() < kMaxFaults) player.faults.push_back(std::move(fault));
    }

    void choose(const GameRecord& record, const GameAnalysis& analysis) {
        const bool telling = is_telling(record, analysis);
        if (!telling && options_.games == PageGames::Faults) return;
        std::shared_ptr<const ChosenGame> game;
        for (std::size_t seat = 0; seat < 2; ++seat) {
            const int number = record.task.players[seat];
            PlayerPages& player = player_at(number);
            ++player.games_of_that_kind;
            auto& games = telling ? player.games : plain_[static_cast<std::size_t>(number)];
            if (games.size() >= most_chosen()) continue;
            if (!game) game = std::make_shared<ChosenGame>(ChosenGame{record, analysis});
            games.push_back(game);
        }
    }

    PlayerPages& player_at(int number) {
        return summary_.players[static_cast<std::size_t>(number)];
    }

    Summary& summary_;
    const PageOptions& options_;
    std::vector<std::vector<std::shared_ptr<const ChosenGame>>> plain_;
};

int games_of_pairing(const Summary& summary) {
    const std::string text = setting(summary, "games");
    int games = 2;
    std::from_chars(text.data(), text.data() + text.size(), games);
    return games;
}

// Of a knockout; empty for the others.
Result<std::vector<int>> rounds_reached(const Summary& summary, const Results& results) {
    const auto first = std::ranges::count(summary.entrants, 1, &Entrant::first_round);
    const auto options = recorded_format(summary.configuration, static_cast<int>(first));
    if (!options) return options.error();
    if (options->kind != FormatKind::Knockout) return std::vector<int>();
    const auto format = make_format(*options);
    if (!format) return format.error();
    for (const Entrant& entrant : summary.entrants) (*format)->add(entrant);
    for (const RoundPlan& plan : results.plans) (*format)->add(plan);
    for (const GameResult& game : results.games) (*format)->add(game);
    return (*format)->rounds_reached();
}

}  // namespace

void ThinkTimes::add(Microseconds time) {
    const double us = static_cast<double>(std::max<std::int64_t>(time.count(), 0));
    std::size_t bin = 0;
    while (bin + 1 < kBins && us >= std::pow(10, (static_cast<double>(bin) + 1) / 2)) ++bin;
    ++counts[bin];
    total += time;
    ++moves;
}

std::string ThinkTimes::bin_name(std::size_t bin) {
    if (bin == 0) return "0";
    constexpr std::array kUnits{"µs", "ms", "s"};
    const std::size_t decade = bin / 2;
    const std::size_t unit = std::min<std::size_t>(decade / 3, 2);
    const double value = std::pow(10, static_cast<double>(decade - 3 * unit));
    return fmt::format("{:.0f} {}", bin % 2 == 0 ? value : 3 * value, kUnits[unit]);
}

std::string rating_text(const Summary& summary, const Rating& rating) {
    if (!rating.played) return "-";
    if (!summary.with_errors) return elo_text(rating.elo);
    return fmt::format("{} ± {:.0f}", elo_text(rating.elo), rating.error);
}

std::string setting(const Summary& summary, std::string_view key) {
    for (const auto& [name, value] : summary.configuration) {
        if (name == key) return value;
    }
    return {};
}

Result<Summary> summarize(Store& store, const PageOptions& options) {
    Summary summary;
    auto configuration = store.configuration();
    if (!configuration) return configuration.error();
    summary.configuration = *std::move(configuration);
    auto entrants = store.entrants();
    if (!entrants) return entrants.error();
    summary.entrants = *std::move(entrants);
    const auto results = read_results(store);
    if (!results) return results.error();

    summary.standings.emplace(games_of_pairing(summary));
    for (const Entrant& entrant : summary.entrants) summary.standings->add(entrant);
    for (const RoundPlan& plan : results->plans) summary.standings->add(plan);
    for (const GameResult& game : results->games) summary.standings->add(game);
    const auto reached = rounds_reached(summary, *results);
    if (!reached) return reached.error();
    summary.table = summary.standings->table(*reached);
    rate(summary, results->games);
    if (summary.entrants.size() == 2) summary.pairs = count_pairs(*results);

    summary.players.resize(summary.entrants.size());
    summary.statistics = PlayerStatistics(summary.entrants.size());
    GameReader reader(summary, options);
    const auto read = store.for_each_game([&](const StoredGame& game) {
        reader.add(game);
        return true;
    });
    if (!read) return read.error();
    reader.finish();
    return summary;
}

}  // namespace arena::pages
