// `nim-arena web`: joins the server of arena/web/ with bots as opponents. Its options are rows
// of match with other texts where the meaning is the same, so both commands read them alike.
#include "arena/commands/options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "arena/base/console.hpp"
#include "arena/base/interrupts.hpp"
#include "arena/commands/commands.hpp"
#include "arena/commands/play_table.hpp"
#include "arena/game/given_position.hpp"
#include "arena/game/seeds.hpp"
#include "arena/play/play_setup.hpp"
#include "arena/record/open_store.hpp"
#include "arena/web/opponents.hpp"
#include "arena/web/service.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/text.hpp"

namespace arena::web {
namespace {

// ---- the command line ----

constexpr std::uint64_t kMaxWebConnections = 100'000;

Result<std::string> parse_folder(const std::string& value) {
    std::error_code ignored;
    if (std::filesystem::is_directory(value, ignored)) return value;
    return bad_input("read {}, expected a folder that exists", protocol::quoted(value));
}

OptionTable server_table(ServerOptions& options) {
    return {
        endpoint({"Server", "listen", "HOST:PORT",
                  "where to listen; port 0: one that is free (default: {})"},
                 options.listen),
        list({"Server", "host", "NAME",
              "a name that browsers may use for this server, besides localhost and addresses; "
              "may be repeated"},
             options.hosts, parse_host_name),
        certificate({"Server", "tls", "CERT,KEY",
                     "serve https, with the PEM files of a certificate and its key"},
                    options.certificate, options.key),
        flag({"Server", "insecure", nullptr, "listen beyond this machine without TLS"},
             options.insecure),
        count({"Limits", "connections", "N",
               "connections in all (default: {}, or fewer if the limit of open files is low)"},
              options.connections, 1, kMaxWebConnections),
        count({"Limits", "address-connections", "N",
               "connections from one address (default: {})"},
              options.address_connections, 1, kMaxWebConnections),
        milliseconds({"Limits", "request-time", "MS",
                      "from the first byte of a request to its last (default: {})"},
                     options.request, 1),
        milliseconds(
            {"Limits", "write-time", "MS", "for a client to take a response (default: {})"},
            options.write, 1),
        milliseconds({"Limits", "idle-time", "MS",
                      "how long a connection stays open without a request (default: {})"},
                     options.idle, 1),
    };
}

OptionTable offer_table(WebOptions& options) {
    return {
        shared_row(
            options.play, "What is offered", "player",
            "a bot as opponent, such as 'cmd=\"python3 bot.py\" name=Ann'; may be repeated"),
        list({"What is offered", "record", "FILE.db",
              "the record of a tournament to show; may be repeated"},
             options.records, parse_record_name),
        shared_row(options.play, "What is offered", "rulesets",
                   "names for rulesets, defined as 'name = ruleset'"),
        value({"What is offered", "page", "DIR",
               "serve the files of the page from DIR instead of the built-in ones, to work on "
               "them"},
              options.page, parse_folder),
        milliseconds({"Time", "think", "MS", "compute time of one request (default: {})"},
                     options.think, 1),
        shared_row(options.play, "Time", "movetime",
                   "time of a bot for each move (default: {})"),
        shared_row(options.play, "Time", "seed",
                   "the seed of random piles and moves (default: random)"),
    };
}

OptionTable web_safety_table(PlayOptions& options) {
    return {
        shared_row(options, "Safety", "sandbox", "run each bot in bubblewrap (default: none)"),
        shared_row(options, "Safety", "sandbox-memory",
                   "memory of a sandboxed bot (default: {})"),
        shared_row(options, "Safety", "sandbox-processes",
                   "processes and threads of a sandboxed bot (default: {})"),
        shared_row(options, "Safety", "sandbox-disk",
                   "room in the sandbox's /tmp (default: {})"),
        shared_row(options, "Safety", "run-as", "as root: the user that bots run as"),
        shared_row(options, "Output", "quiet", "print nothing but the address"),
    };
}

OptionTable web_table(WebOptions& options) {
    return join(
        {offer_table(options), server_table(options.server), web_safety_table(options.play)});
}

constexpr std::string_view kWebHead = R"(Usage: nim-arena web [OPTION]...

Serves pages to a browser: play any game against the perfect engine, a bot or
another person; browse records. Prints the address, and runs until it is
interrupted. Everything works without a network. Programs use the same
interface: arena/doc/web.md.

The server keeps no game and no data of visitors. It listens only on this
machine unless it has TLS or --insecure, and answers only to the names
localhost, addresses, the name given to --listen and those given by --host.

)";

constexpr std::string_view kWebTail = R"(
Examples:
  nim-arena web --player 'cmd="python3 bot.py" name=Ann' --record spring.db
  nim-arena web --listen 0.0.0.0:8443 --tls cert.pem,key.pem --host example.org
)";

constexpr std::string_view kWebExit = R"(
Exit status:
  1        an error of the arena itself, or a record cannot be read
  2        the command line or another file that it names is wrong, or the address
           is open to the network without TLS
  3        the address is in use, or --run-as or the sandbox does not work
  129/130/143
           interrupted
)";

Result<void> check_web_players(const WebOptions& options) {
    for (const PlayerSpec& player : options.play.players) {
        if (player.kind == PlayerKind::Human || player.kind == PlayerKind::TcpListen ||
            player.kind == PlayerKind::Token) {
            return bad_input(
                "--player: read {}, expected a command, tcp://HOST:PORT, tls://HOST:PORT or "
                "builtin:NAME",
                protocol::quoted(to_string(player)));
        }
    }
    return {};
}

// Longer than any reply of the site takes: a bot that starts and moves, and computations before
// and after that.
void set_reply_time(WebOptions& options) {
    constexpr Milliseconds kMargin{10'000};
    Milliseconds move{0};
    for (std::size_t i = 0; i < options.play.players.size(); ++i) {
        const TimeControl clock = clock_of(options.play, i);
        move = std::max(move, clock.movetime.value_or(clock.hang) + clock.margin);
    }
    const Milliseconds longest = 2 * options.think + options.play.startup + move + kMargin;
    options.server.reply = std::max(options.server.reply, longest);
}

Result<void> finish_web(WebOptions& options, const Given& given) {
    auto done = check_web_players(options);
    if (done) done = finish_play_options(options.play, given);
    if (!done) return done;
    auto names = load_names(options.play.rulesets);
    if (!names) return names.error();
    options.rulesets = *std::move(names);
    options.server.connections_given = given.contains("connections");
    set_reply_time(options);
    return {};
}

// ---- the server ----

// Until a signal comes. `bots`: null if there are none.
int serve_pages(const WebOptions& options, const ServiceOptions& pages,
                const engine::Analyst& analyst, Opponents* bots, Interrupts& interrupts) {
    const auto service = Service::start(pages, analyst, nullptr, bots);
    if (!service) return refuse(cannot_open(service.error()), "nim-arena web");
    Console console(stdout);
    console.line("listening on " + (*service)->url());
    if (const std::size_t room = (*service)->connections();
        room < options.server.connections && !options.play.quiet) {
        console.line(fmt::format("note: room for {} connections: see ulimit -Hn", room));
    }
    int signal = 0;
    while (signal == 0) signal = interrupts.wait(-1);
    interrupts.release();
    (*service)->stop();
    if (bots != nullptr) bots->close();  // before the service that gets its answers
    return console.finish(128 + signal);
}

int serve(const WebOptions& options, const Guardian& guardian) {
    Interrupts interrupts;  // first, because threads inherit the blocked signals
    auto records = find_records(options.records);
    if (!records) return refuse({records.error()}, "nim-arena web");
    const ServiceOptions pages{
        options.server,
        {.names = options.rulesets, .think = options.think, .seed = options.play.seed},
        *std::move(records),
        options.page};
    const auto analyst = engine::make_analyst();
    if (options.play.players.empty())
        return serve_pages(options, pages, *analyst, nullptr, interrupts);
    std::vector<std::string> hidden = options.records;
    hidden.push_back(options.server.key);
    const auto setup = set_up(options.play, std::move(hidden), guardian);
    if (!setup) return refuse(setup.refusal());
    Opponents bots(options.play, *setup, guardian, *analyst);
    return serve_pages(options, pages, *analyst, &bots, interrupts);
}

}  // namespace

Parsed<WebOptions> parse_web_options(const Words& words, std::uint64_t seed) {
    WebOptions options;
    CommandLine line("nim-arena web", web_table(options), kWebHead, kWebTail);
    line.reference = kWebExit;
    line.common = {"player", "record", "rulesets", "think",   "movetime", "listen",
                   "host",   "tls",    "insecure", "sandbox", "seed",     "quiet"};
    line.argument = [](const std::string& word) -> Result<void> {
        return bad_input("read {}, expected an option such as --player",
                         protocol::quoted(word));
    };
    line.finish = [&](const Given& given) { return finish_web(options, given); };
    options.play.seed = seed;
    return parse(line, words, options);
}

}  // namespace arena::web

namespace arena {

int commands::web(const Words& words, const Guardian& guardian) {
    return run(arena::web::parse_web_options(words, fresh_seed()),
               [&](const arena::web::WebOptions& options) {
                   return arena::web::serve(options, guardian);
               });
}

}  // namespace arena
