// The options of `nim-arena tournament`, on which match and serve build: rows of options, a
// TOML file whose keys are the same options (tournament_file.cpp), and the checks of several
// options together. Options that decide how games go end up in options.configuration, which a
// record keeps and compares when it is resumed.
#include "arena/commands/tournament.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "arena/base/counted.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/files.hpp"
#include "arena/commands/commands.hpp"
#include "arena/commands/play_table.hpp"
#include "arena/contest/format_table.hpp"
#include "arena/contest/sprt.hpp"
#include "arena/game/given_position.hpp"
#include "arena/game/seeds.hpp"
#include "arena/record/open_store.hpp"
#include "arena/report/report_pages.hpp"
#include "arena/web/watch.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

// ---- rows ----

// Checks the text of a sequential test, and keeps it as text.
template <typename Parse>
Option test(OptionText words, std::string& variable, Parse parse) {
    auto row = text(std::move(words), variable, "a test");
    row.set = reads(variable, [parse](const std::string& value) -> Result<std::string> {
        const auto read = parse(value);
        if (!read) return read.error();
        return value;
    });
    return std::move(row).recorded();
}

Result<Milliseconds> parse_lease(const std::string& value) {
    constexpr Milliseconds kShortest{1000};
    const auto lease = parse_duration(value);
    if (!lease || *lease >= kShortest) return lease;
    return bad_input("read {}, expected a second or more", protocol::quoted(value));
}

Result<std::string> parse_events(const std::string& value) {
    constexpr std::string_view kTo = "jsonl:";
    if (value == "jsonl") return std::string("-");
    if (value.starts_with(kTo) && value != kTo) return value.substr(kTo.size());
    return bad_input("read {}, expected jsonl or jsonl:FILE", protocol::quoted(value));
}

// With a sequential test, --games defaults to the most games that it may take.
std::string games_text(const TournamentOptions& options) {
    const int games = options.format.games;
    const bool up_to_most = options.has_test() && games == games_up_to(options.max_games);
    return up_to_most ? std::string(kUpToMost) : std::to_string(games);
}

Option suite_row(TournamentOptions& options) {
    auto row = text({"Games", "suite", "SPEC",
                     "draw a position for each pair of games of a pairing; all pairings of a "
                     "round have the same ones; see nim-arena suite --help"},
                    options.suite_text, "a suite");
    row.print = [&] { return options.suite ? to_string(*options.suite) : ""; };
    return std::move(row).recorded();
}

OptionTable contest_running_table(TournamentOptions& options) {
    return {
        flag({"Running", "keep-going", nullptr,
              "play even if a COMMAND does not start; it loses its games; otherwise all are "
              "started before the first game, exit status 3 if one fails; --no-keep-going "
              "undoes it",
              false, true},
             options.keep_going),
        value({"Running", "lease", "TIME",
               "with a database: how long claimed games wait for a process that has died, such "
               "as 30s (the default)"},
              options.lease, parse_lease),
        value({"Running", "database-away", "TIME",
               "how long a lost database is awaited, by nim-arena work also one that is away "
               "when it starts, such as 5m (the default)"},
              options.away, parse_duration),
    };
}

// ---- help ----

constexpr std::string_view kTournamentHead =
    R"(Usage: nim-arena tournament [FILE.toml] [OPTION]...

Plays a tournament. FILE.toml has options as keys, and players as [[player]];
`nim-arena init` writes an example. Options of the command line override those
of the file; players are added. Paths, also those in the file, are relative to
the current directory.

A player is given as --player 'cmd="python3 bot.py" name=Ann option.Hash=16'.
Without cmd, dir= is a folder or an archive, or as 'submissions/*' many; the
bots there are found and built.
)";

constexpr std::string_view kTournamentExamples = R"(Examples:
  nim-arena tournament --player 'dir=submissions/*' --player cmd=builtin:perfect
  nim-arena tournament spring.toml --record spring.db
)";

// ---- the file ----

// Options of the command line override those of the file: also --tc a movetime, because there
// is one clock, and --suite a position, because there is one source of positions.
bool overrides(const std::string& given, const std::string& in_file) {
    const auto meant = [](const std::string& option) -> std::string {
        if (option == "tc") return "movetime";
        return option == "positions" || option == "suite" ? "position" : option;
    };
    return given != "player" && meant(given) == meant(in_file);
}

// Replaces the name of the file by its arguments, without those that the command line
// overrides.
Result<void> add_file(std::vector<Argument>& arguments, const std::vector<OptionText>& known) {
    const auto file = std::ranges::find(arguments, "", &Argument::option);
    if (file == arguments.end()) return {};
    const std::string path = file->value;
    std::string command = "cmd=python3";  // before the path, if it is a part of a command
    if (file != arguments.begin()) {
        const Argument& before = *std::prev(file);
        if (before.option == "player" && before.value.starts_with("cmd="))
            command = before.value;
    }
    const auto more = std::ranges::find(file + 1, arguments.end(), "", &Argument::option);
    if (more != arguments.end()) {
        return bad_input("read {} after the file {}, expected options; a player is --player",
                         protocol::quoted(more->value), protocol::quoted(path));
    }
    arguments.erase(file);
    const auto text = read_file(path);
    if (!text) return text.error();
    const auto in_file = read_tournament_file(*text, path, known);
    if (!in_file && !path.ends_with(".toml")) {
        return bad_input(
            "{} is no tournament file: quote the command, --player \"cmd='{} {}'\"",
            protocol::quoted(path), protocol::printable(command.substr(4)),
            protocol::printable(path));
    }
    if (!in_file) return in_file.error();
    const std::vector<Argument> given = std::exchange(arguments, {});
    std::ranges::remove_copy_if(
        *in_file, std::back_inserter(arguments), [&](const Argument& argument) {
            return std::ranges::any_of(given, [&](const Argument& other) {
                return overrides(other.option, argument.option);
            });
        });
    arguments.insert(arguments.end(), given.begin(), given.end());
    return {};
}

// ---- checks ----

constexpr std::pair<const char*, FormatKind> kOnlyFor[]{{"cycles", FormatKind::RoundRobin},
                                                        {"seeds", FormatKind::Gauntlet},
                                                        {"rounds", FormatKind::Swiss},
                                                        {"budget", FormatKind::Ladder}};

Result<void> check_format(const TournamentOptions& options, const Given& given) {
    for (const auto& [option, format] : kOnlyFor) {
        if (given.contains(option) && options.format.kind != format) {
            return bad_input("--{} is for the format {}, this is {}", option, name(format),
                             name(options.format.kind));
        }
    }
    const bool is_ladder = options.format.kind == FormatKind::Ladder;
    if (is_ladder && !options.lobby && !given.contains("budget")) {
        return bad_input("the format ladder needs --budget, such as 90m");
    }
    return {};
}

Result<void> check_players(const TournamentOptions& options) {
    const std::size_t players = options.players.size();
    if (players < 2 && !options.lobby) {
        return bad_input(
            "read {} player{}, expected 2 or more: --player KEYS, or [[player]] in the file",
            players, players == 1 ? "" : "s");
    }
    for (const PlayerSpec& player : options.players) {
        if (player.kind == PlayerKind::Human) {
            return bad_input("a person plays in nim-arena match, expected other players");
        }
        if (player.kind == PlayerKind::Token) {
            return bad_input(
                "read token://{}, expected other players: the holder of a token dials in to "
                "nim-arena serve, and is not named",
                player.name);
        }
    }
    if (options.has_test() && players != 2) {
        return bad_input("--sprt is for 2 players, read {}", players);
    }
    return {};
}

// Whether the number of rounds depends on players that have not dialled in yet.
bool has_open_rounds(const TournamentOptions& options) {
    const FormatKind kind = options.format.kind;
    const bool counts_players = kind == FormatKind::Knockout ||
                                (kind == FormatKind::Swiss && options.format.rounds == 0);
    return options.lobby && counts_players;
}

int games_by_default(const TournamentOptions& options) {
    constexpr int kGamesOfMatch = 100;
    if (has_open_rounds(options)) return 2;
    if (options.has_test()) return games_up_to(options.max_games);
    if (options.is_match() && options.positions.empty()) return kGamesOfMatch;
    return games_up_to(least_games(options.format, options.positions.size()));
}

// Each position needs two games; a sequential test may stop before the last.
Result<void> check_games(const TournamentOptions& options) {
    const auto positions = static_cast<std::uint64_t>(options.positions.size());
    const std::uint64_t least = least_games(options.format, positions);
    const auto games = static_cast<std::uint64_t>(options.format.games);
    if (games >= least || options.has_test() || has_open_rounds(options)) return {};
    const bool is_begun =
        is_database(options.record) || ::access(options.record.c_str(), F_OK) == 0;
    return bad_input("--games: read {}, expected {} or more: {}, and two games from each{}",
                     games, least, counted(positions, "position"),
                     is_begun ? "; a record begun with fewer goes on without --games" : "");
}

Result<void> check_files(const TournamentOptions& options) {
    return check_distinct({"--record", is_database(options.record) ? "" : options.record},
                          {{"--log", options.log},
                           {"--jsonl", options.jsonl},
                           {"--events", options.events},
                           {"--report", options.report}});
}

Result<void> finish_tournament(TournamentOptions& options, const Given& given) {
    auto checked = check_format(options, given);
    if (checked) checked = check_players(options);
    if (checked) checked = finish_contest(options, given);
    return checked;
}

}  // namespace

OptionTable tournament_table(TournamentOptions& options) {
    auto name = text(
        {"Tournament", "name", "TEXT", "the name of the tournament in exports and on pages"},
        options.name, "a name");
    auto table = join({{std::move(name).recorded()},
                       format_table(options.format),
                       contest_table(options),
                       builds_table(options),
                       contest_running_table(options),
                       output_table(options),
                       play_table(options)});
    find_row(table, "games")->print = [&] { return games_text(options); };
    auto& player = *find_row(table, "player");
    player.set = [add = player.set](const std::string& keys) {
        return add(with_command(keys));
    };
    return table;
}

OptionTable contest_table(TournamentOptions& options) {
    return {
        value({"Tournament", "record", "FILE|URL",
               "keep every game in FILE or a database; the same command, run again, plays "
               "what is missing; into a database, postgresql://…, other machines play too: "
               "nim-arena work"},
              options.record, parse_record_name),
        test({"Tournament", "sprt", "ELO0,ELO1,ALPHA,BETA",
              "two players: stop as soon as a sequential test on normalized Elo decides; needs "
              "--max-games"},
             options.sprt, parse_elo_test),
        test({"Tournament", "sprt-error", "E0,E1,ALPHA,BETA",
              "two players: the same test on the first player's rate of mistakes"},
             options.sprt_error, parse_error_test),
        even_count({"Tournament", "max-games", "N", "stop after this many games"},
                   options.max_games, kMaxGames)
            .recorded(),
        suite_row(options),
    };
}

OptionTable output_table(TournamentOptions& options) {
    return {
        value({"Output", "events", "jsonl[:FILE]",
               "write events as JSON Lines to FILE, or to standard output; then all other "
               "output goes to standard error"},
              options.events, parse_events),
        milliseconds(
            {"Output", "analysis", "MS",
             "time to look for mistakes in the games, at the end; 0: none (default: {})"},
            options.analysis, 0),
        text({"Output", "report", "DIR", "write pages for a browser at the end"},
             options.report, "a folder"),
    };
}

Result<void> finish_contest(TournamentOptions& options, const Given& given) {
    if (options.has_test() && options.max_games == 0) {
        return bad_input("--sprt needs --max-games: how many games it may take");
    }
    if (!options.sprt.empty() && !options.sprt_error.empty()) {
        return bad_input("expected --sprt or --sprt-error, not both");
    }
    auto finished = finish_play_options(options, given);
    if (finished) finished = check_files(options);
    if (!finished) return finished;
    if (!options.suite_text.empty()) {
        if (!options.positions.empty()) {
            return bad_input("expected positions or --suite, not both");
        }
        const auto names = load_names(options.rulesets);
        if (!names) return names.error();
        auto suite = parse_suite(options.suite_text, *names);
        if (!suite) return locate("--suite", options.suite_text, suite.error());
        options.suite = *std::move(suite);
    }
    options.format.players = static_cast<int>(options.players.size());
    options.games_given = given.contains("games");
    if (!options.games_given) options.format.games = games_by_default(options);
    const auto enough = check_games(options);
    if (!enough) return enough;
    options.format.seed = options.seed;
    options.configuration = configuration_of(tournament_table(options));
    options.configuration.emplace_back(kSeedHashSetting);
    std::ranges::sort(options.configuration);
    return {};
}

CommandLine tournament_line(TournamentOptions& options, std::uint64_t seed) {
    CommandLine line("nim-arena tournament", tournament_table(options), kTournamentHead,
                     fmt::format("\n{}", kTournamentExamples));
    line.common = {"name",     "format",    "games",    "rounds", "record",      "player",
                   "position", "suite",     "movetime", "tc",     "concurrency", "keep-going",
                   "sandbox",  "untrusted", "web",      "report", "seed"};
    line.details = fmt::format("{}PLAYER is one of\n{}", kPlayerKeys, kPlayerKinds);
    line.reference = fmt::format("\n{}", kExitTable);
    line.finish = [&](const Given& given) { return finish_tournament(options, given); };
    line.expand = add_file;
    options.seed = seed;
    options.environment = EnvironmentMode::Clean;
    return line;
}

Parsed<TournamentOptions> parse_tournament_options(const Words& words, std::uint64_t seed) {
    TournamentOptions options;
    return parse(tournament_line(options, seed), words, options);
}

const ReportWriter kReportWriter{
    pages::prepare_directory,
    [](const std::string& folder, Store& store, const engine::Analyst& analyst,
       std::stop_token stop) -> Result<void> {
        pages::PageOptions options;
        options.directory = folder;
        options.stop = std::move(stop);
        const auto written = pages::write_pages(store, analyst, options);
        if (!written) return written.error();
        return {};
    }};

int commands::tournament(const Words& words, const Guardian& guardian) {
    return run(parse_tournament_options(words, fresh_seed()), [&](TournamentOptions options) {
        const int status = build_found_bots(options, guardian, "tournament");
        if (status != kExitPlayed) return status;
        return run_contest(options, guardian, kReportWriter, web::open_watch);
    });
}

}  // namespace arena
