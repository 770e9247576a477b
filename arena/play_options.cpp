#include "arena/play_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "arena/option_table.hpp"
#include "engine/rules/catalogue.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::quoted;
using protocol::Result;

constexpr std::uint64_t kMaxPlies = 10'000'000;
constexpr std::uint64_t kMaxConcurrency = 10'000;
constexpr std::uint64_t kMaxCore = 1023;
constexpr std::uint64_t kMaxStrikes = 1'000'000;
constexpr std::uint64_t kLeastMemory = 16 << 20;
constexpr std::uint64_t kLeastDisk = 64 << 10;
constexpr std::uint64_t kLeastProcesses = 8;  // of which the sandbox takes two
constexpr std::uint64_t kMaxProcesses = 32'768;
constexpr std::size_t kMaxFile = 256 * 1024 * 1024;

Error refuse(std::string text) { return Error{Fault::BadInput, std::move(text), 0}; }

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

// ---- options ----

Result<void> set_player(PlayOptions& options, PlayDraft&, const std::string& value) {
    auto player = parse_player_keys(value);
    if (!player) return player.error();
    options.players.push_back(*std::move(player));
    return {};
}

Result<void> set_position(PlayOptions&, PlayDraft& draft, const std::string& value) {
    draft.positions.push_back({"--position", value});
    return {};
}

Result<void> set_rulesets(PlayOptions&, PlayDraft& draft, const std::string& path) {
    draft.rulesets = path;
    return {};
}

Result<void> set_seed(PlayOptions& options, PlayDraft&, const std::string& value) {
    const auto seed = parse_count(value, 0, protocol::kMaxNumber);
    if (!seed) return seed.error();
    options.seed = *seed;
    options.seed_given = true;
    return {};
}

Result<void> set_max_plies(PlayOptions& options, PlayDraft&, const std::string& value) {
    const auto plies = parse_count(value, 1, kMaxPlies);
    if (!plies) return plies.error();
    options.max_plies = *plies;
    return {};
}

Result<void> set_movetime(PlayOptions& options, PlayDraft&, const std::string& value) {
    const auto time = parse_milliseconds(value, 0);
    if (!time) return time.error();
    if (options.clock_given) return refuse("expected --movetime or --tc, not both");
    options.clock.movetime = std::nullopt;
    if (time->count() > 0) options.clock.movetime = *time;
    options.clock_given = true;
    return {};
}

Result<void> set_clock(PlayOptions& options, PlayDraft&, const std::string& value) {
    const auto clock = parse_time_control(value);
    if (!clock) return clock.error();
    if (options.clock_given) return refuse("expected --movetime or --tc, not both");
    options.clock.movetime = std::nullopt;
    options.clock.base = clock->first;
    options.clock.increment = clock->second;
    options.clock_given = true;
    return {};
}

Result<void> set_margin(PlayOptions& options, PlayDraft&, const std::string& value) {
    const auto margin = parse_milliseconds(value, 0);
    if (!margin) return margin.error();
    options.clock.margin = *margin;
    return {};
}

Result<void> set_hang(PlayOptions& options, PlayDraft&, const std::string& value) {
    const auto hang = parse_milliseconds(value, 1);
    if (!hang) return hang.error();
    options.clock.hang = *hang;
    options.hang_given = true;
    return {};
}

Result<void> set_startup(PlayOptions& options, PlayDraft&, const std::string& value) {
    const auto startup = parse_milliseconds(value, 1);
    if (!startup) return startup.error();
    options.startup = options.dial_in = *startup;
    return {};
}

Result<void> set_concurrency(PlayOptions& options, PlayDraft&, const std::string& value) {
    const auto concurrency = parse_count(value, 1, kMaxConcurrency);
    if (!concurrency) return concurrency.error();
    options.concurrency = static_cast<int>(*concurrency);
    return {};
}

Result<void> set_affinity(PlayOptions& options, PlayDraft&, const std::string& value) {
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

Result<void> set_environment(PlayOptions& options, PlayDraft&, const std::string& value) {
    const auto mode = parse_environment_mode(value);
    if (!mode) return mode.error();
    options.environment = *mode;
    options.environment_given = true;
    return {};
}

Result<void> set_sandbox(PlayOptions& options, PlayDraft&, const std::string& value) {
    if (value != "none" && value != "bwrap") {
        return refuse("read " + quoted(value) + ", expected none or bwrap");
    }
    options.sandbox.on = value == "bwrap";
    return {};
}

Result<void> set_sandbox_memory(PlayOptions& options, PlayDraft& draft,
                                const std::string& value) {
    const auto size = parse_size(value, kLeastMemory);
    if (!size) return size.error();
    options.sandbox.memory = *size;
    draft.sizes_sandbox = true;
    return {};
}

Result<void> set_sandbox_processes(PlayOptions& options, PlayDraft& draft,
                                   const std::string& value) {
    const auto count = parse_count(value, kLeastProcesses, kMaxProcesses);
    if (!count) return count.error();
    options.sandbox.processes = static_cast<int>(*count);
    draft.sizes_sandbox = true;
    return {};
}

Result<void> set_sandbox_disk(PlayOptions& options, PlayDraft& draft,
                              const std::string& value) {
    const auto size = parse_size(value, kLeastDisk);
    if (!size) return size.error();
    options.sandbox.disk = *size;
    draft.sizes_sandbox = true;
    return {};
}

Result<void> set_run_as(PlayOptions& options, PlayDraft&, const std::string& value) {
    if (value.empty()) return refuse("expected the name of a user, found nothing");
    options.run_as = value;
    return {};
}

Result<void> set_untrusted(PlayOptions& options, PlayDraft&, const std::string&) {
    options.untrusted = true;
    return {};
}

Result<void> set_insecure(PlayOptions& options, PlayDraft&, const std::string&) {
    options.insecure = true;
    return {};
}

Result<void> set_log(PlayOptions& options, PlayDraft&, const std::string& value) {
    if (value.empty() || value == "-")
        return refuse("read " + quoted(value) + ", expected a file");
    options.log = value;
    return {};
}

Result<void> set_color(PlayOptions& options, PlayDraft&, const std::string& value) {
    if (value == "auto") {
        options.color = ColorMode::Auto;
    } else if (value == "always") {
        options.color = ColorMode::Always;
    } else if (value == "never") {
        options.color = ColorMode::Never;
    } else {
        return refuse("read " + quoted(value) + ", expected auto, always or never");
    }
    return {};
}

Result<void> set_quiet(PlayOptions& options, PlayDraft&, const std::string& value) {
    options.quiet = value != kUnset;
    return {};
}

Result<void> set_strict(PlayOptions& options, PlayDraft&, const std::string& value) {
    options.strict = value != kUnset;
    return {};
}

Result<void> set_positions(PlayOptions&, PlayDraft& draft, const std::string& path) {
    auto positions = read_positions(path);
    if (!positions) return positions.error();
    std::ranges::move(*positions, std::back_inserter(draft.positions));
    return {};
}

Result<void> set_faults(PlayOptions& options, PlayDraft&, const std::string& value) {
    constexpr std::string_view kStrikes = "strikes=";
    if (value == "forfeit") {
        options.faults.losing_strike = 1;
    } else if (value == "replace") {
        options.faults.losing_strike = FaultPolicy::kNever;
    } else if (value.starts_with(kStrikes)) {
        const auto strikes =
            parse_count(std::string_view(value).substr(kStrikes.size()), 1, kMaxStrikes);
        if (!strikes) return strikes.error();
        options.faults.losing_strike = static_cast<int>(*strikes);
    } else {
        return refuse("read " + quoted(value) + ", expected forfeit, replace or strikes=N");
    }
    return {};
}

Result<void> set_grace(PlayOptions& options, PlayDraft&, const std::string& value) {
    const auto grace = parse_milliseconds(value, 0);
    if (!grace) return grace.error();
    options.faults.grace = *grace;
    return {};
}

const std::array kRows{
    PlayOptionRow{{"Games", "player", "KEYS", "a player by keys, one for each player", true},
                  set_player},
    PlayOptionRow{
        {"Games", "position", "FEN",
         "a position to start from, such as 'nim:3,4,5' or 'take{1,3,4}:21 misere'; may be "
         "repeated (default: one to four random nim heaps of 10 to 20, half of them won for "
         "who moves first)",
         true},
        set_position},
    PlayOptionRow{
        {"Games", "positions", "FILE",
         "positions from a file, one a line; # starts a comment; may be repeated", true},
        set_positions},
    PlayOptionRow{
        {"Games", "rulesets", "FILE", "names for rulesets: 'name = ruleset', one a definition"},
        set_rulesets},
    PlayOptionRow{{"Games", "seed", "S",
                   "what all randomness derives from (default: drawn, and printed)"},
                  set_seed},
    PlayOptionRow{
        {"Games", "max-plies", "N",
         "moves after which a game is decided by the value of its position (default: 10000)"},
        set_max_plies},
    PlayOptionRow{{"Time", "movetime", "MS",
                   "time for each move; 0: no limit but --hang (default: 1000)"},
                  set_movetime},
    PlayOptionRow{{"Time", "tc", "BASE+INC",
                   "a clock for each player instead: BASE ms for the game and INC ms more "
                   "after each move"},
                  set_clock},
    PlayOptionRow{{"Time", "margin", "MS", "how late a move may come (default: 50)"},
                  set_margin},
    PlayOptionRow{
        {"Time", "hang", "MS", "limit of a move where no other holds (default: 60000)"},
        set_hang},
    PlayOptionRow{
        {"Time", "startup", "MS",
         "time to start and shake hands, or to dial in (default: 10000; 300000 to dial in)"},
        set_startup},
    PlayOptionRow{
        {"Running", "concurrency", "N",
         "games at the same time (default: one a core when pinned, else half the cores)"},
        set_concurrency},
    PlayOptionRow{
        {"Running", "affinity", "on|off|LIST",
         "pin each game and its players to one core, of LIST such as 0,2-3 (default: on where "
         "--concurrency is at most the number of cores and all players are local)"},
        set_affinity},
    PlayOptionRow{
        {"Safety", "env", "inherit|clean",
         "what COMMANDs see of this environment: all; or PATH and LANG alone, with HOME and "
         "TMPDIR in a private directory that is removed afterwards (default: inherit in match, "
         "clean in tournament and serve). With this and with limits (1 GiB of data for a "
         "process, 1 GiB for a file, 1024 open files, CPU time by the clock, no core files, no "
         "new privileges) players keep order. That is hygiene, not isolation: against programs "
         "of strangers it does not protect"},
        set_environment},
    PlayOptionRow{
        {"Safety", "sandbox", "none|bwrap",
         "bwrap: each COMMAND runs in bubblewrap, without network, and sees the system and its "
         "own directory, read-only, and no process but its own; tried before the first game, "
         "exit status 3 where it does not work (default: none)"},
        set_sandbox},
    PlayOptionRow{{"Safety", "sandbox-memory", "SIZE",
                   "memory for a sandboxed player and all it starts (default: 1G)"},
                  set_sandbox_memory},
    PlayOptionRow{{"Safety", "sandbox-processes", "N",
                   "processes and threads of a sandboxed player (default: 128)"},
                  set_sandbox_processes},
    PlayOptionRow{{"Safety", "sandbox-disk", "SIZE",
                   "room in the sandbox's /tmp, where HOME is too (default: 64M)"},
                  set_sandbox_disk},
    PlayOptionRow{
        {"Safety", "run-as", "USER",
         "as root: the user that COMMANDs run as; their directories must be open to it"},
        set_run_as},
    PlayOptionRow{{"Safety", "untrusted", nullptr,
                   "the players are programs of strangers: their environment is clean, and as "
                   "root they are "
                   "refused without --sandbox or --run-as"},
                  set_untrusted},
    PlayOptionRow{{"Safety", "insecure", nullptr,
                   "await listen:// players beyond this machine, too, where whoever dials in "
                   "first plays"},
                  set_insecure},
    PlayOptionRow{{"Output", "log", "FILE", "write every line sent and received"}, set_log},
    PlayOptionRow{{"Faults", "faults", "forfeit|replace|strikes=N",
                   "what a fault in a game costs: the game; a random legal move instead; or "
                   "the game with "
                   "the Nth (default: forfeit)"},
                  set_faults},
    PlayOptionRow{
        {"Faults", "grace", "MS",
         "where moves are replaced: how long a late move is awaited after `stop`, before the "
         "player is started anew (default: 2000)"},
        set_grace},
    PlayOptionRow{{"Output", "color", "auto|always|never",
                   "colour faults and warnings; auto: on a terminal, unless NO_COLOR is set "
                   "(default: auto)"},
                  set_color},
    PlayOptionRow{{"Output", "quiet", nullptr,
                   "no progress, only the result; --no-quiet undoes it", false, true},
                  set_quiet},
    PlayOptionRow{{"Output", "strict", nullptr,
                   "exit status 4 if a player's fault ended some game; --no-strict undoes it",
                   false, true},
                  set_strict},
};

}  // namespace

std::span<const PlayOptionRow> play_option_rows() { return kRows; }

std::vector<OptionText> option_texts(std::span<const OptionText> own) {
    std::vector<OptionText> texts(own.begin(), own.end());
    add_texts(texts, kRows);
    return texts;
}

Result<void> take_player(PlayOptions& options, const std::string& text) {
    auto player = parse_player(text);
    if (!player) {
        const auto number = options.players.size() + 1;
        return locate(fmt::format("player {}", number), text, player.error());
    }
    options.players.push_back(*std::move(player));
    return {};
}

Result<bool> take_play_option(PlayOptions& options, PlayDraft& draft,
                              const Argument& argument) {
    const PlayOptionRow* row = find_row(kRows, argument.option);
    if (row == nullptr) return false;
    const auto done = row->set(options, draft, argument.value);
    if (!done) return done.error();
    return true;
}

Result<void> finish_play_options(PlayOptions& options, const PlayDraft& draft) {
    if (draft.sizes_sandbox && !options.sandbox.on) {
        return refuse(
            "--sandbox-memory, --sandbox-processes and --sandbox-disk need --sandbox bwrap");
    }
    if ((options.sandbox.on || options.untrusted) && !options.environment_given) {
        options.environment = EnvironmentMode::Clean;
    }
    std::vector<std::string> shown;
    for (const PlayerSpec& player : options.players) shown.push_back(player.name);
    make_names_distinct(shown);
    for (std::size_t i = 0; i < shown.size(); ++i) options.players[i].name = shown[i];

    const auto names = load_names(draft.rulesets);
    if (!names) return names.error();
    for (const GivenPosition& given : draft.positions) {
        auto position = check_position(given, *names);
        if (!position) return position.error();
        options.positions.push_back(*std::move(position));
    }
    return {};
}

std::string to_string(const SandboxOptions& options) {
    if (!options.on) return "none";
    return fmt::format("bwrap memory={} processes={} disk={}", size_text(options.memory),
                       options.processes, size_text(options.disk));
}

Result<SandboxOptions> parse_recorded_sandbox(std::string_view text) {
    SandboxOptions options;
    for (const std::string_view word : protocol::split_words(text)) {
        const auto equals = std::min(word.find('='), word.size());
        const auto key = word.substr(0, equals);
        const auto value = word.substr(std::min(equals + 1, word.size()));
        if (key == "bwrap") {
            options.on = true;
        } else if (key == "processes") {
            const auto count = parse_count(value, 1, kMaxProcesses);
            if (!count) return count.error();
            options.processes = static_cast<int>(*count);
        } else if (key == "memory" || key == "disk") {
            const auto size = parse_size(value, 1);
            if (!size) return size.error();
            (key == "memory" ? options.memory : options.disk) = *size;
        }
    }
    return options;
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

Result<std::vector<GivenPosition>> read_positions(const std::string& path) {
    const auto text = read_file(path);
    if (!text) return text.error();
    std::vector<GivenPosition> positions;
    std::string_view rest = *text;
    for (std::size_t number = 1; !rest.empty(); ++number) {
        const auto end = rest.find('\n');
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        line = protocol::trim(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        positions.push_back(
            {fmt::format("{}, line {}", quoted(path), number), std::string(line)});
    }

    if (!positions.empty()) return positions;
    return refuse(fmt::format("{} has no position, expected one a line", quoted(path)));
}

TimeControl clock_of(const PlayOptions& options, std::size_t player) {
    const PlayerSpec& spec = options.players[player];
    TimeControl clock = options.clock;
    if (spec.clock.has_time()) {
        clock.movetime = spec.clock.movetime;
        clock.base = spec.clock.base;
        clock.increment = spec.clock.increment;
    }
    if (clock.movetime == Milliseconds(0)) clock.movetime = std::nullopt;
    clock.nodes = spec.clock.nodes;
    if (spec.clock.margin) clock.margin = *spec.clock.margin;
    clock.margin += spec.clock.lag;
    if (spec.kind != PlayerKind::Human || options.clock_given || spec.clock.has_time())
        return clock;
    clock.movetime = std::nullopt;
    if (!options.hang_given) clock.hang = std::chrono::hours(24);
    return clock;
}

const std::string_view kPlayerKinds =
    R"(  COMMAND             a program and its arguments, one word to your shell: 'python3 bot.py --fast'
  tcp://HOST:PORT     a bot that listens
  tls://HOST:PORT     the same behind TLS, its certificate verified
  listen://HOST:PORT  waits for a bot to dial in
  builtin:NAME        perfect, random or greedy
  builtin:eps:E       perfect, but throws what it has with probability E (0..1) where it can
)";

const std::string_view kPlayerKeys =
    R"(  cmd=PLAYER              what to play against; needed
  name=NAME               what to call it (default: what it calls itself)
  option.NAME=VALUE       sent as `setoption name NAME value VALUE` (to builtin: Seed alone)
  legalmoves=auto|on|off  list the legal moves behind `searchmoves` (auto: if it asks for them)
  history=on|off          off: send the position as it stands, without the moves before
  dir=DIRECTORY           where a COMMAND is run
  env=inherit|clean       what a COMMAND sees of this environment, as --env for all
  env.NAME=VALUE          an environment variable of a COMMAND
  data=SIZE               memory that each process of a COMMAND may fill, such as 4G, or unlimited
                          (default: 1G)
  threads=N               more than 1: a COMMAND is not pinned to one core (default: 1)
  restart=on|off          on: start a COMMAND anew for every game (default: off)
  movetime=MS, tc=BASE+INC, nodes=N, margin=MS
                          its own clock; movetime=0: no limit but --hang; nodes: sent with
                          `go`, and no other limit either
  lag=MS                  credit for the way to a bot far off, on top of the margin
  ca=FILE                 tls://: who may sign its certificate (default: whom the system trusts)
  instances=K             K of it at once at the most, as for a server that takes one client
)";

}  // namespace arena
