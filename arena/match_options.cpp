#include "arena/match_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "arena/command_line.hpp"
#include "arena/exit_codes.hpp"
#include "engine/rules/catalogue.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::quoted;
using protocol::Result;

constexpr std::uint64_t kDefaultGames = 100;
constexpr std::uint64_t kMaxGames = 1'000'000'000;
constexpr std::uint64_t kMaxPlies = 10'000'000;
constexpr std::uint64_t kMaxConcurrency = 4096;
constexpr std::uint64_t kMaxCore = 1023;
constexpr std::size_t kMaxFile = 256 * 1024 * 1024;

Error refuse(std::string text) { return Error{Fault::BadInput, std::move(text), 0}; }

// The options as they come, before they are looked at together.
struct Draft {
    MatchOptions options;
    std::vector<GivenPosition> positions;
    std::optional<std::uint64_t> games;
    std::string rulesets;
};

// ---- values ----

// "3" or "0-3"; a core is named once.
Result<void> add_cores(std::vector<int>& cores, std::string_view item) {
    const auto dash = item.find('-');
    const auto first = parse_count(item.substr(0, dash), 0, kMaxCore);
    const auto last =
        dash == item.npos ? first : parse_count(item.substr(dash + 1), 0, kMaxCore);
    if (!first || !last || *first > *last) {
        return refuse(fmt::format("read {}, expected on, off or a list of cores such as 0,2-3",
                                  quoted(item)));
    }
    for (std::uint64_t core = *first; core <= *last; ++core) {
        cores.push_back(static_cast<int>(core));
    }
    return {};
}

Result<std::vector<int>> parse_cores(std::string_view text) {
    std::vector<int> cores;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        const auto added = add_cores(cores, text.substr(begin, comma - begin));
        if (!added) return added.error();
        begin = comma + 1;
    }
    std::ranges::sort(cores);
    cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
    return cores;
}

Result<std::string> read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const auto refuse_file = [&] {
        return refuse(fmt::format("cannot read {}: {}", quoted(path), std::strerror(errno)));
    };
    if (!file) return refuse_file();
    std::string text;
    std::array<char, 64 * 1024> block;
    while (file.read(block.data(), block.size()) || file.gcount() > 0) {
        text.append(block.data(), static_cast<std::size_t>(file.gcount()));
        if (text.size() > kMaxFile) {
            return refuse(fmt::format("{} is too long, expected {} MiB at most", quoted(path),
                                      kMaxFile / (1024 * 1024)));
        }
    }
    if (file.bad()) return refuse_file();
    return text;
}

// ---- options ----

Result<void> set_player(Draft& draft, const std::string& value) {
    auto player = parse_player_keys(value);
    if (!player) return player.error();
    draft.options.players.push_back(*std::move(player));
    return {};
}

Result<void> set_games(Draft& draft, const std::string& value) {
    const auto games = parse_count(value, 2, kMaxGames);
    if (!games || *games % 2 != 0) {
        return refuse(
            fmt::format("read {}, expected an even number 2..{}: from each position "
                        "both players move first once",
                        quoted(value), kMaxGames));
    }
    draft.games = *games;
    return {};
}

Result<void> set_position(Draft& draft, const std::string& value) {
    draft.positions.push_back({"--position", value});
    return {};
}

Result<void> set_positions(Draft& draft, const std::string& path) {
    const auto text = read_file(path);
    if (!text) return text.error();
    const std::size_t before = draft.positions.size();
    std::string_view rest = *text;
    for (std::size_t number = 1; !rest.empty(); ++number) {
        const auto end = rest.find('\n');
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        line = protocol::trim(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        draft.positions.push_back(
            {fmt::format("{}, line {}", quoted(path), number), std::string(line)});
    }
    if (draft.positions.size() > before) return {};
    return refuse(fmt::format("{} has no position, expected one a line", quoted(path)));
}

Result<void> set_rulesets(Draft& draft, const std::string& path) {
    draft.rulesets = path;
    return {};
}

Result<void> set_seed(Draft& draft, const std::string& value) {
    const auto seed = parse_count(value, 0, protocol::kMaxNumber);
    if (!seed) return seed.error();
    draft.options.seed = *seed;
    draft.options.seed_given = true;
    return {};
}

Result<void> set_max_plies(Draft& draft, const std::string& value) {
    const auto plies = parse_count(value, 1, kMaxPlies);
    if (!plies) return plies.error();
    draft.options.max_plies = *plies;
    return {};
}

Result<void> set_movetime(Draft& draft, const std::string& value) {
    const auto time = parse_milliseconds(value, 0);
    if (!time) return time.error();
    if (draft.options.clock_given) return refuse("expected --movetime or --tc, not both");
    draft.options.clock.movetime = std::nullopt;
    if (time->count() > 0) draft.options.clock.movetime = *time;
    draft.options.clock_given = true;
    return {};
}

Result<void> set_clock(Draft& draft, const std::string& value) {
    const std::string_view text = value;
    const auto plus = text.find('+');
    if (plus == text.npos) {
        return refuse("read " + quoted(text) + ", expected BASE_MS+INC_MS such as 60000+600");
    }
    const auto base = parse_milliseconds(text.substr(0, plus), 1);
    if (!base) return base.error();
    const auto increment = parse_milliseconds(text.substr(plus + 1), 0);
    if (!increment) return increment.error();
    if (draft.options.clock_given) return refuse("expected --movetime or --tc, not both");
    draft.options.clock.movetime = std::nullopt;
    draft.options.clock.base = *base;
    draft.options.clock.increment = *increment;
    draft.options.clock_given = true;
    return {};
}

Result<void> set_margin(Draft& draft, const std::string& value) {
    const auto margin = parse_milliseconds(value, 0);
    if (!margin) return margin.error();
    draft.options.clock.margin = *margin;
    return {};
}

Result<void> set_hang(Draft& draft, const std::string& value) {
    const auto hang = parse_milliseconds(value, 1);
    if (!hang) return hang.error();
    draft.options.clock.hang = *hang;
    draft.options.hang_given = true;
    return {};
}

Result<void> set_startup(Draft& draft, const std::string& value) {
    const auto startup = parse_milliseconds(value, 1);
    if (!startup) return startup.error();
    draft.options.startup = draft.options.dial_in = *startup;
    return {};
}

Result<void> set_concurrency(Draft& draft, const std::string& value) {
    const auto concurrency = parse_count(value, 1, kMaxConcurrency);
    if (!concurrency) return concurrency.error();
    draft.options.concurrency = static_cast<int>(*concurrency);
    return {};
}

Result<void> set_affinity(Draft& draft, const std::string& value) {
    if (value == "on" || value == "off") {
        draft.options.affinity = value == "on" ? AffinityMode::On : AffinityMode::Off;
        return {};
    }
    auto cores = parse_cores(value);
    if (!cores) return cores.error();
    draft.options.affinity = AffinityMode::List;
    draft.options.cores = *std::move(cores);
    return {};
}

Result<void> set_jsonl(Draft& draft, const std::string& value) {
    if (value.empty()) return refuse("expected a file, or - for standard output");
    draft.options.jsonl = value;
    return {};
}

Result<void> set_log(Draft& draft, const std::string& value) {
    if (value.empty() || value == "-")
        return refuse("read " + quoted(value) + ", expected a file");
    draft.options.log = value;
    return {};
}

Result<void> set_quiet(Draft& draft, const std::string&) {
    draft.options.quiet = true;
    return {};
}

Result<void> set_strict(Draft& draft, const std::string&) {
    draft.options.strict = true;
    return {};
}

// A row says all there is to know about an option.
struct Row {
    const char* group;
    const char* name;
    const char* value;  // how the help calls it; nullptr: a switch
    const char* help;
    Result<void> (*set)(Draft& draft, const std::string& value);
    bool repeats = false;
};

constexpr std::array kRows{
    Row{"Games", "player", "KEYS", "a player by keys, in place of a positional one", set_player,
        true},
    Row{"Games", "games", "N",
        "games in total, even, spread over the positions in pairs (default: 2 a position; 100 "
        "where none is given)",
        set_games},
    Row{"Games", "position", "FEN",
        "a position to start from, such as 'nim:3,4,5' or 'take{1,3,4}:21 misere'; may be "
        "repeated (default: one to four random nim heaps of 10 to 20, half of them won for who "
        "moves first)",
        set_position, true},
    Row{"Games", "positions", "FILE",
        "positions from a file, one a line; # starts a comment; may be repeated", set_positions,
        true},
    Row{"Games", "rulesets", "FILE", "names for rulesets: 'name = ruleset', one a definition",
        set_rulesets},
    Row{"Games", "seed", "S", "what all randomness derives from (default: drawn, and printed)",
        set_seed},
    Row{"Games", "max-plies", "N",
        "moves after which a game is decided by the value of its position (default: 10000)",
        set_max_plies},
    Row{"Time", "movetime", "MS", "time for each move; 0: no limit but --hang (default: 1000)",
        set_movetime},
    Row{"Time", "tc", "BASE+INC",
        "a clock for each player instead: BASE ms for the game and INC ms more after each move",
        set_clock},
    Row{"Time", "margin", "MS", "how late a move may come (default: 50)", set_margin},
    Row{"Time", "hang", "MS", "limit of a move where no other holds (default: 60000)",
        set_hang},
    Row{"Time", "startup", "MS",
        "time to start and shake hands, or to dial in (default: 10000; 300000 to dial in)",
        set_startup},
    Row{"Running", "concurrency", "N",
        "games at the same time (default: one a core when pinned, else half the cores)",
        set_concurrency},
    Row{"Running", "affinity", "on|off|LIST",
        "pin each game and its players to one core, of LIST such as 0,2-3 (default: on where "
        "--concurrency is at most the number of cores and all players are local)",
        set_affinity},
    Row{"Output", "jsonl", "FILE",
        "write one JSON object a game, as it ends; -: standard output, all else goes to "
        "standard error",
        set_jsonl},
    Row{"Output", "log", "FILE", "write every line sent and received", set_log},
    Row{"Output", "quiet", nullptr, "no progress, only the result", set_quiet},
    Row{"Output", "strict", nullptr, "exit status 4 if a player's fault ended some game",
        set_strict},
};

constexpr std::string_view kHelpHead =
    R"(Usage: nim-arena match PLAYER PLAYER [OPTION]...

Plays games between two players and says who won, how the games ended, and which moves threw them.

PLAYER is one of
  COMMAND             a program and its arguments, one word to your shell: 'python3 bot.py --fast'
  tcp://HOST:PORT     a bot that listens
  listen://HOST:PORT  waits for a bot to dial in
  builtin:NAME        perfect, random or greedy
  human               asks at the terminal
or, with --player, a list of keys: 'cmd="python3 bot.py" name=Ann option.Hash=16'
  cmd=PLAYER              what to play against; needed
  name=NAME               what to call it (default: what it calls itself)
  option.NAME=VALUE       sent as `setoption name NAME value VALUE` (to builtin: Seed alone)
  legalmoves=auto|on|off  list the legal moves behind `searchmoves` (auto: if it asks for them)
  history=on|off          off: send the position as it stands, without the moves before
  dir=DIRECTORY           where a COMMAND is run
  env.NAME=VALUE          an environment variable of a COMMAND
  threads=N               more than 1: a COMMAND is not pinned to one core (default: 1)
  restart=on|off          on: start a COMMAND anew for every game (default: off)
)";

constexpr std::string_view kHelpExamples = R"(Examples:
  nim-arena match nim-engine 'python3 bot.py' --position nim:3,4,5
  nim-arena match builtin:perfect ./bot --games 1000 --movetime 100 --jsonl games.jsonl
  nim-arena match --player 'cmd="python3 bot.py" name=Ann' tcp://localhost:5000 --tc 10000+100
  nim-arena match human builtin:perfect --position 'nim:1,3,5,7 misere'
)";

std::vector<OptionText> option_texts() {
    std::vector<OptionText> texts;
    for (const Row& row : kRows) {
        texts.push_back({row.group, row.name, row.value, row.help, row.repeats});
    }
    return texts;
}

std::string help_text() {
    return fmt::format("{}{}\n{}\n{}", kHelpHead, describe_options(option_texts()),
                       kHelpExamples, kExitTable);
}

// ---- the whole command line ----

Result<void> take_player(Draft& draft, const std::string& text) {
    auto player = parse_player(text);
    if (!player) {
        const auto number = draft.options.players.size() + 1;
        return locate(fmt::format("player {}", number), text, player.error());
    }
    draft.options.players.push_back(*std::move(player));
    return {};
}

Result<void> take_option(Draft& draft, const Argument& argument) {
    const auto row = std::ranges::find(kRows, argument.option, &Row::name);
    const auto done = row->set(draft, argument.value);
    if (!done) return locate("--" + argument.option, argument.value, done.error());
    return {};
}

// Players and options in the order of the command line.
Result<Draft> take_all(const std::vector<Argument>& arguments, std::uint64_t seed) {
    Draft draft;
    draft.options.seed = seed;
    for (const Argument& argument : arguments) {
        const auto done = argument.option.empty() ? take_player(draft, argument.value)
                                                  : take_option(draft, argument);
        if (!done) return done.error();
    }
    return draft;
}

Result<void> finish_positions(Draft& draft) {
    const auto names = load_names(draft.rulesets);
    if (!names) return names.error();
    for (const GivenPosition& given : draft.positions) {
        auto position = check_position(given, *names);
        if (!position) return position.error();
        draft.options.positions.push_back(*std::move(position));
    }
    const std::uint64_t twice = 2 * draft.options.positions.size();
    draft.options.games = draft.games.value_or(twice > 0 ? twice : kDefaultGames);
    return {};
}

Result<void> finish_players(MatchOptions& options) {
    if (options.players.size() != 2) {
        return refuse(fmt::format("read {} player{}, expected 2", options.players.size(),
                                  options.players.size() == 1 ? "" : "s"));
    }
    std::vector<std::string> names{options.players[0].name, options.players[1].name};
    make_names_distinct(names);
    for (std::size_t i = 0; i < names.size(); ++i) options.players[i].name = names[i];

    const auto is_human = [](const PlayerSpec& player) {
        return player.kind == PlayerKind::Human;
    };
    if (options.concurrency.value_or(1) > 1 && std::ranges::any_of(options.players, is_human)) {
        return refuse("--concurrency: a person plays one game at a time, expected 1");
    }
    return {};
}

Result<MatchOptions> finish(Draft draft) {
    const auto players = finish_players(draft.options);
    if (!players) return players.error();
    const auto positions = finish_positions(draft);
    if (!positions) return positions.error();
    if (!draft.options.log.empty() && draft.options.log == draft.options.jsonl) {
        return refuse("--log and --jsonl: expected two different files");
    }
    return std::move(draft.options);
}

}  // namespace

TimeControl clock_of(const MatchOptions& options, std::size_t player) {
    TimeControl clock = options.clock;
    if (options.players[player].kind != PlayerKind::Human || options.clock_given) return clock;
    clock.movetime = std::nullopt;
    if (!options.hang_given) clock.hang = std::chrono::hours(24);
    return clock;
}

MatchCommand parse_match_options(const std::vector<std::string>& arguments,
                                 std::uint64_t seed) {
    const auto split = split_arguments(option_texts(), arguments);
    if (!split) return usage_error("match", split.error());
    if (asks_for_help(*split)) return HelpText{help_text()};

    auto draft = take_all(*split, seed);
    if (!draft) return usage_error("match", draft.error());
    auto options = finish(*std::move(draft));
    if (!options) return usage_error("match", options.error());
    return *std::move(options);
}

}  // namespace arena
