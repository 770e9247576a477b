// Runs a contest from its options, for match, tournament and serve.
//
// run_contest() opens everything that can fail before it touches the record: the suite is
// drawn, the format is checked, so are players' programs and files, and a server listens. Then
// RecordResume opens the store, compares it with the options, and adds new players; a record
// continues only with the options and players that it had. A server waits for players
// (gather_players). play_contest() plays.
//
// Signals are caught after the suite is drawn, which may take long and may be interrupted, and
// before the first thread starts, so that every thread blocks them.
#include "arena/play/run.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/bad_input.hpp"
#include "arena/base/console.hpp"
#include "arena/base/counted.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/interrupts.hpp"
#include "arena/contest/format_table.hpp"
#include "arena/play/machine.hpp"
#include "arena/play/play_setup.hpp"
#include "arena/play/roster.hpp"
#include "arena/play/spectator.hpp"
#include "arena/players/lobby.hpp"
#include "arena/record/json_lines.hpp"
#include "arena/record/open_store.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Result;

// ---- the store ----

Result<int> rounds_planned(Store& store) {
    int rounds = 0;
    const auto read = for_each_event(store, [&](const Event& event) {
        const auto* plan = std::get_if<RoundPlan>(&event.what);
        if (plan != nullptr) rounds = std::max(rounds, plan->round);
    });
    if (!read) return read.error();
    return rounds;
}

// Removes a record that this run has made, if no round is planned in it: it would refuse the
// same command after the user has corrected a player.
void remove_if_unused(const std::string& record, std::unique_ptr<Store> store) {
    const auto rounds = rounds_planned(*store);
    store.reset();
    std::error_code failed;
    if (rounds && *rounds == 0) std::filesystem::remove(record, failed);
}

// Opens the store and checks that it holds this contest and these players. Copies from it into
// the options what is set only once: the seed, names, the number of first players.
class RecordResume {
  public:
    // `listeners`: by player, as are the options' players.
    RecordResume(TournamentOptions& options, std::vector<std::unique_ptr<Listener>>& listeners)
        : options_(options), listeners_(listeners) {}

    // An error if the contest cannot go on. Does not check players that dial in.
    Result<std::unique_ptr<Store>> run() {
        auto opened = open_store();
        if (!opened) return opened;
        auto checked = configure(**opened);
        if (checked && !options_.lobby) checked = add_players(**opened);
        if (!checked) return checked.error();
        return opened;
    }

  private:
    using GivenPlayers = std::multimap<std::string, std::size_t>;  // by identity_of()

    Result<std::unique_ptr<Store>> open_store() const {
        if (!options_.keeps_games()) return make_memory_store(Keep::Nothing);
        if (options_.record.empty()) return make_memory_store();
        return arena::open_store(options_.record,
                                 {.lease = options_.lease, .away = options_.away});
    }

    Result<void> configure(Store& store) {
        const auto recorded = whole_configuration(store);
        if (!recorded) return recorded.error();
        adopt_ungiven(*recorded);
        if (!recorded->empty() && *recorded != options_.configuration)
            return other_options(*recorded);
        return store.open(options_.configuration);
    }

    Error other_options(const Configuration& recorded) const {
        std::string lines = "  ";
        for (const char c : difference(recorded, options_.configuration)) {
            lines += c;
            if (c == '\n') lines += "  ";
        }
        const bool other_games =
            setting(recorded, "games") != setting(options_.configuration, "games");
        return bad_input(
            "{} was begun with other options:\n{}\nexpected those to go on with it{}, or "
            "another {} (--record) to begin anew",
            shown_record(options_.record), lines,
            other_games ? " (it keeps its number of games: leave --games out)" : "",
            is_database(options_.record) ? "database" : "file");
    }

    // A random seed, and the number of games, which may depend on how many players there were,
    // are taken from the record.
    void adopt_ungiven(const Configuration& recorded) {
        if (!options_.seed_given) adopt(recorded, "seed", options_.seed);
        options_.format.seed = options_.seed;
        if (!options_.games_given) adopt(recorded, "games", options_.format.games);
    }

    template <typename Number>
    void adopt(const Configuration& recorded, std::string_view key, Number& number) {
        const std::string text = setting(recorded, key);
        const auto read = protocol::parse_number(text);
        if (!read || !std::in_range<Number>(*read)) return;  // other_options() tells
        number = static_cast<Number>(*read);
        for (auto& [name, value] : options_.configuration) {
            if (name == key) value = text;
        }
    }

    Result<void> add_players(Store& store) {
        const auto entrants = store.entrants();
        if (!entrants) return entrants.error();
        const std::vector<Entrant>& recorded = *entrants;
        const auto ordered = match_players(recorded);
        if (!ordered) return ordered;
        const auto& players = options_.players;
        std::vector<Entrant> joining;
        const bool late = !recorded.empty();
        const bool joins = recorded.size() < players.size();
        const auto next_round = late && joins ? rounds_planned(store) : Result<int>(0);
        if (!next_round) return next_round.error();
        for (std::size_t i = recorded.size(); i < players.size(); ++i) {
            joining.push_back({players[i].name, to_string(players[i]), *next_round + 1});
        }
        // A player that joins before anything is planned takes part from the start.
        const bool too_late = late && *next_round > 0;
        if (late) options_.format.players = first_players(recorded);
        if (late && !too_late) options_.format.players += static_cast<int>(joining.size());
        if (joining.empty()) return {};
        if (!too_late) return store.join(joining);
        const int rounds = most_rounds(options_.format);
        if (rounds > 0 && *next_round >= rounds) {
            return bad_input(
                "the record has {} players, now {}: all {} rounds are planned, and who joins "
                "now would never play",
                recorded.size(), players.size(), rounds);
        }
        if (options_.format.kind == FormatKind::Knockout) {
            return bad_input(
                "the record has {} players, now {}: nobody can join a knockout late",
                recorded.size(), players.size());
        }
        return store.join(joining);
    }

    // The recorded players come first, in their order, and then who is new: a pattern of
    // folders may find a new one between them.
    Result<void> match_players(const std::vector<Entrant>& recorded) {
        GivenPlayers given;
        for (std::size_t i = 0; i < options_.players.size(); ++i)
            given.emplace(identity_of(options_.players[i]), i);
        std::vector<std::size_t> order, first_order;
        std::vector<std::string> missing;
        for (const Entrant& entrant : recorded) {
            const auto [first, end] = given.equal_range(identity_of(entrant.spec));
            if (first == end) {
                missing.push_back(shown(entrant.name, entrant.spec));
                continue;
            }
            const auto same_name = std::find_if(first, end, [&](const auto& player) {
                return options_.players[player.second].name == entrant.name;
            });
            const auto found = same_name == end ? first : same_name;
            order.push_back(found->second);
            // Those that joined later may be given between the others.
            if (entrant.first_round == 1) first_order.push_back(found->second);
            given.erase(found);
        }
        const bool is_in_order = std::ranges::is_sorted(first_order);
        std::vector<std::size_t> added;
        for (const auto& [spec, player] : given) added.push_back(player);
        std::ranges::sort(added);
        if (!missing.empty() || !is_in_order) return other_players(missing, added);
        order.insert(order.end(), added.begin(), added.end());
        reorder(order, recorded);
        return {};
    }

    static std::string shown(const std::string& name, const std::string& spec) {
        return fmt::format("{} ({})", protocol::printable(name), protocol::printable(spec));
    }

    Error other_players(const std::vector<std::string>& missing,
                        const std::vector<std::size_t>& added) const {
        std::string text =
            fmt::format("{} has the players in another order", shown_record(options_.record));
        if (!missing.empty()) {
            text = fmt::format("{} has players that are not given now: {}",
                               shown_record(options_.record), fmt::join(missing, "; "));
        }
        if (!missing.empty() && !added.empty()) {
            std::vector<std::string> specs;
            for (const std::size_t player : added) {
                const PlayerSpec& spec = options_.players[player];
                specs.push_back(shown(spec.name, to_string(spec)));
            }
            text += fmt::format(", and has not: {}", fmt::join(specs, "; "));
        }
        return bad_input(
            "{}; a tournament goes on with the players it had, as they were given and in that "
            "order, with new ones besides",
            text);
    }

    void reorder(const std::vector<std::size_t>& order, const std::vector<Entrant>& recorded) {
        std::vector<PlayerSpec> players;
        std::vector<std::unique_ptr<Listener>> listeners;
        for (const std::size_t player : order) {
            players.push_back(std::move(options_.players[player]));
            listeners.push_back(std::move(listeners_[player]));
        }
        options_.players = std::move(players);
        listeners_ = std::move(listeners);
        std::vector<std::string> names;
        std::vector<bool> given;
        for (std::size_t i = 0; i < options_.players.size(); ++i) {
            // Its recorded name, until its next handshake.
            const PlayerSpec& player = options_.players[i];
            const bool is_kept = i < recorded.size() && !player.name_given;
            names.push_back(is_kept ? recorded[i].name : player.name);
            given.push_back(player.name_given);
        }
        make_names_distinct(names, given);
        for (std::size_t i = 0; i < names.size(); ++i)
            options_.players[i].name = std::move(names[i]);
    }

    TournamentOptions& options_;
    std::vector<std::unique_ptr<Listener>>& listeners_;
};

// ---- all that must be there first ----

// The files that it writes, and those with secrets of a server: no player may see them.
std::vector<std::string> files_of(const TournamentOptions& options) {
    std::vector<std::string> files{options.record, options.report};
    for (const std::string& file : {options.jsonl, options.events})
        if (file != "-") files.push_back(file);
    if (options.lobby) files.insert(files.end(), {options.lobby->tokens, options.lobby->key});
    return files;
}

// Drawing may take long. It runs before signals are caught, so a signal ends it at once.
Result<void> try_suite(const TournamentOptions& options) {
    if (!options.suite) return {};
    const auto drawn = try_to_draw(*options.suite, options.seeds(), *engine::make_analyst());
    return drawn ? Result<void>() : drawn.error();
}

// Opens the resources needed before the record is touched.
Prepared<PlaySetup> prepare(const TournamentOptions& options, const Guardian& guardian,
                            const ReportWriter& report) {
    auto setup = set_up(options, files_of(options), guardian);
    if (!setup || options.report.empty()) return setup;
    const auto writable = report.prepare(options.report);
    if (!writable) return Refusal{writable.error(), kExitInternal};
    return setup;
}

// The record, with the contest of the options.
Result<std::unique_ptr<Store>> open_record(TournamentOptions& options, PlaySetup& setup) {
    auto store = RecordResume(options, setup.listeners).run();
    if (!store) return store;
    const auto enlisted = enlist(**store, options, *setup.launcher);
    if (!enlisted) return enlisted.error();
    return store;
}

// Whether there is no file of the record yet.
bool makes_record(const std::string& record) {
    std::error_code unknown;
    return !record.empty() && !is_database(record) &&
           !std::filesystem::exists(record, unknown) && !unknown;
}

constexpr std::size_t kGamesRoom = 64 << 20;  // bytes, some 100,000 games

// The games alone, for --jsonl; null where nobody asks for them.
Result<std::unique_ptr<BackgroundFile>> open_jsonl(const TournamentOptions& options) {
    if (options.jsonl.empty()) return std::unique_ptr<BackgroundFile>();
    return BackgroundFile::open({options.jsonl, "the games", left_out_line, kGamesRoom});
}

// What --web asks for; null where nobody may look on.
Result<std::unique_ptr<Spectator>> open_show(const TournamentOptions& options,
                                             const OpenSpectator& open) {
    if (!options.web.listen || !open) return std::unique_ptr<Spectator>();
    return open(options, options.record);
}

// Always printed, also for programs: the address for watching.
void tell_where(const TournamentOptions& options, const Spectator& spectator) {
    Console(console_of(options)).line("watch on " + spectator.url());
}

// On a terminal the page of a contest that has ended stays while somebody watches it, until a
// signal.
void stay_watched(const TournamentOptions& options, const Spectator* spectator, int status) {
    constexpr int kAgain = 500;  // ms
    constexpr int kUnwatched =
        4;  // looks in a row: a browser that loads the page again is back
    Console console(console_of(options));
    const bool is_interrupted = status > 128;
    if (spectator == nullptr || is_interrupted || !console.terminal()) return;
    if (!spectator->is_watched()) return;
    Interrupts interrupts;
    console.line("the page stays while somebody watches it; Ctrl-C ends it");
    for (int unwatched = 0; unwatched < kUnwatched && interrupts.wait(kAgain) == 0;)
        unwatched = spectator->is_watched() ? 0 : unwatched + 1;
}

// Waits until enough players are connected and returns 0, or until a signal, which it returns.
int await_players(const Roster& roster, std::size_t wanted, Interrupts& interrupts) {
    while (roster.present() < wanted) {
        std::array<pollfd, 2> watched{
            {{interrupts.fd(), POLLIN, 0}, {roster.arrival().fd(), POLLIN, 0}}};
        ::poll(watched.data(), watched.size(), -1);
        if (const int signal = interrupts.read(); signal != 0) return signal;
        roster.arrival().clear();
    }
    return 0;
}

// The roster's players are those of the record, starting with the server's own.
Result<void> adopt_entrants(const std::vector<Entrant>& entrants,
                            const TournamentOptions& options, Roster& roster) {
    if (entrants.empty()) return {};
    for (std::size_t i = 0; i < std::max(entrants.size(), options.own_players); ++i) {
        const bool is_own = i < options.own_players;
        const bool is_recorded = i < entrants.size();
        const std::string now =
            is_own ? identity_of(options.players[i]) : token_entrant(entrants[i].name).spec;
        const std::string recorded =
            is_recorded ? identity_of(entrants[i].spec) : "no such player";
        if (now != recorded) {
            return bad_input(
                "player {}: the record has {}, now {}; a server goes on with the players of "
                "its own that it had",
                i + 1, recorded, now);
        }
        if (!is_own) roster.add(entrants[i].name);
    }
    return {};
}

// The players connected at the start.
Result<void> join_first(Store& store, const TournamentOptions& options,
                        const std::vector<std::string>& names) {
    std::vector<Entrant> joining;
    for (std::size_t i = 0; i < names.size(); ++i) {
        joining.push_back(i < options.own_players
                              ? Entrant{names[i], to_string(options.players[i]), 1}
                              : token_entrant(names[i]));
    }
    return store.join(joining);
}

std::vector<std::string> own_names(const TournamentOptions& options) {
    std::vector<std::string> own;
    for (std::size_t i = 0; i < options.own_players; ++i)
        own.push_back(options.players[i].name);
    return own;
}

void tell_address(Console& console, const TournamentOptions& options, const Lobby& lobby,
                  const Spectator* spectator) {
    console.line("listening on " + lobby.address());
    if (spectator != nullptr) tell_where(options, *spectator);
    for (const std::string& warning : lobby.warnings())
        console.line("warning: " + warning, Tone::Warning);
    if (const std::size_t room = lobby.connections();
        room < options.lobby->connections && !options.quiet) {
        console.line(fmt::format("note: room for {} connections: see ulimit -Hn", room));
    }
}

// The roster outlives the lobby.
void start_lobby(Lobby& lobby, Roster& roster) {
    lobby.start({[&](const std::string& name) { return roster.admit(name); },
                 [&](int player, const LobbySession& session) { roster.came(player, session); },
                 [&](int player) { return roster.greeting(player); },
                 [&](int player, const std::string& why) { roster.left(player, why); },
                 [](const std::string& what) {
                     complain(fmt::format("nim-arena: warning: {}\n", what));
                 },
                 [&](int player, std::chrono::seconds time) { roster.awaited(player, time); },
                 [&](int player) { return roster.may_wait(player); }});
}

// Lets players in, and waits until enough of them are there to begin; one that resumes begins
// at once. Gives the exit status where that fails or a signal comes.
std::optional<int> gather_players(TournamentOptions& options, Store& store, Lobby& lobby,
                                  Roster& roster, Console& console, const Spectator* spectator,
                                  Interrupts& interrupts) {
    const auto recorded = store.entrants();
    if (!recorded) return refuse({recorded.error(), kExitRecord});
    const auto taken = adopt_entrants(*recorded, options, roster);
    if (!taken) return refuse({taken.error(), kExitRecord});
    tell_address(console, options, lobby, spectator);
    if (recorded->empty()) {
        roster.await(options.await);
        const std::size_t present = roster.present();
        if (!options.quiet && present < options.await) {
            console.line(
                fmt::format("waiting for {}", counted(options.await - present, "player")));
        }
    }
    start_lobby(lobby, roster);
    if (recorded->empty()) {
        const int signal = await_players(roster, options.await, interrupts);
        if (signal != 0) {
            std::map<int, std::string> notices;
            const auto players = static_cast<int>(roster.names().size());
            for (int player = 0; player < players; ++player)
                notices[player] = kInterruptedNotice;
            lobby.close(std::move(notices));
            return 128 + signal;
        }
        const auto joined = join_first(store, options, roster.names());
        if (!joined) return refuse({joined.error(), kExitRecord});
    }
    const auto entrants = store.entrants();
    if (!entrants) return refuse({entrants.error(), kExitRecord});
    options.format.players = first_players(*entrants);
    return std::nullopt;
}

}  // namespace

int run_contest(const TournamentOptions& given, const Guardian& guardian,
                const ReportWriter& report, const OpenSpectator& open_spectator) {
    TournamentOptions options = given;
    const auto drawn = try_suite(options);
    if (!drawn) return refuse({drawn.error(), kExitUsage});
    Interrupts interrupts;  // before anything that starts a thread
    // A server's players are not known yet.
    const auto checked = options.lobby ? Result<void>() : check_format(options.format);
    if (!checked) return refuse({checked.error(), kExitUsage});
    auto setup = prepare(options, guardian, report);
    if (!setup) return refuse(setup.refusal());
    auto jsonl = open_jsonl(options);
    if (!jsonl) return refuse({jsonl.error()});
    Console console(console_of(options));
    // Declared before the lobby, whose thread uses them.
    Result<std::unique_ptr<Spectator>> spectator{nullptr};
    std::optional<Roster> roster;
    std::unique_ptr<Lobby> lobby;
    if (options.lobby) {
        roster.emplace(own_names(options), options.players.size());
        roster->tell([&](const std::string& line) {
            if (!options.quiet) console.line(line);
        });
        auto opened = Lobby::open(*options.lobby);
        if (!opened) return refuse(cannot_open(opened.error()));
        lobby = *std::move(opened);
    }
    const bool is_new = makes_record(options.record);
    auto store = open_record(options, *setup);
    if (!store) return refuse({store.error(), kExitRecord});
    // The status of a run that has played nothing.
    const auto end_unplayed = [&](int status) {
        if (is_new) remove_if_unused(options.record, *std::move(store));
        return status;
    };
    spectator = open_show(options, open_spectator);
    if (!spectator) return end_unplayed(refuse(cannot_open(spectator.error())));
    if (lobby) {
        roster->show(spectator->get());
        const auto ended = gather_players(options, **store, *lobby, *roster, console,
                                          spectator->get(), interrupts);
        if (ended) return end_unplayed(*ended);
    } else if (*spectator) {
        tell_where(options, **spectator);
    }
    if (options.watch) spectator = watch_on_terminal(console_of(options));
    const int status = play_contest({options, guardian, report, **store, interrupts,
                                     *std::move(setup), *std::move(jsonl), spectator->get(),
                                     lobby.get(), roster ? &*roster : nullptr});
    stay_watched(options, spectator->get(), status);
    return status == kExitStartup || status > 128 ? end_unplayed(status) : status;
}

}  // namespace arena
