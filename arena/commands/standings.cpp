// `nim-arena standings`: prints the tables of a record, as a tournament does at its end.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "arena/base/console.hpp"
#include "arena/base/counted.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/option_table.hpp"
#include "arena/commands/commands.hpp"
#include "arena/contest/format_table.hpp"
#include "arena/play/scoreboard.hpp"
#include "arena/record/annotate.hpp"
#include "arena/report/record_head.hpp"
#include "engine/sums/analyst.hpp"

namespace arena {
namespace {

constexpr std::string_view kStandingsHelp = R"(Usage: nim-arena standings FILE.db

Prints the current table of a record, as a tournament does at its end: places,
points, Elo, faults, the sequential test; for a knockout its bracket; points by
start position and ruleset, if there are several. The comparison with theory is
left out. First it says how many games are played, if some are missing: a
tournament may be adding them. `export`, `report` and `games` show more.

Example:
  nim-arena standings spring.db

Exit status:
  0  printed
  1  the record cannot be read
  2  the command line is wrong
  7  the record is damaged; what is left out is named
)";

struct RecordedContest {
    TournamentOptions options;
    std::unique_ptr<Format> format;
    Names names{std::vector<PlayerSpec>()};
    std::unique_ptr<Scoreboard> board;
    std::uint64_t games = 0;
};

// Empty if positions were drawn, or are too many to be recorded one by one.
std::vector<protocol::Position> recorded_positions(const Configuration& configuration) {
    std::vector<protocol::Position> positions;
    for (const std::string& line : split_printable(setting(configuration, "positions"))) {
        auto position = protocol::parse_position(line);
        if (!position) return {};
        positions.push_back(*std::move(position));
    }
    return positions;
}

// Those of the first player.
std::optional<Decisions> decisions_in(Store& store, const GameResult& result,
                                      const engine::Analyst& analyst) {
    const auto game = store.game(result.key);
    if (!game || !*game) return std::nullopt;
    return decisions_of(**game, analysis_of(**game, analyst), result.players[0] == 0 ? 0 : 1);
}

Result<void> read(Store& store, const RecordHead& head, RecordedContest& contest) {
    const auto options = recorded_format(head.configuration, head.entrants);
    if (!options) return options.error();
    contest.options.format = *options;
    contest.options.sprt = setting(head.configuration, "sprt");
    contest.options.sprt_error = setting(head.configuration, "sprt-error");
    if (const auto& elo = contest.options.sprt; !elo.empty())
        if (const auto test = parse_elo_test(elo); !test) return test.error();
    if (const auto& rate = contest.options.sprt_error; !rate.empty())
        if (const auto test = parse_error_test(rate); !test) return test.error();
    contest.options.positions = recorded_positions(head.configuration);
    auto format = make_format(*options);
    if (!format) return format.error();
    contest.format = *std::move(format);
    contest.board = std::make_unique<Scoreboard>(contest.options, contest.names);
    const auto analyst = engine::make_analyst();
    return for_each_event(store, [&](const Event& event) {
        std::visit([&](const auto& what) { contest.format->add(what); }, event.what);
        if (const auto* entrant = std::get_if<Entrant>(&event.what)) {
            contest.names.append(entrant->name);
            contest.board->add(*entrant);
        } else if (const auto* plan = std::get_if<RoundPlan>(&event.what)) {
            contest.board->add(*plan);
        } else {
            const auto& result = std::get<GameResult>(event.what);
            ++contest.games;
            const bool counts = !contest.options.sprt_error.empty() &&
                                result.reason != Reason::Void && !contest.board->test_exit();
            contest.board->add(result,
                               counts ? decisions_in(store, result, *analyst) : std::nullopt);
        }
    });
}

// Empty if no game is missing, or if that is not known: a ladder may end by its budget, a
// sequential test needs fewer games than there are, and of a damaged file some are left out.
std::string progress_of(Store& store, const Configuration& configuration,
                        const RecordedContest& contest) {
    const bool is_partial = store.sharing() == nullptr && !store.damage().empty();
    if (!contest.format->total_games() || contest.options.has_test() || is_partial) return "";
    const std::uint64_t all = *games_in_all(configuration, *contest.format);
    if (contest.games >= all) return "";
    return fmt::format("{} of {} are played", contest.games, counted(all, "game"));
}

int print_tables(Store& store, const RecordHead& head) {
    RecordedContest contest;
    const auto done = read(store, head, contest);
    if (!done) return refuse_record(done.error());
    contest.board->set_reached(contest.format->rounds_reached());
    const auto game_of = [&](const GameKey& key) {
        auto game = store.game(key);
        return game ? *std::move(game) : std::nullopt;
    };
    const std::string progress = progress_of(store, head.configuration, contest);
    Console console(stdout);
    for (const std::string& table :
         {progress, contest.board->table(), bracket_text(contest.format->bracket(), head.names),
          contest.board->starts(), contest.board->faults(game_of)}) {
        if (!table.empty()) console.line(table);
    }
    return console.finish(kExitPlayed);
}

}  // namespace

int commands::standings(const Words& words, const Guardian&) {
    std::string record;
    CommandLine line("nim-arena standings", {}, kStandingsHelp);
    line.argument = takes_record(record);
    line.finish = [&](const Given&) { return needs_record(record); };
    return run(parse(line, words, record),
               [](const std::string& file) { return on_record(file, print_tables); });
}

}  // namespace arena
