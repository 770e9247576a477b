// Tables of options (option_table.hpp), each about PlayOptions or a part of them. Options that
// decide how games go are recorded(): a record keeps their texts, and a contest is resumed only
// with the same ones.
#include "arena/commands/play_table.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/base/shell_words.hpp"
#include "arena/process/executables.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Result;

constexpr std::uint64_t kMaxPlies = 10'000'000;
constexpr std::uint64_t kMaxConcurrency = 10'000;
constexpr std::uint64_t kMaxCore = 1023;
constexpr std::uint64_t kMaxStrikes = 1'000'000;
constexpr std::uint64_t kLeastMemory = 16 << 20;
constexpr std::uint64_t kLeastDisk = 64 << 10;
constexpr std::uint64_t kLeastProcesses = 8;  // of which the sandbox takes two
constexpr std::size_t kMaxListed = 65'536;    // bytes of positions that are recorded as text

// ---- values ----

// "3" or "0-3".
Result<void> add_cores(std::set<int>& cores, std::string_view item) {
    const auto dash = item.find('-');
    const auto first = parse_count(item.substr(0, dash), 0, kMaxCore);
    const auto last =
        dash == item.npos ? first : parse_count(item.substr(dash + 1), 0, kMaxCore);
    if (!first || !last || *first > *last) {
        return bad_input("read {}, expected on, off or a list of cores such as 0,2-3",
                         protocol::quoted(item));
    }
    for (std::uint64_t core = *first; core <= *last; ++core)
        cores.insert(static_cast<int>(core));
    return {};
}

Result<std::vector<int>> parse_cores(std::string_view text) {
    std::set<int> cores;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        const auto added = add_cores(cores, text.substr(begin, comma - begin));
        if (!added) return added.error();
        begin = comma + 1;
    }
    return std::vector<int>(cores.begin(), cores.end());
}

Result<void> set_affinity(PlayOptions& options, const std::string& value) {
    if (value == "on" || value == "off") {
        options.affinity = value == "on" ? AffinityMode::On : AffinityMode::Off;
        return {};
    }
    auto cores = parse_cores(value);
    if (!cores) return cores.error();
    options.affinity = AffinityMode::List;
    options.cores = *std::move(cores);
    return {};
}

// Adds all that `parse` reads.
template <typename Value, typename Parse>
Option::Read adds(std::vector<Value>& values, Parse parse) {
    return [&values, parse](const std::string& text) -> Result<void> {
        auto more = parse(text);
        if (!more) return more.error();
        std::ranges::move(*more, std::back_inserter(values));
        return {};
    };
}

constexpr std::string_view kDigest = " positions, ";

// The positions themselves, or a digest if they are long.
std::string positions_text(const PlayOptions& options) {
    std::string text;
    for (const protocol::Position& position : options.positions) {
        text += to_string(position) + "\n";
    }
    if (text.ends_with('\n')) text.pop_back();
    if (text.size() <= kMaxListed) return text;
    std::uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    }
    return fmt::format("{}{}{:016x}", options.positions.size(), kDigest, hash);
}

Result<void> set_movetime(TimeControl& clock, const std::string& value) {
    const auto time = parse_milliseconds(value, 0);
    if (!time) return time.error();
    clock.movetime = std::nullopt;
    if (time->count() > 0) clock.movetime = *time;
    return {};
}

Result<void> set_clock(TimeControl& clock, const std::string& value) {
    const auto times = parse_time_control(value);
    if (!times) return times.error();
    clock.movetime = std::nullopt;
    clock.base = times->first;
    clock.increment = times->second;
    return {};
}

std::string clock_text(const TimeControl& clock) {
    if (!clock.base) return "";
    return fmt::format("{}+{}", clock.base->count(), clock.increment.count());
}

Result<int> parse_faults(const std::string& value) {
    constexpr std::string_view kStrikes = "strikes=";
    if (value == "forfeit") return 1;
    if (value == "replace") return FaultPolicy::kNever;
    if (!value.starts_with(kStrikes)) {
        return bad_input("read {}, expected forfeit, replace or strikes=N",
                         protocol::quoted(value));
    }
    const auto strikes =
        parse_count(std::string_view(value).substr(kStrikes.size()), 1, kMaxStrikes);
    if (!strikes) return strikes.error();
    return static_cast<int>(*strikes);
}

// Recorded with --faults, and only if it is not the default: so records made before --off-turn
// existed can be resumed.
constexpr std::string_view kOffTurnLoses = " off-turn=lose";

std::string faults_text(const FaultPolicy& faults) {
    std::string text = "replace";
    if (faults.losing_strike != FaultPolicy::kNever) {
        text = fmt::format("strikes={}", faults.losing_strike);
    }
    return text + std::string(faults.off_turn_loses ? kOffTurnLoses : "");
}

Result<void> recall_faults(FaultPolicy& faults, const std::string& recorded) {
    faults.off_turn_loses = recorded.ends_with(kOffTurnLoses);
    return reads(faults.losing_strike, parse_faults)(recorded.substr(0, recorded.find(' ')));
}

Result<std::string> parse_log(const std::string& value) {
    if (!value.empty() && value != "-") return value;
    return bad_input("read {}, expected a file", protocol::quoted(value));
}

// ---- rows ----

OptionTable games_table(PlayOptions& options) {
    return {
        {{"Games", "player", "KEYS", "a player by keys; may be repeated", true},
         adds(options.players, read_players)},
        list({"Games", "position", "FEN",
              "a position to start from, such as 'nim:3,4,5 misere'; may be repeated; without "
              "any there are one to four heaps, of 10 to 20, and in half of the positions the "
              "first player wins (default: random heaps of nim)"},
             options.given_positions, given_position),
        Option{{"Games", "positions", "FILE",
                "positions from a file, one on each line; # starts a comment; may be repeated",
                true},
               adds(options.given_positions, read_positions),
               [&] { return positions_text(options); },
               [](const std::string&) { return Result<void>(); }}
            .recorded(),
        text({"Games", "rulesets", "FILE", "names for rulesets, defined as 'name = ruleset'"},
             options.rulesets, "a file"),
        count({"Games", "seed", "S", "seed of what is random (default: drawn, and printed)"},
              options.seed, 0, protocol::kMaxNumber)
            .recorded(),
        count(
            {"Games", "max-plies", "N",
             "moves after which a game is decided by the value of its position (default: {})"},
            options.max_plies, 1, kMaxPlies)
            .recorded(),
    };
}

OptionTable clock_table(TimeControl& clock) {
    return {
        Option{{"Time", "movetime", "MS",
                "time for each move; 0: a bare go, which asks for about 1000, and no limit but "
                "--hang (default: {})"},
               [&](const std::string& value) { return set_movetime(clock, value); },
               [&] { return value_text(clock.movetime); },
               [&](const std::string& value) {
                   return set_movetime(clock, value.empty() ? "0" : value);  // no limit
               }}
            .recorded(),
        Option{{"Time", "tc", "BASE+INC",
                "a clock for each player instead: BASE ms for the game and INC ms more "
                "after each move"},
               [&](const std::string& value) { return set_clock(clock, value); },
               [&] { return clock_text(clock); },
               [&](const std::string& value) {
                   return value.empty() ? Result<void>() : set_clock(clock, value);
               }}
            .recorded(),
        milliseconds({"Time", "margin", "MS", "how late a move may come (default: {})"},
                     clock.margin, 0)
            .recorded(),
        milliseconds(
            {"Time", "hang", "MS", "limit of a move without another limit (default: {})"},
            clock.hang, 1)
            .recorded(),
    };
}

OptionTable running_table(PlayOptions& options) {
    return {
        milliseconds(
            {"Time", "startup", "MS",
             "time to start and shake hands, or to dial in (default: {}; 300000 to dial in)"},
            options.startup, 1)
            .recorded(),
        count({"Running", "concurrency", "N",
               "concurrent games; reported in the order in which they end (default: one for "
               "each core if pinned, else half the cores)"},
              options.concurrency, 1, kMaxConcurrency),
        Option{{"Running", "affinity", "on|off|LIST",
                "pin each game and its players to one core, of LIST such as 0,2-3 "
                "(default: on if all players are local)"},
               [&](const std::string& value) { return set_affinity(options, value); }},
        choice(
            {"Safety", "env", "inherit|clean",
             "the environment of COMMANDs: this one; or only PATH and LANG, with HOME and "
             "TMPDIR in a private directory that is removed afterwards (default: inherit in "
             "match and check, clean in tournament and serve). Each process also has limits: "
             "1 GiB of data, 1 GiB for a file, 1024 open files, CPU time by the clock, no core "
             "files, no new privileges. None of this protects against programs of strangers: "
             "see --sandbox"},
            options.environment, kEnvironmentModes)
            .recorded(),
    };
}

OptionTable sandbox_table(SandboxOptions& options) {
    auto on =
        choice({"Safety", "sandbox", "none|bwrap",
                "bwrap: run each COMMAND in bubblewrap; there are no network and no other "
                "processes, and it sees only the system and its own directory, read-only; "
                "tested before the first game, exit status 3 if it does not work (default: "
                "none)"},
               options.on, {{"none", false}, {"bwrap", true}});
    on.print = [&] { return to_string(options); };
    on.recall = reads(options, parse_recorded_sandbox);  // all of these as one text
    return {
        std::move(on).recorded(),
        size({"Safety", "sandbox-memory", "SIZE",
              "memory for a sandboxed player and all it starts (default: {})"},
             options.memory, kLeastMemory),
        count({"Safety", "sandbox-processes", "N",
               "processes and threads of a sandboxed player (default: {})"},
              options.processes, kLeastProcesses, kMaxSandboxProcesses),
        size({"Safety", "sandbox-disk", "SIZE",
              "room in the sandbox's /tmp, where HOME is too (default: {})"},
             options.disk, kLeastDisk),
        flag({"Safety", "sandbox-shared", nullptr,
              "let players see each other's files in the sandbox, as several have one "
              "directory"},
             options.shared),
    };
}

OptionTable safety_table(PlayOptions& options) {
    return {
        text({"Safety", "run-as", "USER",
              "as root: the user that COMMANDs run as; it must have access to their "
              "directories"},
             options.run_as, "the name of a user")
            .recorded(),
        flag({"Safety", "untrusted", nullptr,
              "the players are programs of strangers; give them a clean environment; as root "
              "refuse them without --sandbox or --run-as, and several without --sandbox"},
             options.untrusted),
        flag({"Safety", "fair", nullptr,
              "stop each COMMAND, with all it starts, off turn and between games: by control "
              "groups if available, else by signals; implied by --untrusted and --sandbox"},
             options.fair),
        flag({"Safety", "insecure", nullptr, kInsecureHelp}, options.insecure),
        value({"Output", "log", "FILE", "write every line sent and received"}, options.log,
              parse_log),
    };
}

OptionTable watch_table(WatchOptions& options) {
    return {
        endpoint({"Web", "web", "HOST:PORT",
                  "let browsers watch the games at http://HOST:PORT/live; port 0 picks one and "
                  "prints it; addresses beyond this machine need --web-tls or --insecure"},
                 options.listen),
        certificate({"Web", "web-tls", "CERT,KEY",
                     "use https for --web, with the PEM files of a certificate and its key"},
                    options.certificate, options.key),
        list({"Web", "web-host", "NAME",
              "a name that browsers may use for the server of --web; may be repeated"},
             options.hosts, parse_host_name),
    };
}

OptionTable faults_table(FaultPolicy& faults) {
    return {
        Option{
            {"Faults", "faults", "forfeit|replace|strikes=N",
             "effect of a fault: forfeit loses the game; replace plays a random legal move "
             "instead; strikes=N does so, but the Nth fault loses the game (default: forfeit)"},
            reads(faults.losing_strike, parse_faults),
            [&] { return faults_text(faults); },
            [&](const std::string& value) { return recall_faults(faults, value); }}
            .recorded(),
        milliseconds(
            {"Faults", "grace", "MS",
             "with replaced moves: the wait for a late move after `stop`, before the player is "
             "restarted (default: {})"},
            faults.grace, 0)
            .recorded(),
        choice({"Faults", "off-turn", "warn|lose",
                "effect of CPU time that a COMMAND uses off turn, if in a game it exceeds both "
                "0.2 s and a tenth of the opponent's thinking time: warn names it in the "
                "report; lose loses the game (default: {})"},
               faults.off_turn_loses, {{"warn", false}, {"lose", true}}),
    };
}

OptionTable play_output_table(PlayOptions& options) {
    return {
        color_row({"Output", "color", "auto|always|never",
                   "colour faults and warnings; auto: on a terminal, unless NO_COLOR is set "
                   "(default: {})"},
                  options.color),
        flag({"Output", "quiet", nullptr,
              "print only the result, no progress; --no-quiet undoes it", false, true},
             options.quiet),
        flag({"Output", "strict", nullptr,
              "exit with status 4 if a player's fault ended some game; --no-strict undoes it",
              false, true},
             options.strict),
    };
}

}  // namespace

bool is_digest_of_positions(std::string_view recorded) {
    return recorded.find(kDigest) != recorded.npos;
}

OptionTable play_table(PlayOptions& options) {
    return join({games_table(options), clock_table(options.clock), running_table(options),
                 sandbox_table(options.sandbox), safety_table(options),
                 watch_table(options.web), faults_table(options.faults),
                 play_output_table(options)});
}

Option shared_row(PlayOptions& options, const char* group, std::string_view option,
                  std::string help) {
    auto table = play_table(options);
    auto row = std::move(*find_row(table, option));
    row.text.group = group;
    if (!help.empty()) row.text.help = std::move(help);
    return row;
}

namespace {

// A file whose path has blanks, which make several words of it.
struct SplitPath {
    std::string path;
    std::string command;  // in which it is quoted
};

std::optional<SplitPath> find_split_path(const std::vector<std::string>& words) {
    const auto is_file = [](const std::string& path) {
        std::error_code error;
        return std::filesystem::is_regular_file(path, error);
    };
    for (std::size_t first = 0; first + 1 < words.size(); ++first) {
        std::string path = words[first];
        for (std::size_t last = first + 1; last < words.size(); ++last) {
            path += " " + words[last];
            if (is_file(words[first]) || !is_file(path)) continue;
            std::string command;
            for (std::size_t i = 0; i < words.size(); ++i) {
                if (i > first && i <= last) continue;
                command += (i == 0 ? "" : " ") + inner_shell_word(i == first ? path : words[i]);
            }
            return SplitPath{std::move(path), std::move(command)};
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<protocol::Error> refuse_path(const std::string& text) {
    namespace fs = std::filesystem;
    if (text.starts_with("dir=") || text.starts_with("cmd=")) {
        return bad_input("read {} as a command, expected keys after --player: --player {}",
                         protocol::quoted(text), protocol::printable(shell_word(text)));
    }
    const auto words = split_shell_words(text);
    if (const auto split = words ? find_split_path(*words) : std::nullopt) {
        return bad_input(
            "read {} as several words, but {} is one file: quote its path, and then the "
            "whole command for the shell: {}",
            protocol::quoted(text), protocol::quoted(split->path),
            protocol::printable(shell_word(split->command)));
    }
    std::error_code error;
    const fs::path folder = text;
    const bool in_path = text.find('/') == text.npos && find_program(text, ".");
    if (in_path || !fs::is_directory(folder, error)) return std::nullopt;
    // Where the starter kits have their bots.
    for (const char* name : {"nim_bot", "nim_bot.py", "nim_bot.js", "bin/nim_bot",
                             "target/release/nim_bot", "bot", "bot.py"}) {
        if (!fs::is_regular_file(folder / name, error)) continue;
        return bad_input("{} is a directory, expected a bot, such as {}",
                         protocol::quoted(text),
                         protocol::quoted((folder / name).lexically_normal().string()));
    }
    return bad_input("{} is a directory, expected a bot", protocol::quoted(text));
}

Result<std::vector<PlayerSpec>> read_players(const std::string& keys) {
    auto players = parse_players(keys);
    if (!players) return players;
    for (const PlayerSpec& player : *players) {
        if (!player.directory.empty()) continue;
        const auto split = find_split_path(player.command);
        if (!split) continue;
        std::string command;
        for (const char c : split->command) {
            if (c == '"' || c == '\\') command += '\\';
            command += c;
        }
        return bad_input(
            "read the command as several words, but {} is one file: quote its path, too: {}",
            protocol::quoted(split->path),
            protocol::printable(fmt::format("cmd=\"{}\"", command)));
    }
    return players;
}

Result<void> take_player(PlayOptions& options, const std::string& text) {
    if (const auto refused = refuse_path(text)) return *refused;
    auto player = parse_player(text);
    if (!player) {
        const auto number = options.players.size() + 1;
        return locate(fmt::format("player {}", number), text, player.error());
    }
    options.players.push_back(*std::move(player));
    return {};
}

Result<void> finish_safety(PlayOptions& options, const Given& given) {
    const bool sizes_sandbox =
        given.contains("sandbox-memory") || given.contains("sandbox-processes") ||
        given.contains("sandbox-disk") || given.contains("sandbox-shared");
    if (sizes_sandbox && !options.sandbox.on) {
        return bad_input(
            "--sandbox-memory, --sandbox-processes, --sandbox-disk and --sandbox-shared need "
            "--sandbox bwrap");
    }
    if ((options.sandbox.on || options.untrusted) && !given.contains("env")) {
        options.environment = EnvironmentMode::Clean;
    }
    return {};
}

Result<void> finish_play_options(PlayOptions& options, const Given& given) {
    if (given.contains("movetime") && given.contains("tc")) {
        return bad_input("expected --movetime or --tc, not both");
    }
    if (!options.web.listen && !(options.web.key.empty() && options.web.hosts.empty())) {
        return bad_input("--web-tls and --web-host need --web HOST:PORT");
    }
    if (const auto safe = finish_safety(options, given); !safe) return safe;
    options.clock_given = given.contains("movetime") || given.contains("tc");
    options.hang_given = given.contains("hang");
    options.seed_given = given.contains("seed");
    if (given.contains("startup")) options.dial_in = options.startup;

    std::vector<std::string> shown;
    for (const PlayerSpec& player : options.players) shown.push_back(player.name);
    make_names_distinct(shown);
    for (std::size_t i = 0; i < shown.size(); ++i) options.players[i].name = shown[i];

    auto positions = check_positions(options.given_positions, options.rulesets);
    if (!positions) return positions.error();
    options.positions = *std::move(positions);
    return {};
}

const std::string_view kPlayerKinds =
    R"(  COMMAND             a program and its arguments, quoted: 'python3 bot.py'
  tcp://HOST:PORT     a bot that listens
  tls://HOST:PORT     the same over TLS, its certificate verified
  listen://HOST:PORT  waits for a bot to dial in
  builtin:NAME        perfect, random or greedy
  builtin:eps:E       perfect, but where it can it makes a mistake with
                      probability E (0..1)
)";

const std::string_view kPlayerKeys =
    R"(  cmd=PLAYER              a command, an address or builtin:NAME; required
  name=NAME               its name (default: that of its handshake)
  option.NAME=VALUE       sent as `setoption name NAME value VALUE` (builtin: only Seed)
  legalmoves=auto|on|off  list the legal moves after `searchmoves` (auto: if it asks for them)
  history=on|off          off: send the current position, without the moves that led to it
  dir=DIRECTORY           the directory in which a COMMAND runs; 'submissions/*': a player for
                          each matching directory, named after it
  env=inherit|clean       the environment of a COMMAND, as --env for all
  env.NAME=VALUE          an environment variable of a COMMAND
  data=SIZE               memory that each process of a COMMAND may fill, such as 4G, or
                          unlimited (default: 1G)
  threads=N               more than 1: a COMMAND is not pinned to one core (default: 1)
  restart=on|off          on: restart a COMMAND for every game (default: off)
  movetime=MS, tc=BASE+INC, nodes=N, margin=MS
                          its own clock; movetime=0: a bare `go`, and only --hang limits it;
                          nodes: sent with `go`, and likewise only --hang limits it
  lag=MS                  credit for the network to a remote bot, on top of the margin
  ca=FILE                 tls://: authorities that may sign its certificate (default: those of
                          the system)
  instances=K             at most K concurrent instances, for a server with few clients
)";

}  // namespace arena
