// `nim-arena work`: plays for a tournament that other processes play, too.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/base/cores.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/files.hpp"
#include "arena/base/interrupts.hpp"
#include "arena/base/shell_words.hpp"
#include "arena/commands/commands.hpp"
#include "arena/commands/options.hpp"
#include "arena/commands/play_table.hpp"
#include "arena/commands/tournament.hpp"
#include "arena/contest/format_table.hpp"
#include "arena/play/machine.hpp"
#include "arena/play/play_setup.hpp"
#include "arena/record/open_store.hpp"
#include "arena/report/record_head.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::uint64_t kMostCores = 10'000;
constexpr int kAsksAgain = 1000;  // ms, for a database or tournament that is not there yet

// ---- options ----

OptionTable own_table(WorkOptions& options) {
    return {
        count({"Work", "cores", "N", "games at a time (default: one for each core)"},
              options.concurrency, 1, kMostCores),
        text({"Work", "players", "FILE",
              "where the players are on this machine: [[player]] with the name that the record "
              "has, cmd, and dir, env, ca (default: as the record has them)"},
             options.players_file, "a file"),
        value({"Work", "idle", "TIME",
               "end after finding nothing to play for this long, such as 10m (default: wait "
               "until the tournament ends)"},
              options.idle, parse_duration),
        flag({"Work", "scale-time", nullptr,
              "multiply the players' time by the speed of the record's first machine over that "
              "of this one; otherwise a machine of less than 60 % of that speed is refused"},
             options.scale_time),
        value(
            {"Work", "drain", "TIME",
             "how long games may continue after SIGTERM or SIGINT; a second signal drops them "
             "(default: 30s)"},
            options.drain, parse_duration),
    };
}

OptionTable work_table(WorkOptions& options) {
    constexpr std::string_view kOfTournament[]{"affinity", "fair",  "untrusted",
                                               "insecure", "log",   "color",
                                               "quiet",    "lease", "database-away"};
    auto table = own_table(options);
    const auto tournament = tournament_table(options);
    for (const std::string_view option : kOfTournament)
        table.push_back(*find_row(tournament, option));
    return table;
}

constexpr std::string_view kWorkHead =
    R"(Usage: nim-arena work postgresql://[USER@]HOST/DATABASE [OPTION]...

Plays for a tournament whose record several machines share: `nim-arena
tournament --record` with the same address begins it. Works until the tournament
ends or until it is stopped by SIGTERM or SIGINT, which lets the games in
progress end. Waits for a database that is away. Rules, clocks and players are
those of the record; a player whose program is not the same file as on the first
machine is refused. If the process that plans the rounds dies, this one takes
over, provided that its database role may plan.

)";

constexpr std::string_view kWorkTail = R"(
Examples:
  nim-arena work postgresql://arena@db.example.org/spring --players here.toml
  nim-arena work postgresql:///spring --cores 2 --idle 10m
)";

constexpr std::string_view kWorkExit = R"(
Exit status:
  0        the tournament is over, nothing was found for --idle, or it was
           stopped and its games ended
  1        an error of the arena itself
  2        the command line or the file of players is wrong
  3        a player cannot be started
  7        the record cannot be read or written, or a program or this machine
           does not fit it
  129/130/143
           stopped, and games were dropped; others play them
)";

Result<void> finish_work(WorkOptions& options) {
    if (!is_database(options.record)) {
        return bad_input(
            "read {}, expected postgresql://…: one process alone plays into a file, nim-arena "
            "tournament --record FILE",
            options.record.empty() ? "nothing" : protocol::quoted(options.record));
    }
    const auto named = check_record_name(options.record);
    if (!named) return named;
    const auto cores = allowed_cores().size();
    const bool shares_machine = options.concurrency.value_or(0) > 0 &&
                                static_cast<std::size_t>(*options.concurrency) < cores;
    if (shares_machine && options.affinity == AffinityMode::Default)
        options.affinity = AffinityMode::Off;
    options.is_worker = true;
    return {};
}

// ---- what the record says ----

Result<void> recall_positions(const Configuration& configuration, TournamentOptions& options) {
    options.given_positions.clear();
    const std::string recorded = setting(configuration, "positions");
    if (is_digest_of_positions(recorded)) {  // whoever has the file plans
        options.can_plan = false;
        return {};
    }
    for (const std::string& line : split_printable(recorded))
        options.given_positions.push_back({"the record", line});
    auto positions = check_positions(options.given_positions, {});
    if (!positions) return positions.error();
    options.positions = *std::move(positions);
    return {};
}

Result<void> recall_tournament(const Configuration& configuration,
                               const std::vector<Entrant>& entrants, WorkOptions& options) {
    Configuration rows = configuration;
    std::erase_if(rows, [](const auto& row) { return row.first == "games"; });
    const auto recalled = recall(tournament_table(options), rows);
    if (!recalled) return recalled;
    const auto& [name, hash] = kSeedHashSetting;
    if (setting(configuration, name) != hash) {
        return bad_input("the record's {}: read {}, expected {}; use the version that wrote it",
                         name, protocol::quoted(setting(configuration, name)), hash);
    }
    auto format = recorded_format(configuration, entrants);
    if (!format) return format.error();
    options.format = *std::move(format);
    options.configuration = configuration;
    if (!options.suite_text.empty()) {
        auto suite = parse_suite(options.suite_text);
        if (!suite) return suite.error();
        options.suite = *std::move(suite);
    }
    return recall_positions(configuration, options);
}

Result<void> recall_players(const std::vector<Entrant>& entrants, WorkOptions& options) {
    options.players.clear();
    for (const Entrant& entrant : entrants) {
        auto player = parse_player_keys(entrant.spec);
        if (!player) return player.error();
        const bool can_move = player->kind == PlayerKind::Command ||
                              player->kind == PlayerKind::Builtin ||
                              player->kind == PlayerKind::TcpConnect;
        if (!can_move) {
            return bad_input(
                "{} ({}) dials in to the process that began, expected players that "
                "each machine can start or reach",
                entrant.name, entrant.spec);
        }
        player->name = entrant.name;
        player->name_given = true;
        options.players.push_back(*std::move(player));
    }
    return {};
}

// ---- --players ----

// Settings that differ from machine to machine.
Result<void> check_keys(const std::string& keys, const std::string& file) {
    const auto words = split_shell_words(keys);
    if (!words) return words.error();
    for (const std::string& word : *words) {
        const auto key = word.substr(0, word.find('='));
        constexpr std::string_view kOfMachine[]{"name", "cmd", "dir", "ca", "env"};
        if (std::ranges::count(kOfMachine, key) > 0 || key.starts_with("env.")) continue;
        return bad_input(
            "{}: read the key {}, expected name, cmd, dir, ca, env or env.NAME: "
            "the record has the others",
            file, protocol::quoted(key));
    }
    return {};
}

Result<void> apply_place(const PlayerSpec& here, const std::string& file,
                         std::vector<PlayerSpec>& players) {
    const auto player = std::ranges::find(players, here.name, &PlayerSpec::name);
    if (!here.name_given) return bad_input("{}: a player has no name, expected one", file);
    if (player == players.end()) return {};  // of another tournament
    if (player->kind != here.kind || player->tls != here.tls) {
        return bad_input("{}: {} is of another kind in the record: {}", file, here.name,
                         to_string(*player));
    }
    player->command = here.command;
    player->not_built = here.not_built;
    player->endpoint = here.endpoint;
    player->directory = here.directory;
    player->ca = here.ca;
    if (here.environment_mode) player->environment_mode = here.environment_mode;
    player->environment.insert(player->environment.end(), here.environment.begin(),
                               here.environment.end());
    return {};
}

Result<void> apply_places(const std::string& file, std::vector<PlayerSpec>& players) {
    if (file.empty()) return {};
    const auto text = read_file(file);
    if (!text) return text.error();
    const auto arguments = read_tournament_file(*text, file, {});
    if (!arguments) return arguments.error();
    for (const Argument& argument : *arguments) {
        const auto checked = check_keys(argument.value, file);
        if (!checked) return checked;
        const auto here = parse_player_keys(argument.value);
        if (!here) return here.error();
        if (is_found_later(*here)) {
            return bad_input("{}: {} has dir and no cmd, expected cmd: no bots are built here",
                             file, here->name);
        }
        const auto taken = apply_place(*here, file, players);
        if (!taken) return taken;
    }
    return {};
}

// ---- the work ----

// Waits until the database answers, as a service that starts with its machine must, and has a
// record. Empty: a signal came, or --idle has passed without a record.
Result<std::unique_ptr<Store>> await_store(const WorkOptions& options, Interrupts& interrupts) {
    using protocol::Fault;
    std::optional<Fault> awaited;
    auto began = Clock::now();
    for (;;) {
        auto store = open_store(options.record, {.lease = options.lease, .away = options.away});
        const bool is_away = !store && store.error().fault == Fault::Disconnected;
        const bool is_empty = !store && store.error().fault == Fault::Failed;
        if (!is_away && !is_empty) return store;
        const bool is_new = awaited != store.error().fault;
        awaited = store.error().fault;
        if (is_new) began = Clock::now();
        const auto waited = Clock::now() - began;
        if (is_away && waited >= options.away) return store;
        if (is_new && !options.quiet) {
            Console(stdout).line(is_away ? "waiting for the database: " + store.error().text
                                         : "waiting for a tournament in " +
                                               shown_record(options.record));
        }
        const bool is_late = is_empty && options.idle.count() > 0 && waited >= options.idle;
        if (interrupts.wait(kAsksAgain) != 0 || is_late) return std::unique_ptr<Store>();
    }
}

// Waits until a tournament has players. None: a signal came, or --idle has passed.
Result<std::optional<RecordHead>> await_tournament(Store& store, const WorkOptions& options,
                                                   Interrupts& interrupts) {
    const auto began = Clock::now();
    for (bool has_told = false;; has_told = true) {
        auto head = read_head(store);
        if (!head) return head.error();
        if (!head->configuration.empty() && head->entrants.size() >= 2)
            return std::optional(*std::move(head));
        if (!has_told && !options.quiet)
            Console(stdout).line("waiting for a tournament in " + shown_record(options.record));
        const int signal = interrupts.wait(kAsksAgain);
        const bool is_late = options.idle.count() > 0 && Clock::now() - began >= options.idle;
        if (signal != 0 || is_late) return std::optional<RecordHead>();
    }
}

// One contest, until a player joins that was not there when it began. Gives the exit status.
int play_for(Store& store, WorkOptions options, const RecordHead& begun, Interrupts& interrupts,
             const Guardian& guardian) {
    auto recalled = recall_tournament(begun.configuration, begun.entrants, options);
    if (recalled) recalled = recall_players(begun.entrants, options);
    if (!recalled) return refuse({recalled.error(), kExitRecord});
    const auto placed = apply_places(options.players_file, options.players);
    if (!placed) return refuse({placed.error(), kExitUsage});
    auto setup = set_up(options, {options.players_file, options.record}, guardian);
    if (!setup) return refuse(setup.refusal());
    const auto enlisted = enlist(store, options, *setup->launcher);
    if (!enlisted) return refuse({enlisted.error(), kExitRecord});
    return play_contest({options, guardian, kReportWriter, store, interrupts, *std::move(setup),
                         nullptr, nullptr});
}

int run_work(const WorkOptions& options, const Guardian& guardian) {
    std::optional<Interrupts> interrupts(
        std::in_place);  // before anything that starts a thread
    const auto store = await_store(options, *interrupts);
    if (!store) return refuse({store.error(), kExitRecord});
    if (*store == nullptr) return kExitPlayed;
    for (std::size_t known = 0;;) {
        const auto begun = await_tournament(**store, options, *interrupts);
        if (!begun) return refuse({begun.error(), kExitRecord});
        if (!*begun || (*begun)->entrants.size() == known) return kExitPlayed;
        known = (*begun)->entrants.size();
        const int status = play_for(**store, options, **begun, *interrupts, guardian);
        if (status != kExitPlayed || interrupts->read() != 0) return status;
        interrupts.emplace();
    }
}

}  // namespace

Parsed<WorkOptions> parse_work_options(const Words& words) {
    WorkOptions options;
    CommandLine line("nim-arena work", work_table(options), kWorkHead, kWorkTail);
    line.reference = kWorkExit;
    line.common = {"cores",    "players",   "idle", "scale-time", "drain",
                   "affinity", "untrusted", "log",  "quiet"};
    options.environment = EnvironmentMode::Clean;
    line.argument = takes_record(options.record);
    line.finish = [&](const Given&) { return finish_work(options); };
    return parse(line, words, options);
}

int commands::work(const Words& words, const Guardian& guardian) {
    return run(parse_work_options(words),
               [&](const WorkOptions& options) { return run_work(options, guardian); });
}

}  // namespace arena
