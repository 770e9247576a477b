#include "arena/tournament_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/exit_codes.hpp"
#include "arena/option_table.hpp"
#include "arena/statistics/sprt.hpp"
#include "arena/tournament_file.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::quoted;
using protocol::Result;

constexpr std::uint64_t kMaxGamesOfPairing = 10'000'000;
constexpr std::uint64_t kMaxGames = 1'000'000'000;
constexpr std::uint64_t kMaxRounds = 10'000;
constexpr std::uint64_t kMaxProcesses = 65'536;
constexpr std::size_t kMaxListed = 65'536;  // bytes of positions that are compared as text

Error refuse(std::string text) { return Error{Fault::BadInput, std::move(text), 0}; }

struct Draft : PlayDraft {
    std::set<std::string> given;  // names of options
    std::string suite;
};

Result<void> set_text(std::string& target, const std::string& value) {
    if (value.empty()) return refuse("expected a value, found nothing");
    target = value;
    return {};
}

Result<void> set_number(int& target, const std::string& value, std::uint64_t most) {
    const auto number = parse_count(value, 1, most);
    if (!number) return number.error();
    target = static_cast<int>(*number);
    return {};
}

Result<void> set_name(TournamentOptions& options, Draft&, const std::string& value) {
    return set_text(options.name, value);
}

Result<void> set_format(TournamentOptions& options, Draft&, const std::string& value) {
    const auto kind = parse_format_kind(value);
    if (!kind) return kind.error();
    options.format.kind = *kind;
    return {};
}

Result<void> set_games(TournamentOptions& options, Draft&, const std::string& value) {
    const auto games = parse_count(value, 2, kMaxGamesOfPairing);
    if (!games || *games % 2 != 0) {
        return refuse(fmt::format(
            "read {}, expected an even number 2..{}: from each position both move first once",
            quoted(value), kMaxGamesOfPairing));
    }
    options.format.games = static_cast<int>(*games);
    return {};
}

Result<void> set_cycles(TournamentOptions& options, Draft&, const std::string& value) {
    return set_number(options.format.cycles, value, kMaxRounds);
}

Result<void> set_rounds(TournamentOptions& options, Draft&, const std::string& value) {
    return set_number(options.format.rounds, value, kMaxRounds);
}

Result<void> set_seeds(TournamentOptions& options, Draft&, const std::string& value) {
    return set_number(options.format.seeds, value, kMaxRounds);
}

Result<void> set_budget(TournamentOptions& options, Draft&, const std::string& value) {
    const auto budget = parse_duration(value);
    if (!budget) return budget.error();
    options.format.budget = *budget;
    return {};
}

Result<void> set_suite(TournamentOptions&, Draft& draft, const std::string& value) {
    return set_text(draft.suite, value);
}

Result<void> set_record(TournamentOptions& options, Draft&, const std::string& value) {
    return set_text(options.record, value);
}

Result<void> set_events(TournamentOptions& options, Draft&, const std::string& value) {
    const bool to_file = value.starts_with("jsonl:") && value != "jsonl:";
    if (value != "jsonl" && !to_file) {
        return refuse("read " + quoted(value) + ", expected jsonl or jsonl:FILE");
    }
    options.events = value;
    return {};
}

Result<void> set_report(TournamentOptions& options, Draft&, const std::string& value) {
    return set_text(options.report, value);
}

Result<void> set_analysis(TournamentOptions& options, Draft&, const std::string& value) {
    const auto time = parse_milliseconds(value, 0);
    if (!time) return time.error();
    options.analysis = *time;
    return {};
}

Result<void> set_sprt(TournamentOptions& options, Draft&, const std::string& value) {
    const auto test = parse_elo_test(value);
    if (!test) return test.error();
    return set_text(options.sprt, value);
}

Result<void> set_sprt_error(TournamentOptions& options, Draft&, const std::string& value) {
    const auto test = parse_error_test(value);
    if (!test) return test.error();
    return set_text(options.sprt_error, value);
}

Result<void> set_max_games(TournamentOptions& options, Draft&, const std::string& value) {
    const auto games = parse_count(value, 2, kMaxGames);
    if (!games || *games % 2 != 0) {
        return refuse(fmt::format("read {}, expected an even number 2..{}: games come in pairs",
                                  quoted(value), kMaxGames));
    }
    options.max_games = *games;
    return {};
}

Result<void> set_processes(TournamentOptions& options, Draft&, const std::string& value) {
    return set_number(options.processes, value, kMaxProcesses);
}

using Row = OptionRow<TournamentOptions, Draft>;
const std::array kRows{
    Row{{"Tournament", "name", "TEXT", "what it is called in exports and on pages"}, set_name},
    Row{{"Tournament", "format", "FORMAT",
         "round-robin, gauntlet, swiss, knockout or ladder (default: round-robin)"},
        set_format},
    Row{{"Tournament", "games", "N",
         "games of each pairing, even: two from each position (default: 2)"},
        set_games},
    Row{{"Tournament", "cycles", "N",
         "round-robin: how often each meets each; 2: double (default: 1)"},
        set_cycles},
    Row{{"Tournament", "seeds", "N",
         "gauntlet: so many of the first players meet all the others (default: 1)"},
        set_seeds},
    Row{{"Tournament", "rounds", "N",
         "swiss: rounds (default: as a knockout would need, the logarithm of the players)"},
        set_rounds},
    Row{{"Tournament", "budget", "TIME",
         "ladder: as many fair rounds as fit, such as 90m, 2h or 30s; needed there"},
        set_budget},
    Row{{"Tournament", "record", "FILE",
         "keep every game; the same command again plays what is missing (default: nothing is "
         "kept)"},
        set_record},
    Row{{"Tournament", "sprt", "ELO0,ELO1,ALPHA,BETA",
         "two players: stop as soon as a sequential test on normalized Elo decides; needs "
         "--max-games"},
        set_sprt},
    Row{{"Tournament", "sprt-error", "E0,E1,ALPHA,BETA",
         "two players: the same on the first one's rate of mistakes"},
        set_sprt_error},
    Row{{"Tournament", "max-games", "N", "stop after so many games"}, set_max_games},
    Row{{"Games", "suite", "SPEC",
         "positions drawn anew for each pair of games, see nim-arena suite --help"},
        set_suite},
    Row{{"Running", "processes", "N",
         "players kept running between their games (default: 2 x concurrency + 8)"},
        set_processes},
    Row{{"Output", "events", "jsonl[:FILE]",
         "tell what happens as JSON Lines, as it happens, to FILE, or to standard output: then "
         "all else goes to standard error"},
        set_events},
    Row{{"Output", "analysis", "MS",
         "time to look for mistakes in the games, at the end; 0: none (default: 60000)"},
        set_analysis},
    Row{{"Output", "report", "DIR", "write pages to look at in the end"}, set_report},
};

// ---- of serve alone ----

constexpr std::uint64_t kMaxConnections = 1'000'000;
constexpr std::size_t kMaxServed = 20'000;  // players; as many as a format takes
constexpr int kServedAtOnce = 64;  // games, by default: who dials in needs no core here

Result<void> set_listen(TournamentOptions& options, Draft&, const std::string& value) {
    const auto endpoint = protocol::parse_endpoint(value);
    if (!endpoint) return endpoint.error();
    options.lobby->listen = *endpoint;
    return {};
}

Result<void> set_tls(TournamentOptions& options, Draft&, const std::string& value) {
    const auto comma = value.find(',');
    if (comma == value.npos || comma == 0 || comma + 1 == value.size()) {
        return refuse("read " + quoted(value) + ", expected CERT,KEY: two PEM files");
    }
    options.lobby->certificate = value.substr(0, comma);
    options.lobby->key = value.substr(comma + 1);
    return {};
}

Result<void> set_tokens(TournamentOptions& options, Draft&, const std::string& value) {
    return set_text(options.lobby->tokens, value);
}

Result<void> set_await(TournamentOptions& options, Draft&, const std::string& value) {
    const auto number = parse_count(value, 2, kMaxServed);
    if (!number) return number.error();
    options.await = *number;
    return {};
}

Result<void> set_drain(TournamentOptions& options, Draft&, const std::string& value) {
    const auto seconds = parse_count(value, 0, 7 * 24 * 3600);
    if (!seconds) return seconds.error();
    options.drain = Milliseconds(1000 * *seconds);
    return {};
}

template <std::size_t LobbyOptions::*number>
Result<void> set_limit(TournamentOptions& options, Draft&, const std::string& value) {
    const auto limit = parse_count(value, 1, kMaxConnections);
    if (!limit) return limit.error();
    (*options.lobby).*number = *limit;
    return {};
}

Result<void> set_connections(TournamentOptions& options, Draft& draft,
                             const std::string& value) {
    options.lobby->connections_given = true;
    return set_limit<&LobbyOptions::connections>(options, draft, value);
}

template <Milliseconds LobbyOptions::*time>
Result<void> set_time(TournamentOptions& options, Draft&, const std::string& value) {
    const auto limit = parse_milliseconds(value, 1);
    if (!limit) return limit.error();
    (*options.lobby).*time = *limit;
    return {};
}

const std::array kServeRows{
    Row{{"Server", "listen", "HOST:PORT", "where bots dial in; port 0 prints the port; needed"},
        set_listen},
    Row{{"Server", "tokens", "FILE", "who may play, see nim-arena token --help; needed"},
        set_tokens},
    Row{{"Server", "tls", "CERT,KEY", "TLS, with the PEM files of a certificate and its key"},
        set_tls},
    Row{{"Server", "await", "N",
         "begin when so many players are there, the server's own among them (default: 2)"},
        set_await},
    Row{{"Server", "drain", "SECONDS",
         "how long games may go on after SIGTERM or SIGINT; a second one ends them at once "
         "(default: 30)"},
        set_drain},
    Row{{"Server", "absence", "MS",
         "how long the games of a player that has gone wait for it (default: 60000)"},
        set_time<&LobbyOptions::absence>},
    Row{{"Limits", "connections", "N",
         "in all (default: 20000, or fewer where the limit of open files is lower)"},
        set_connections},
    Row{{"Limits", "unproven", "N",
         "connections from one address that have not shown a token yet (default: 256)"},
        set_limit<&LobbyOptions::unproven>},
    Row{{"Limits", "handshake", "MS",
         "from a connection to its `ugiok` and `readyok` (default: 10000)"},
        set_time<&LobbyOptions::handshake>},
    Row{{"Limits", "handshake-bytes", "N", "up to there (default: 16384)"},
        set_limit<&LobbyOptions::handshake_bytes>},
    Row{{"Limits", "idle", "MS",
         "a bot that waits for its game is asked `isready` so often, and has as long to answer "
         "(default: 30000)"},
        set_time<&LobbyOptions::idle>},
};

// What has another default there than in tournament.
constexpr std::array kServedOtherwise{
    std::pair{"format",
              "round-robin, gauntlet, swiss, knockout or ladder (default: ladder, among those "
              "who are there)"},
    std::pair{"budget",
              "ladder: as many fair rounds as fit, such as 90m, 2h or 30s (default: it goes on "
              "until it is stopped)"},
    std::pair{"concurrency", "games at the same time (default: 64)"},
    std::pair{"insecure",
              "listen beyond this machine without TLS, and for listen:// players without "
              "tokens, too"},
    std::pair{"affinity",
              "pin each game and the server's own players of it to one core, of LIST such as "
              "0,2-3 (default: off)"},
};

constexpr std::string_view kServeHead =
    R"(Usage: nim-arena serve [FILE.toml] --listen HOST:PORT --tokens FILE [OPTION]...

Plays a tournament among bots that dial in, and shows that they are who they are by `id token SECRET` in
their handshake; nim-connect does so for a bot that speaks by its standard input and output. FILE.toml and all
options are those of `nim-arena tournament`; players given there are the server's own. The default format is
a ladder among those who are there; without --budget it goes on until it is stopped. SIGTERM lets the games
that are played end. The same command goes on with the same --record.

)";

constexpr std::string_view kServeExamples = R"(Examples:
  (umask 077; nim-arena token add Ann --tokens class.tokens > ann.token)
  nim-arena serve --listen 127.0.0.1:7000 --tokens class.tokens --record class.db
  nim-arena serve --listen 0.0.0.0:7000 --tls cert.pem,key.pem --tokens class.tokens --record class.db
  nim-connect --server arena.example.org:7000 --tls --token-file ann.token -- python3 my_bot.py
)";

constexpr std::string_view kHelpHead =
    R"(Usage: nim-arena tournament [FILE.toml] [OPTION]...

Plays a tournament. FILE.toml holds options as keys, and players as [[player]]; `nim-arena init`
writes an example. Options of the command line override those of the file; players are added.
Paths, also those in the file, count from the directory in which this is run.

A player is given as --player KEYS, KEYS being 'cmd="python3 bot.py" name=Ann option.Hash=16':
)";

constexpr std::string_view kHelpKinds = "PLAYER is one of\n";

constexpr std::string_view kHelpExamples = R"(Examples:
  nim-arena init spring.toml
  nim-arena tournament spring.toml --record spring.db
  nim-arena tournament --player cmd=builtin:perfect --player 'cmd="python3 bot.py"' --games 10
  nim-arena tournament --format swiss --rounds 9 --record class.db --player … --player …
)";

// Of serve, or of tournament.
std::vector<OptionText> all_texts(bool serves) {
    std::vector<OptionText> own;
    if (serves) add_texts(own, kServeRows);
    add_texts(own, kRows);
    std::vector<OptionText> texts = option_texts(own);
    for (OptionText& text : texts) {
        for (const auto& [name, help] : kServedOtherwise) {
            if (serves && text.name == std::string_view(name)) text.help = help;
        }
    }
    return texts;
}

std::string help_text(bool serves) {
    auto texts = all_texts(serves);
    if (serves) {
        // These are for two players who are named.
        std::erase_if(texts, [](const OptionText& text) {
            return std::string_view(text.name).starts_with("sprt");
        });
    }
    const std::string options = describe_options(texts);
    if (serves) {
        return fmt::format("{}{}\n{}\n{}", kServeHead, options, kServeExamples, kExitTable);
    }
    return fmt::format("{}{}{}{}{}\n{}\n{}", kHelpHead, kPlayerKeys, kHelpKinds, kPlayerKinds,
                       options, kHelpExamples, kExitTable);
}

// ---- the whole command line ----

Result<void> take_option(TournamentOptions& options, Draft& draft, const Argument& argument) {
    const Row* own = options.lobby ? find_row(kServeRows, argument.option) : nullptr;
    if (own == nullptr) own = find_row(kRows, argument.option);
    Result<void> done;
    if (own != nullptr) {
        done = own->set(options, draft, argument.value);
    } else {
        const auto taken = take_play_option(options, draft, argument);
        if (!taken) done = taken.error();
    }
    draft.given.insert(argument.option);
    if (!done) return locate("--" + argument.option, argument.value, done.error());
    return {};
}

// What stands on the command line takes the place of what the file says; of clocks there is
// one, of sources of positions too.
bool overrides(const std::string& given, const std::string& in_file) {
    static const std::array<std::vector<std::string_view>, 2> kOneOf{
        {{"movetime", "tc"}, {"position", "positions", "suite"}}};
    if (given == "player") return false;
    if (given == in_file) return true;
    return std::ranges::any_of(kOneOf, [&](const auto& group) {
        return std::ranges::find(group, given) != group.end() &&
               std::ranges::find(group, in_file) != group.end();
    });
}

// The arguments of the file that still hold, and behind them those of the command line.
Result<std::vector<Argument>> with_file(const std::vector<Argument>& given, bool serves) {
    std::vector<Argument> all;
    std::string path;
    for (const Argument& argument : given) {
        if (!argument.option.empty()) continue;
        if (!path.empty()) {
            return refuse(fmt::format(
                "read {} behind the file {}, expected options; a player is --player",
                quoted(argument.value), quoted(path)));
        }
        path = argument.value;
    }
    if (!path.empty()) {
        const auto text = read_file(path);
        if (!text) return text.error();
        auto in_file = read_tournament_file(*text, path, all_texts(serves));
        if (!in_file) return in_file.error();
        for (Argument& argument : *in_file) {
            const bool holds = std::ranges::none_of(given, [&](const Argument& other) {
                return overrides(other.option, argument.option);
            });
            if (holds) all.push_back(std::move(argument));
        }
    }
    for (const Argument& argument : given) {
        if (!argument.option.empty()) all.push_back(argument);
    }
    return all;
}

constexpr std::string_view kUpToMost = "up to max-games";

bool has_test(const TournamentOptions& options) {
    return !options.sprt.empty() || !options.sprt_error.empty();
}

int games_up_to(std::uint64_t most) {
    return static_cast<int>(std::min(most, kMaxGamesOfPairing));
}

// A test has as many games as it may take, unless some were asked for.
std::string games_text(const TournamentOptions& options) {
    const int games = options.format.games;
    const bool as_many = has_test(options) && games == games_up_to(options.max_games);
    return as_many ? std::string(kUpToMost) : std::to_string(games);
}

struct OnlyFor {
    const char* option;
    FormatKind format;
};
constexpr std::array kOnlyFor{
    OnlyFor{"cycles", FormatKind::RoundRobin}, OnlyFor{"seeds", FormatKind::Gauntlet},
    OnlyFor{"rounds", FormatKind::Swiss}, OnlyFor{"budget", FormatKind::Ladder}};

Result<void> check_format(const TournamentOptions& options, const Draft& draft) {
    for (const OnlyFor& rule : kOnlyFor) {
        const bool given = draft.given.contains(rule.option);
        if (given && options.format.kind != rule.format) {
            return refuse(fmt::format("--{} is for the format {}, this is {}", rule.option,
                                      name(rule.format), name(options.format.kind)));
        }
    }
    const bool is_ladder = options.format.kind == FormatKind::Ladder;
    if (is_ladder && !options.lobby && !draft.given.contains("budget")) {
        return refuse("the format ladder needs --budget, such as 90m");
    }
    return {};
}

Result<void> check_players(const TournamentOptions& options) {
    if (options.players.size() < 2 && !options.lobby) {
        return refuse(
            fmt::format("read {} player{}, expected 2 or more: --player KEYS, or "
                        "[[player]] in the file",
                        options.players.size(), options.players.size() == 1 ? "" : "s"));
    }
    for (const PlayerSpec& player : options.players) {
        if (player.kind == PlayerKind::Human) {
            return refuse("a person plays in nim-arena match, expected other players");
        }
        if (player.kind == PlayerKind::Token) {
            return refuse("read token://" + player.name +
                          ", expected other players: who has a token dials in to nim-arena "
                          "serve, and is not named");
        }
    }
    const bool tests = has_test(options);
    if (tests && options.players.size() != 2) {
        return refuse(fmt::format("--sprt is for 2 players, read {}", options.players.size()));
    }
    if (tests && options.max_games == 0) {
        return refuse("--sprt needs --max-games: how many games it may take");
    }
    if (!options.sprt.empty() && !options.sprt_error.empty()) {
        return refuse("expected --sprt or --sprt-error, not both");
    }
    return {};
}

Result<void> finish(TournamentOptions& options, const Draft& draft) {
    const auto format = check_format(options, draft);
    if (!format) return format;
    const auto players = check_players(options);
    if (!players) return players;
    const auto finished = finish_play_options(options, draft);
    if (!finished) return finished;
    if (!draft.suite.empty()) {
        if (!options.positions.empty())
            return refuse("expected positions or --suite, not both");
        const auto names = load_names(draft.rulesets);
        if (!names) return names.error();
        auto suite = parse_suite(draft.suite, *names);
        if (!suite) return locate("--suite", draft.suite, suite.error());
        options.suite = *std::move(suite);
    }
    if (has_test(options) && !draft.given.contains("games")) {
        options.format.games = games_up_to(options.max_games);
    }
    options.format.players = static_cast<int>(options.players.size());
    options.format.seed = options.seed;
    return {};
}

// Places for those who dial in, behind the server's own players.
Result<void> finish_server(TournamentOptions& options, const Draft& draft) {
    for (const char* needed : {"listen", "tokens"}) {
        if (!draft.given.contains(needed)) {
            return refuse(
                fmt::format("expected --{} {}", needed,
                            needed == std::string_view("listen") ? "HOST:PORT" : "FILE"));
        }
    }
    if (has_test(options)) {
        return refuse("--sprt is for two players, who are named: see nim-arena tournament");
    }
    if (!options.concurrency) options.concurrency = kServedAtOnce;
    if (options.affinity == AffinityMode::Default) options.affinity = AffinityMode::Off;
    options.lobby->insecure = options.insecure;
    options.format.open = true;
    options.own_players = options.players.size();
    PlayerSpec place;
    place.kind = PlayerKind::Token;
    place.instances = 1;
    options.players.resize(kMaxServed, place);
    return {};
}

// The positions as they are compared: as text, or where that is long by a digest.
std::string positions_text(const std::vector<protocol::Position>& positions) {
    std::string text;
    for (const protocol::Position& position : positions) text += to_string(position) + "\n";
    if (text.ends_with('\n')) text.pop_back();
    if (text.size() <= kMaxListed) return text;
    std::uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    }
    return fmt::format("{} positions, {:016x}", positions.size(), hash);
}

std::string number_text(std::chrono::milliseconds time) { return std::to_string(time.count()); }

}  // namespace

Configuration configuration_of(const TournamentOptions& options) {
    const FormatOptions& format = options.format;
    const TimeControl& clock = options.clock;
    Configuration all{
        {"budget", number_text(format.budget)},
        {"cycles", std::to_string(format.cycles)},
        {"env", std::string(name(options.environment))},
        {"faults", options.faults.losing_strike == FaultPolicy::kNever
                       ? "replace"
                       : fmt::format("strikes={}", options.faults.losing_strike)},
        {"format", std::string(name(format.kind))},
        {"games", games_text(options)},
        {"grace", number_text(options.faults.grace)},
        {"hang", number_text(clock.hang)},
        {"margin", number_text(clock.margin)},
        {"max-games", std::to_string(options.max_games)},
        {"max-plies", std::to_string(options.max_plies)},
        {"movetime", clock.movetime ? number_text(*clock.movetime) : ""},
        {"name", options.name},
        {"positions", positions_text(options.positions)},
        {"run-as", options.run_as},
        {"sandbox", to_string(options.sandbox)},
        {"rounds", std::to_string(format.rounds)},
        {"seed", std::to_string(options.seed)},
        {"seeds", std::to_string(format.seeds)},
        {"sprt", options.sprt},
        {"sprt-error", options.sprt_error},
        {"startup", number_text(options.startup)},
        {"suite", options.suite ? to_string(*options.suite) : ""},
        {"tc",
         clock.base ? fmt::format("{}+{}", clock.base->count(), clock.increment.count()) : ""},
    };
    std::ranges::sort(all);
    return all;
}

Result<PlayOptions> recorded_options(const Configuration& configuration) {
    PlayOptions options;
    std::optional<Error> error;
    const auto text_of = [&](std::string_view key) -> std::string {
        const auto entry =
            std::ranges::find(configuration, key, &Configuration::value_type::first);
        return entry == configuration.end() ? "" : entry->second;
    };
    const auto number = [&](std::string_view key, std::string_view text) -> std::int64_t {
        const auto read = protocol::parse_number(text);
        if (!read) {
            error = refuse(
                fmt::format("the record's {}: read {}, expected a number", key, quoted(text)));
        }
        return read ? static_cast<std::int64_t>(*read) : 0;
    };
    const auto time = [&](std::string_view key) {
        return Milliseconds(number(key, text_of(key)));
    };
    options.clock.hang = time("hang");
    options.clock.margin = time("margin");
    options.faults.grace = time("grace");
    options.startup = time("startup");
    const auto environment = parse_environment_mode(text_of("env"));
    if (environment) options.environment = *environment;
    options.run_as = text_of("run-as");
    const auto sandbox = parse_recorded_sandbox(text_of("sandbox"));
    if (!sandbox) return sandbox.error();
    options.sandbox = *sandbox;
    options.max_plies = static_cast<std::size_t>(number("max-plies", text_of("max-plies")));
    options.clock.movetime = std::nullopt;
    if (!text_of("movetime").empty()) options.clock.movetime = time("movetime");
    if (const std::string tc = text_of("tc"); !tc.empty()) {
        const auto plus = std::min(tc.find('+'), tc.size() - 1);
        options.clock.base = Milliseconds(number("tc", tc.substr(0, plus)));
        options.clock.increment = Milliseconds(number("tc", tc.substr(plus + 1)));
    }
    if (error) return *error;
    return options;
}

Result<FormatOptions> recorded_format(const Configuration& configuration, int players) {
    FormatOptions options;
    options.players = players;
    const auto up_to_most = std::ranges::find(
        configuration, std::pair<std::string, std::string>("games", kUpToMost));
    for (const auto& [key, value] : configuration) {
        if (key == "format") {
            const auto kind = parse_format_kind(value);
            if (!kind) return kind.error();
            options.kind = *kind;
            continue;
        }
        const auto number = protocol::parse_number(value);
        if (key == "games" && number) options.games = static_cast<int>(*number);
        if (key == "max-games" && number && up_to_most != configuration.end()) {
            options.games = games_up_to(*number);
        }
        if (key == "cycles" && number) options.cycles = static_cast<int>(*number);
        if (key == "seeds" && number) options.seeds = static_cast<int>(*number);
        if (key == "rounds" && number) options.rounds = static_cast<int>(*number);
        if (key == "budget" && number) options.budget = Milliseconds(*number);
        if (key == "seed" && number) options.seed = *number;
    }
    options.open = options.kind == FormatKind::Ladder && options.budget.count() == 0;
    return options;
}

namespace {

TournamentCommand parse(const std::vector<std::string>& arguments, std::uint64_t seed,
                        bool serves) {
    const char* const command = serves ? "serve" : "tournament";
    const auto split = split_arguments(all_texts(serves), arguments);
    if (!split) return usage_error(command, split.error());
    if (asks_for_help(*split)) return HelpText{help_text(serves)};
    const auto all = with_file(*split, serves);
    if (!all) return usage_error(command, all.error());

    TournamentOptions options;
    options.seed = seed;
    options.environment = EnvironmentMode::Clean;
    if (serves) {
        options.lobby.emplace();
        options.format.kind = FormatKind::Ladder;
    }
    Draft draft;
    for (const Argument& argument : *all) {
        const auto done = take_option(options, draft, argument);
        if (!done) return usage_error(command, done.error());
    }
    auto finished = finish(options, draft);
    if (finished && serves) finished = finish_server(options, draft);
    if (!finished) return usage_error(command, finished.error());
    return options;
}

}  // namespace

TournamentCommand parse_tournament_options(const std::vector<std::string>& arguments,
                                           std::uint64_t seed) {
    return parse(arguments, seed, false);
}

TournamentCommand parse_serve_options(const std::vector<std::string>& arguments,
                                      std::uint64_t seed) {
    return parse(arguments, seed, true);
}

}  // namespace arena
