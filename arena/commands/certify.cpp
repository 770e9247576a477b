// The command line of `nim-arena certify`. Options that match has, too, are rows of its table,
// so that both commands read them alike.
#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "arena/base/console.hpp"
#include "arena/base/cores.hpp"
#include "arena/check/certify.hpp"
#include "arena/commands/commands.hpp"
#include "arena/commands/play_table.hpp"
#include "arena/game/seeds.hpp"
#include "arena/play/play_setup.hpp"
#include "arena/play/worker_threads.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::uint64_t kMostRepeats = 1000;
constexpr std::uint64_t kMostRestarts = 1'000'000;

// ---- rows ----

Result<std::string> parse_family_text(const std::string& text) {
    if (!protocol::trim(text).empty()) return std::string(protocol::trim(text));
    return bad_input("expected a family such as 'nim;heaps=1..4;size=0..7', found nothing");
}

OptionTable certify_table(CertifyOptions& options) {
    return {
        list({"Positions", "family", "FAMILY",
              "ask in every position of a kind, such as 'nim;heaps=1..4;size=0..7'; may be "
              "repeated"},
             options.family_texts, parse_family_text),
        shared_row(options, "Positions", "position",
                   "a position to ask about; may be repeated"),
        shared_row(options, "Positions", "positions",
                   "positions from a file, one on each line; # starts a comment; may be "
                   "repeated"),
        shared_row(options, "Positions", "rulesets"),
        count({"Asking", "repeat", "K",
               "ask in each position K times, each time with a new Seed; each answer must be "
               "right (default: once, and again in 200 of them)"},
              options.repeat, 1, kMostRepeats),
        count({"Asking", "restarts", "N",
               "the most restarts of a bot that ends, hangs or answers no move (default: {})"},
              options.restarts, 0, kMostRestarts),
        shared_row(options, "Asking", "player", "the bot by keys, instead of as an argument"),
        shared_row(
            options, "Asking", "seed",
            "the seed of the order of questions and of the bot's Seeds (default: random, "
            "and printed)"),
        shared_row(options, "Asking", "concurrency",
                   "concurrent processes of the bot (default: one for each core)"),
        shared_row(
            options, "Asking", "affinity",
            "pin each process to one core, of LIST such as 0,2-3 (default: on if the bot "
            "is local)"),
        shared_row(options, "Time", "movetime"),
        shared_row(options, "Time", "margin"),
        shared_row(options, "Time", "hang"),
        shared_row(options, "Time", "startup"),
        shared_row(
            options, "Safety", "env",
            "the environment of a COMMAND: this one; or only PATH and LANG, with HOME and "
            "TMPDIR in a private directory that is removed afterwards (default: inherit; clean "
            "with --sandbox or --untrusted)"),
        shared_row(options, "Safety", "sandbox"),
        shared_row(options, "Safety", "sandbox-memory"),
        shared_row(options, "Safety", "sandbox-processes"),
        shared_row(options, "Safety", "sandbox-disk"),
        shared_row(options, "Safety", "run-as"),
        shared_row(options, "Safety", "untrusted"),
        shared_row(options, "Safety", "insecure"),
        flag({"Output", "json", nullptr, "print one JSON object instead"}, options.json),
        shared_row(options, "Output", "log"),
        shared_row(options, "Output", "color"),
        shared_row(options, "Output", "quiet", "show no progress; --no-quiet undoes it"),
    };
}

constexpr std::string_view kCertifyHead =
    R"(Usage: nim-arena certify PLAYER --family FAMILY [OPTION]...

Asks a bot for its move in every position of a family, one question each and no
games, and compares it with the truth: the move must keep the win or the draw;
in a lost position any legal move is right. Prints in how many positions the bot
is right, or the smallest counterexample and what its mistakes have in common.

FAMILY is the words of nim-arena suite, for all positions that it could draw,
with the heaps in any order; with ;sorted, only in ascending order:
  'nim;heaps=1..4;size=0..7'
  'kayles+take{1,3,4};heaps=2..3;size=0..9;misere=on'

A PLAYER is a command, quoted, or an address such as tcp://HOST:PORT: see
nim-arena help certify all.

)";

constexpr std::string_view kCertifyKeys =
    R"(or, with --player, a list of keys: 'cmd="python3 bot.py" option.Hash=16'
)";

constexpr std::string_view kCertifyTail = R"(
Examples:
  nim-arena certify 'python3 bot.py' --family 'nim;heaps=1..4;size=0..7'
  nim-arena certify ./bot --positions homework.txt --json
)";

constexpr std::string_view kCertifyExit = R"(
Exit status:
  0        certified: all positions were asked, and no answer is known to be wrong; the verdict
           says how many could not be judged
  1        an error of the arena itself, or a file cannot be written
  2        the command line is wrong; nothing was started
  3        the bot cannot be started, or the handshake fails; or the sandbox
           does not work
  8        refuted: a move is wrong or illegal, or there is none
  129/130/143
           interrupted
)";

// ---- checks ----

Result<void> find_positions(CertifyOptions& options) {
    const auto names = load_names(options.rulesets);
    if (!names) return names.error();
    std::vector<Family> families;
    for (const std::string& text : options.family_texts) {
        auto family = Family::parse(text, *names);
        if (!family) return locate("--family", text, family.error());
        families.push_back(*std::move(family));
    }
    auto asked = PositionSet::make(std::move(families), options.positions);
    if (!asked) return asked.error();
    if (asked->size() == 0) {
        return bad_input(
            "read no positions, expected --family, --position or --positions, such as --family "
            "'nim;heaps=1..4;size=0..7'");
    }
    options.asked = *std::move(asked);
    return {};
}

Result<void> finish_certify(CertifyOptions& options, const Given& given) {
    if (options.players.size() != 1) {
        return bad_input("read {} players, expected one{}", options.players.size(),
                         options.players.empty() ? "" : ": a command with blanks is quoted");
    }
    if (options.players.front().kind == PlayerKind::Human) {
        return bad_input("read human, expected a bot");
    }
    if (options.player_text.empty()) options.player_text = to_string(options.players.front());
    const auto finished = finish_play_options(options, given);
    if (!finished) return finished;
    return find_positions(options);
}

int certify_player(const CertifyOptions& options, const Guardian& guardian) {
    const auto opened = set_up(options, {}, guardian);
    if (!opened) return refuse(opened.refusal());
    if (const auto& listener = opened->listeners.front()) {
        // Printed with --json, too: a bot that dials in must know the address.
        const auto where = fmt::format("listening on {}\n", listener->address());
        options.json ? complain(where) : Console(stdout).write(where);
    }
    const ThreadPlan plan = plan_threads(options, options.asked->size(), allowed_cores());
    const auto analyst = engine::make_analyst();
    const auto shared = resources(options, *opened, guardian, *analyst);
    const AskSetup setup{options, shared, plan.concurrency, plan.cores, options.restarts};
    return run_certify(options, setup);
}

Parsed<CertifyOptions> parse_certify_options(const Words& words, std::uint64_t seed) {
    CertifyOptions options;
    CommandLine line("nim-arena certify", certify_table(options), kCertifyHead, kCertifyTail);
    line.details =
        fmt::format("PLAYER is one of\n{}{}{}", kPlayerKinds, kCertifyKeys, kPlayerKeys);
    line.reference = kCertifyExit;
    line.common = {"family",      "position", "positions", "player",    "repeat",
                   "concurrency", "movetime", "sandbox",   "untrusted", "json"};
    line.argument = [&](const std::string& text) {
        options.player_text = text;
        return take_player(options, text);
    };
    line.finish = [&](const Given& given) { return finish_certify(options, given); };
    options.seed = seed;
    return parse(line, words, options);
}

}  // namespace

int commands::certify(const Words& words, const Guardian& guardian) {
    return run(parse_certify_options(words, fresh_seed()), [&](const CertifyOptions& options) {
        return certify_player(options, guardian);
    });
}

}  // namespace arena
