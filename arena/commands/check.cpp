#include "arena/commands/options.hpp"

#include <algorithm>
#include <climits>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/console.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/files.hpp"
#include "arena/base/shell_words.hpp"
#include "arena/commands/commands.hpp"
#include "arena/commands/play_table.hpp"
#include "arena/commands/tournament.hpp"
#include "arena/game/seeds.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

bool speaks_protocol(const PlayerSpec& player) {
    return player.kind != PlayerKind::Builtin && player.kind != PlayerKind::Human;
}

// `text`: as given; for several players the keys of each one replace it.
Result<void> set_players(CheckOptions& options, const std::string& text,
                         std::vector<PlayerSpec> players) {
    if (!options.player_text.empty()) {
        return bad_input("read a second player, {}, expected one: quote a command, as in {}",
                         protocol::quoted(text),
                         protocol::quoted(options.player_text + " " + text));
    }
    if (!std::ranges::all_of(players, speaks_protocol)) {
        return bad_input(
            "read {}, expected a bot that speaks the protocol: a command, tcp://HOST:PORT, "
            "tls://HOST:PORT or listen://HOST:PORT",
            protocol::quoted(text));
    }
    options.player = players.front();
    options.player_text = text;
    options.play.players = std::move(players);
    return {};
}

bool names_file(const std::string& text) {
    return text.ends_with(".toml") && text.find(' ') == text.npos;
}

Result<std::vector<Argument>> read_tournament(const std::string& path) {
    const auto text = read_file(path);
    if (!text) return text.error();
    TournamentOptions tournament;
    return read_tournament_file(*text, path, texts_of(tournament_table(tournament)));
}

// The bots of a tournament's file, without built-in players.
Result<void> take_file(CheckOptions& options, const std::string& path) {
    const auto arguments = read_tournament(path);
    if (!arguments) return arguments.error();
    std::vector<PlayerSpec> bots;
    for (const Argument& argument : *arguments) {
        if (argument.option == "language") options.languages.push_back(argument.value);
        if (argument.option != "player") continue;
        const auto players = parse_players(argument.value);
        if (!players) return bad_input("{}: {}", protocol::quoted(path), players.error().text);
        std::ranges::copy_if(*players, std::back_inserter(bots), speaks_protocol);
    }
    if (!bots.empty()) return set_players(options, path, std::move(bots));
    return bad_input("{}: read no bot, expected [[player]] with cmd", protocol::quoted(path));
}

Result<void> take_checked_player(CheckOptions& options, const std::string& text) {
    if (names_file(text)) return take_file(options, text);
    if (const auto refused = refuse_path(text)) {
        std::error_code failed;
        if (!std::filesystem::is_directory(text, failed)) return *refused;
        return bad_input(
            "{}; or --player {} finds and builds the bot of a submission, as grade does",
            refused->text, shell_word("dir=" + inner_shell_word(text)));
    }
    const auto player = parse_player(text);
    const auto done =
        player ? set_players(options, text, {*player}) : Result<void>(player.error());
    if (!done) return locate("player", text, done.error());
    return {};
}

// The options of match for the safety of the process.
OptionTable check_safety_table(PlayOptions& options) {
    OptionTable table;
    for (const Option& row : play_table(options)) {
        if (row.text.group != std::string_view("Safety")) continue;
        if (long_name(row.text) != "insecure") table.push_back(row);
    }
    return table;
}

// Adds what a tournament's file says about safety, unless the command line says it.
Result<void> add_safety_of_file(std::vector<Argument>& arguments, const OptionTable& safety) {
    std::vector<Argument> added;
    const std::string* sandbox = find_value(arguments, "sandbox");
    const bool has_sizes = sandbox == nullptr || *sandbox != "none";
    for (const Argument& argument : arguments) {
        if (!argument.option.empty() || !names_file(argument.value)) continue;
        const auto in_file = read_tournament(argument.value);
        if (!in_file) return in_file.error();
        std::ranges::copy_if(*in_file, std::back_inserter(added), [&](const Argument& row) {
            return find_row(safety, row.option) != nullptr &&
                   find_value(arguments, row.option) == nullptr &&
                   (has_sizes || !row.option.starts_with("sandbox-"));
        });
    }
    std::ranges::move(added, std::back_inserter(arguments));
    return {};
}

OptionTable check_table(CheckOptions& options) {
    OptionTable own{
        {{"Options", "player", "KEYS", "the bot by keys, instead of as an argument"},
         [&](const std::string& text) -> Result<void> {
             auto players = read_players(with_command(text));
             if (!players) return players.error();
             return set_players(options, text, *std::move(players));
         }},
        shared_row(
            options.play, "Options", "position",
            "a position that it must play, in addition to the drawn ones; may be repeated"),
        shared_row(options.play, "Options", "rulesets"),
        milliseconds({"Options", "movetime", "MS",
                      "time for a move, in the points about time (default: {})"},
                     options.movetime, 1),
        milliseconds({"Options", "margin", "MS", "how late a move may come (default: {})"},
                     options.margin, 0),
        milliseconds({"Options", "startup", "MS",
                      "time to start and shake hands, or to dial in (default: {})"},
                     options.startup, 1),
        count({"Options", "seed", "S", "seed of the positions (default: random, and printed)"},
              options.seed, 0, protocol::kMaxNumber),
        flag({"Options", "json", nullptr, "print one JSON object instead"}, options.json),
        color_row(
            {"Options", "color", "auto|always|never",
             "colour failures; auto: on a terminal, unless NO_COLOR is set (default: {})"},
            options.color),
        flag({"Options", "insecure", nullptr, kInsecureHelp}, options.insecure),
    };
    return join({own, check_safety_table(options.play)});
}

constexpr std::string_view kCheckHead = R"(Usage: nim-arena check PLAYER|FILE.toml [OPTION]...

Talks to a bot as the arena does and tests, point by point, whether it follows
the protocol. For a failure it prints the lines that were sent and received,
what was expected, and how to fix it.

  ok           the point holds
  FAILED       it does not hold, and the protocol demands it: mend it first
  note         it does not hold, but a bot can do without it
  not checked  it could not be tested; the line says why

A PLAYER is a command, quoted, or an address such as tcp://HOST:PORT. All kinds
of players are in nim-arena help match all, and the keys for --player, such as
'cmd="python3 bot.py" legalmoves=on'.

FILE.toml is the file of a tournament: each of its bots is tested, with the
file's options of safety (sandbox, run-as and so on) where the command line has
none; so is each directory that matches 'dir=submissions/*'. With dir= and no
cmd= the bot of a folder is found and built as grade and tournament do it, and
runs in their sandbox (--sandbox none: without).

)";

constexpr std::string_view kCheckTail = R"(
Examples:
  nim-arena check 'python3 bot.py' --position 'take{1,3,4}:21 misere'
  nim-arena check --player 'dir=submissions/*'
)";

constexpr std::string_view kCheckExit = R"(
Exit status:
  0        every required point holds, for each bot
  1        a required point fails, or an error of the arena itself
  2        the command line is wrong; nothing was started
  3        the bot cannot be started, or the handshake fails
  129/130/143
           interrupted
)";

// Of folders, without those that are given by command or address.
bool finds_bots(const CheckOptions& options) {
    return std::ranges::any_of(options.play.players, is_found_later);
}

Result<void> finish_check(CheckOptions& options, const Given& given) {
    // Submissions see what they see when they are graded.
    if (finds_bots(options) && !given.contains("sandbox")) options.play.sandbox.on = true;
    if (const auto safe = finish_safety(options.play, given); !safe) return safe;
    if (options.player_text.empty()) return bad_input("read no player, expected one");
    auto positions = check_positions(options.play.given_positions, options.play.rulesets);
    if (!positions) return positions.error();
    options.positions = *std::move(positions);
    return {};
}

// A new folder for builds: the private one of a process that only waits. So the guardian
// removes it, whatever ends this process.
class BuildFolder {
  public:
    explicit BuildFolder(const Guardian& guardian)
        : keeper_(start_keeper(guardian)),
          path_(read_until_end(keeper_.out.get(), Clock::now() + kPatience, PATH_MAX)) {
        if (path_.empty()) throw std::runtime_error("cannot make a folder for builds");
    }

    const std::string& path() const { return path_; }

  private:
    static constexpr Milliseconds kPatience{60'000};

    static PlayerProcess start_keeper(const Guardian& guardian) {
        SpawnRequest request;
        request.command = {"sh", "-c", "printf %s \"$HOME\"; exec cat >/dev/null"};
        request.clean_environment = true;
        auto keeper = guardian.spawn(request);
        if (!keeper)
            throw std::runtime_error("cannot make a folder for builds: " + keeper.error().text);
        return *std::move(keeper);
    }

    PlayerProcess keeper_;
    std::string path_;
};

// Gives an exit status. A bot that cannot be built becomes one that does not start.
int find_bots(CheckOptions& options, const std::string& folder, const Guardian& guardian) {
    TournamentOptions building;
    static_cast<PlayOptions&>(building) = options.play;
    building.languages = options.languages;
    building.builds = folder;
    building.keep_going = true;
    if (options.json) building.events = "-";  // no text on standard output
    const int status = build_found_bots(building, guardian, "check");
    options.play.players = building.players;
    return status;
}

// As the user knows it: a bot that was found by its folder.
std::string shown_player(const PlayerSpec& player) {
    return player.found_in.empty() ? to_string(player) : "dir=" + player.found_in;
}

// Returns the first status other than 0.
int check_each(CheckOptions options, const Guardian& guardian) {
    const std::vector<PlayerSpec>& players = options.play.players;
    int status = kExitPlayed;
    std::vector<std::string> failed;
    for (const PlayerSpec& player : players) {
        if (status >= kExitHungUp) return status;  // a signal
        if (&player != &players.front() && !options.json) Console(stdout).line("");
        options.player = player;
        if (players.size() > 1 || !player.found_in.empty())
            options.player_text = shown_player(player);
        const int next = run_check(options, guardian);
        if (next != kExitPlayed) failed.push_back(player.name);
        if (status == kExitPlayed || next >= kExitHungUp) status = next;
    }
    if (players.size() == 1) return status;
    Console console(stdout, options.color);
    if (!options.json) {
        const std::size_t bots = players.size();
        const std::string others =
            failed.empty() ? "" : fmt::format("; not {}", fmt::join(failed, ", "));
        console.line(fmt::format("\n{} of {} bots keep to the protocol{}", bots - failed.size(),
                                 bots, others),
                     failed.empty() ? Tone::Plain : Tone::Failure);
    }
    return console.finish(status);
}

int check_all(CheckOptions options, const Guardian& guardian) {
    if (!finds_bots(options)) return check_each(std::move(options), guardian);
    const BuildFolder folder(guardian);
    const int status = find_bots(options, folder.path(), guardian);
    return status == kExitPlayed ? check_each(std::move(options), guardian) : status;
}

}  // namespace

Parsed<CheckOptions> parse_check_options(const Words& words, std::uint64_t seed) {
    CheckOptions options;
    CommandLine line("nim-arena check", check_table(options), kCheckHead, kCheckTail);
    line.reference = kCheckExit;
    line.common = {"player", "position", "movetime", "startup",   "seed",
                   "json",   "insecure", "sandbox",  "untrusted", "color"};
    line.argument = [&](const std::string& text) { return take_checked_player(options, text); };
    line.expand = [&](std::vector<Argument>& arguments, const std::vector<OptionText>&) {
        return add_safety_of_file(arguments, check_safety_table(options.play));
    };
    line.finish = [&](const Given& given) { return finish_check(options, given); };
    options.seed = seed;
    return parse(line, words, options);
}

int commands::check(const Words& words, const Guardian& guardian) {
    return run(parse_check_options(words, fresh_seed()),
               [&](const CheckOptions& options) { return check_all(options, guardian); });
}

}  // namespace arena
