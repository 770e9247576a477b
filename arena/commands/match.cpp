#include "arena/commands/options.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/exit_codes.hpp"
#include "arena/commands/commands.hpp"
#include "arena/commands/play_table.hpp"
#include "arena/commands/tournament.hpp"
#include "arena/game/seeds.hpp"
#include "arena/play/run.hpp"
#include "arena/web/watch.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

OptionTable match_table(TournamentOptions& options) {
    OptionTable own{
        even_count({"Games", "games", "N",
                    "games in all, in pairs (default: 2 a position; 100 without positions)"},
                   options.format.games, kMaxGames),
        text({"Output", "jsonl", "FILE",
              "write a JSON object for each game of this run when it ends; -: standard output, "
              "and all other output goes to standard error"},
             options.jsonl, "a file, or - for standard output"),
        flag({"Output", "watch", nullptr,
              "draw each position as the players move; one game at a time"},
             options.watch),
    };
    OptionTable contest = contest_table(options);
    for (Option& row : contest) {
        if (row.text.group == std::string_view("Tournament")) row.text.group = "Match";
    }
    return join({own, contest, output_table(options), play_table(options)});
}

constexpr std::string_view kMatchHead =
    R"(Usage: nim-arena match PLAYER PLAYER [OPTION]...

Plays games between two players and prints the result, how the games ended, and
which moves gave them away.

A PLAYER is a command, quoted, an address such as tcp://HOST:PORT, builtin:NAME
(perfect, random or greedy) or human: see nim-arena help match all.

)";

constexpr std::string_view kHelpPlayers =
    R"(  human               you, at the terminal, with hints; one person, without
                      --games and files to write, plays one game after another
                      and can take moves back
or, with --player, keys: 'cmd="python3 bot.py" name=Ann option.Hash=16'
)";

constexpr std::string_view kMatchExamples = R"(Examples:
  nim-arena match 'python3 bot.py' builtin:perfect --position nim:3,4,5
  nim-arena match human builtin:perfect --position 'nim:1,3,5,7 misere'
)";

// Whether the games are recorded, watched or written.
bool is_kept(const TournamentOptions& options) {
    return options.keeps_games() || options.has_test() || options.web.listen ||
           !options.events.empty() || !options.jsonl.empty();
}

// Whether the two are an interpreter and its script: one command that was not quoted.
bool is_unquoted(const PlayerSpec& first, const PlayerSpec& second) {
    constexpr std::string_view kInterpreters[]{"python", "python3", "node", "java", "ruby",
                                               "perl",   "lua",     "php",  "sh",   "bash"};
    if (first.command.size() != 1 || second.command.size() != 1) return false;
    const auto name = std::filesystem::path(first.command[0]).filename().string();
    std::error_code error;
    return std::ranges::find(kInterpreters, name) != std::end(kInterpreters) &&
           std::filesystem::is_regular_file(second.command[0], error);
}

Result<void> finish_match(TournamentOptions& options, const Given& given) {
    const std::size_t players = options.players.size();
    if (players < 2) {
        return bad_input("read {} player{}, expected 2, as in {}", players,
                         players == 1 ? "" : "s",
                         "nim-arena match 'python3 bot.py' builtin:perfect");
    }
    if (players == 2 && is_unquoted(options.players[0], options.players[1])) {
        return bad_input(
            "read two players, {} and {}, expected a quoted command, as in '{} {}' "
            "builtin:perfect",
            protocol::quoted(options.players[0].command[0]),
            protocol::quoted(options.players[1].command[0]), options.players[0].command[0],
            options.players[1].command[0]);
    }
    if (players > 2) {
        std::vector<std::string> texts;
        for (const PlayerSpec& player : options.players) {
            std::string text = to_string(player);
            if (text.starts_with("cmd=")) text.erase(0, 4);
            if (player.kind == PlayerKind::Command)
                text = fmt::format("{}", fmt::join(player.command, " "));
            texts.push_back(protocol::quoted(text));
        }
        return bad_input(
            "read {} players, {}, expected 2: a command or a position with blanks is quoted",
            players, fmt::join(texts, ", "));
    }
    const auto people =
        std::ranges::count(options.players, PlayerKind::Human, &PlayerSpec::kind);
    const bool plays_at_once = options.concurrency.value_or(1) > 1;
    if (plays_at_once && people > 0)
        return bad_input("--concurrency: a person plays one game at a time, expected 1");
    if (options.watch) {
        if (plays_at_once)
            return bad_input("--concurrency: --watch draws one game at a time, expected 1");
        if (options.web.listen) return bad_input("expected --watch or --web, not both");
        options.concurrency = 1;
    }
    const auto finished = finish_contest(options, given);
    if (!finished) return finished;
    // A person sees the positions anyway.
    if (people > 0) options.watch = false;
    options.for_fun = people == 1 && !options.games_given && !is_kept(options);
    if (options.for_fun) options.format.games = kMaxGamesOfPairing;  // until the person leaves
    if (options.for_fun && options.positions.empty() && !options.suite) {
        options.suite = *parse_suite("nim;heaps=3..4;size=1..9");  // what a person can oversee
    }
    if (options.jsonl == "-" && options.events == "-") {
        return bad_input("--jsonl and --events: expected one of them on standard output");
    }
    return {};
}

}  // namespace

Parsed<TournamentOptions> parse_match_options(const Words& words, std::uint64_t seed) {
    TournamentOptions options;
    CommandLine line("nim-arena match", match_table(options), kMatchHead,
                     fmt::format("\n{}", kMatchExamples));
    line.common = {"games",  "position",    "suite",  "seed",  "movetime",
                   "tc",     "concurrency", "player", "watch", "web",
                   "record", "jsonl",       "report", "quiet", "sandbox"};
    line.details =
        fmt::format("PLAYER is one of\n{}{}{}", kPlayerKinds, kHelpPlayers, kPlayerKeys);
    line.reference = fmt::format("\n{}", kExitTable);
    line.argument = [&](const std::string& text) { return take_player(options, text); };
    line.finish = [&](const Given& given) { return finish_match(options, given); };
    options.seed = seed;
    options.format.kind = FormatKind::Match;
    return parse(line, words, options);
}

int commands::match(const Words& words, const Guardian& guardian) {
    return run(parse_match_options(words, fresh_seed()), [&](const TournamentOptions& options) {
        return run_contest(options, guardian, kReportWriter, web::open_watch);
    });
}

}  // namespace arena
