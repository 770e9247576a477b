#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/iterator/counting_iterator.hpp>

#include "arena/base/compute.hpp"
#include "arena/base/console.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/check/asking.hpp"
#include "arena/check/certify.hpp"
#include "arena/check/check.hpp"
#include "arena/check/family.hpp"
#include "arena/check/peer.hpp"
#include "arena/commands/commands.hpp"
#include "arena/commands/tournament.hpp"
#include "arena/game/given_position.hpp"
#include "arena/game/seeds.hpp"
#include "arena/play/clinic.hpp"
#include "arena/players/lobby.hpp"
#include "arena/web/watch.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::uint64_t kMaxServeConnections = 1'000'000;
constexpr std::size_t kMaxServed = 20'000;  // players; the most of any format
constexpr int kServedAtOnce = 64;  // games: players that dial in need no core of this machine
constexpr int kVisitsAtOnce = 256;
constexpr Milliseconds kClinicAbsence{10'000};  // connect.py dials again within a second

OptionTable lobby_table(LobbyOptions& options) {
    return {
        endpoint({"Server", "listen", "HOST:PORT",
                  "the address where bots dial in; port 0 picks one and prints it; required"},
                 options.listen),
        text({"Server", "tokens", "FILE",
              "the tokens of the players, see nim-arena token --help; required"},
             options.tokens, "a file"),
        certificate({"Server", "tls", "CERT,KEY",
                     "TLS, with the PEM files of a certificate and its key"},
                    options.certificate, options.key),
    };
}

Result<std::uint64_t> parse_seconds(const std::string& value) {
    auto seconds = parse_count(value, 0, 7 * 24 * 3600);
    if (!seconds) return seconds;
    return 1000 * *seconds;
}

OptionTable times_table(TournamentOptions& options) {
    return {
        count({"Server", "await", "N",
               "begin when this many players are there, including the server's own (default: "
               "{})"},
              options.await, 2, kMaxServed),
        value({"Server", "drain", "SECONDS",
               "how long games may continue after SIGTERM or SIGINT; a second signal ends them "
               "at once (default: 30)"},
              options.drain, parse_seconds),
    };
}

OptionTable limits_table(LobbyOptions& options) {
    return {
        milliseconds(
            {"Server", "absence", "MS",
             "how long games wait for a player that has left (default: {}; with --clinic "
             "10000)"},
            options.absence, 1),
        count({"Limits", "connections", "N",
               "all connections (default: {}, or fewer if the limit of open files is low)"},
              options.connections, 1, kMaxServeConnections),
        count({"Limits", "unproven", "N",
               "connections from one address without a valid token so far (default: {})"},
              options.unproven, 1, kMaxServeConnections),
        milliseconds({"Limits", "handshake", "MS",
                      "time from the connection to `ugiok` and `readyok` (default: {})"},
                     options.handshake, 1),
        milliseconds(
            {"Limits", "idle", "MS",
             "how often a waiting bot is sent `isready`, and its time to answer (default: {})"},
            options.idle, 1),
    };
}

OptionTable clinic_table(TournamentOptions& options) {
    return {
        {{"Server", "clinic", nullptr,
          "check, play and ask each bot that connects; it plays the server's own player "
          "(default: builtin:perfect), and is asked in positions of a family, as often as it "
          "connects"},
         [&](const std::string& value) -> Result<void> {
             if (value != kUnset) options.format.kind = FormatKind::Clinic;
             return {};
         }},
        text({"Server", "family", "FAMILY",
              "clinic: the family, see nim-arena certify --help (default: {})"},
             options.family_text, "a family"),
        count({"Server", "visits", "N",
               "clinic: the most visits of a player within an hour (default: {})"},
              options.visits, 1, kMaxServeConnections),
    };
}

// Options with other defaults than in tournament. Without a text: not for a server, hidden from
// the help; finish_serve() refuses them with a reason.
const std::pair<const char*, const char*> kServedOtherwise[]{
    {"format",
     "round-robin, gauntlet, swiss, knockout or ladder (default: ladder, among the players who "
     "are there)"},
    {"budget", "ladder: as many fair rounds as fit, such as 90m, 2h or 30s (default: no end)"},
    {"concurrency", "concurrent games (default: 64; with --clinic 256)"},
    {"affinity",
     "pin each game and the server's own players in it to one core, of LIST such as 0,2-3 "
     "(default: off)"},
    {"keep-going", ""},
    {"sprt", ""},
    {"sprt-error", ""},
};

OptionTable serve_table(TournamentOptions& options) {
    auto table = join({lobby_table(*options.lobby), clinic_table(options), times_table(options),
                       limits_table(*options.lobby), tournament_table(options)});
    for (const auto& [name, help] : kServedOtherwise) find_row(table, name)->text.help = help;
    return table;
}

constexpr std::string_view kServeHead =
    R"(Usage: nim-arena serve [FILE.toml] --listen HOST:PORT --tokens FILE [OPTION]...

Plays a tournament among bots that dial in. A bot proves its name by `id token
SECRET` in its handshake; connect.py, which the kits of `nim-arena new` have,
sends that for a bot that speaks over standard input and output. FILE.toml and
all options are those of `nim-arena tournament`; players given there are the
server's own. The default format is a ladder among the connected bots; without
--budget it continues until it is stopped. SIGTERM lets the games in progress
end. The same command resumes the same --record.

)";

constexpr std::string_view kServeExamples = R"(Examples:
  (umask 077; nim-arena token add Ann --tokens class.tokens > ann.token)
  nim-arena serve --listen 127.0.0.1:7000 --tokens class.tokens --record c.db
)";

// ---- what a visitor to a clinic is asked apart from its games: the points of `check`, then
// positions as `certify` asks them ----

constexpr std::ptrdiff_t kQuestions = 200;
constexpr int kRestarts = 2;                 // while it is asked
constexpr std::chrono::seconds kAsking{10};  // all questions together
constexpr std::size_t kMostSaid = 100;

// Some positions of the family, and what the player answers there.
struct Sample {
    Sample(const PositionSet& all, const engine::Analyst& analyst, std::uint64_t the_seed)
        : seed(the_seed), set(draw(all, the_seed)), survey(set, analyst, 1) {
        survey.solve();
        order = survey.order(seed);
    }

    static PositionSet draw(const PositionSet& all, std::uint64_t seed) {
        using Number = boost::counting_iterator<std::ptrdiff_t>;
        std::mt19937_64 random(seed);
        std::vector<std::size_t> drawn;
        std::sample(Number(0), Number(static_cast<std::ptrdiff_t>(all.size())),
                    std::back_inserter(drawn), kQuestions, random);
        std::vector<protocol::Position> positions;
        for (const std::size_t number : drawn) positions.push_back(all.position(number));
        return *PositionSet::make({}, std::move(positions));
    }

    void judge(Visit& visit) {
        survey.judge();
        const SurveyCounts counts = survey.counts();
        visit.asked = counts.asked;
        visit.right =
            counts.won.right + counts.drawn.right + counts.lost.right + counts.unknown.right;
        const auto wrong = survey.counterexample();
        if (!wrong) return;
        visit.position = wrong->position;
        visit.said = protocol::printable(wrong->move, kMostSaid);
        if (wrong->kind != "wrong") {
            const std::string read = visit.said.empty() ? "" : ", it wrote " + visit.said;
            visit.said = fmt::format("{}{}", words_of_kind(wrong->kind), read);
        }
        visit.better = wrong->better;
    }

    std::uint64_t seed;
    PositionSet set;
    Survey survey;
    std::vector<std::uint32_t> order;
};

Awaitable<void> check_visitor(const TournamentOptions& contest, const PlayerContext& context,
                              Visit& visit) {
    CheckOptions options;
    const auto player = static_cast<std::size_t>(visit.player);
    options.player = contest.players[player];
    options.positions = contest.positions;
    const TimeControl clock = clock_of(contest, player);
    if (clock.movetime) options.movetime = std::chrono::ceil<Milliseconds>(*clock.movetime);
    options.seed = contest.seed;
    options.json = true;  // nothing is printed
    const MakePeer make_peer = [&context, player](const PlayerSpec& spec) {
        return linked_peer(spec, player, context);
    };
    CheckReport report;
    Console console(stdout);
    co_await check_bot(options, make_peer, report, console);
    visit.check = to_text(report);
    visit.passed = has_passed(report);
}

Awaitable<void> ask_visitor(const PositionSet& family, const TournamentOptions& contest,
                            const PlayerContext& context, Player& player, Visit& visit) {
    std::optional<Sample> sample;
    const std::function<void()> draw = [&] {
        const auto seed =
            Seeds(contest.seed)
                .of_game(static_cast<std::uint64_t>(visit.began.time_since_epoch().count()), 0);
        sample.emplace(family, *context.shared.analyst, seed);
    };
    co_await compute(context.loop.compute, draw);
    Asking asking{sample->survey, sample->order, sample->seed};
    asking.until = Clock::now() + kAsking;
    const TimeControl clock = clock_of(contest, static_cast<std::size_t>(visit.player));
    try {
        co_await ask_player(player, clock, kRestarts, asking);
    } catch (const GameCalledOff&) {  // the server ends: what was answered counts
    }
    const std::function<void()> judge = [&] { sample->judge(visit); };
    co_await compute(context.loop.compute, judge);
}

// `family`: whose positions are asked, some in each visit.
Examiner make_examiner(PositionSet family) {
    Examiner examiner;
    examiner.check = check_visitor;
    examiner.certify = [all = std::make_shared<const PositionSet>(std::move(family))](
                           const TournamentOptions& contest, const PlayerContext& context,
                           Player& player, Visit& visit) {
        return ask_visitor(*all, contest, context, player, visit);
    };
    return examiner;
}

// Before the checks of a tournament: a clinic has one player of its own.
Result<void> begin_clinic(TournamentOptions& options, const Given& given) {
    if (!given.contains("clinic")) return bad_input("--format: read clinic, expected --clinic");
    if (given.contains("format")) return bad_input("expected --clinic or --format, not both");
    if (options.players.empty()) options.players = {*parse_player("builtin:perfect")};
    if (options.players.size() > 1) {
        return bad_input("--clinic: read {} players, expected one, whom all others meet",
                         options.players.size());
    }
    if (!options.concurrency) options.concurrency = kVisitsAtOnce;
    if (!given.contains("absence")) options.lobby->absence = kClinicAbsence;
    options.lobby->sums_absence = false;  // a bot that crashes often leaves often in a visit
    const auto names = load_names(options.rulesets);
    if (!names) return names.error();
    auto family = Family::parse(options.family_text, *names);
    if (!family) return locate("--family", options.family_text, family.error());
    options.examiner = std::make_shared<const Examiner>(
        make_examiner(*PositionSet::make({*std::move(family)}, {})));
    return {};
}

// The format is checked once the first players are known, and these are in the record then.
Result<void> check_await(const TournamentOptions& options) {
    const auto seeds = static_cast<std::size_t>(options.format.seeds);
    if (options.format.kind != FormatKind::Gauntlet || options.await > seeds) return {};
    return bad_input(
        "--await: read {}, expected {} or more: the --seeds of the gauntlet, and one player "
        "whom they meet",
        options.await, seeds + 1);
}

// Adds places for players that dial in, after the server's own players.
Result<void> finish_serve(TournamentOptions& options, const Given& given) {
    if (!given.contains("listen")) return bad_input("expected --listen HOST:PORT");
    if (!given.contains("tokens")) return bad_input("expected --tokens FILE");
    if (options.has_test()) {
        return bad_input("--sprt is for two players, who are named: see nim-arena tournament");
    }
    if (options.keep_going) {
        return bad_input(
            "--keep-going is for nim-arena tournament: a server plays on in any case");
    }
    if (const auto enough = check_await(options); !enough) return enough;
    if (!options.concurrency) options.concurrency = kServedAtOnce;
    if (options.affinity == AffinityMode::Default) options.affinity = AffinityMode::Off;
    if (options.format.kind == FormatKind::Clinic) options.web.clinic = options.lobby->tokens;
    options.lobby->insecure = options.insecure;
    options.lobby->connections_given = given.contains("connections");
    options.lobby->at_tables = 2 * static_cast<std::size_t>(*options.concurrency);
    options.format.open = true;
    options.own_players = options.players.size();
    PlayerSpec place;
    place.kind = PlayerKind::Token;
    place.instances = 1;
    options.players.resize(kMaxServed, place);
    return {};
}

Parsed<TournamentOptions> parse_serve_options(const Words& words, std::uint64_t seed) {
    TournamentOptions options;
    options.lobby.emplace();
    options.format.kind = FormatKind::Ladder;
    auto line = tournament_line(options, seed);
    line.program = "nim-arena serve";
    line.table = serve_table(options);
    line.head = kServeHead;
    line.tail = fmt::format("\n{}", kServeExamples);
    line.common = {"listen", "tokens", "tls",      "clinic",  "await",    "absence",
                   "format", "budget", "record",   "player",  "position", "suite",
                   "tc",     "web",    "movetime", "sandbox", "insecure"};
    line.details = {};
    line.finish = [&options, finish_tournament = line.finish](const Given& given) {
        Result<void> finished;
        if (options.format.kind == FormatKind::Clinic || given.contains("clinic"))
            finished = begin_clinic(options, given);
        else if (given.contains("visits") || given.contains("family"))
            finished = bad_input("--visits and --family are for --clinic");
        if (finished) finished = finish_tournament(given);
        return finished ? finish_serve(options, given) : finished;
    };
    return parse(line, words, options);
}

}  // namespace

int commands::serve(const Words& words, const Guardian& guardian) {
    return run(parse_serve_options(words, fresh_seed()), [&](TournamentOptions options) {
        const int status = build_found_bots(options, guardian, "serve");
        if (status != kExitPlayed) return status;
        return run_contest(options, guardian, kReportWriter, web::open_watch);
    });
}

}  // namespace arena
