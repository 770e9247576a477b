#include "arena/commands/check.hpp"

#include <string_view>
#include <utility>

#include "arena/commands/commands.hpp"
#include "arena/game/seeds.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Result;

Result<void> set_player(CheckOptions& options, const std::string& text,
                        Result<PlayerSpec> player) {
    if (!player) return player.error();
    if (!options.player_text.empty()) {
        return bad_input("read a second player, {}, expected one", protocol::quoted(text));
    }
    if (player->kind == PlayerKind::Builtin || player->kind == PlayerKind::Human) {
        return bad_input(
            "read {}, expected a bot that speaks the protocol: a command, tcp://HOST:PORT or "
            "listen://HOST:PORT",
            protocol::quoted(text));
    }
    options.player = *std::move(player);
    options.player_text = text;
    return {};
}

Result<void> take_player(CheckOptions& options, const std::string& text) {
    const auto done = set_player(options, text, parse_player(text));
    if (!done) return locate("player", text, done.error());
    return {};
}

OptionTable<CheckOptions> check_table() {
    return {
        {{"Options", "player", "KEYS", "the bot by keys, instead of as an argument"},
         [](CheckOptions& options, const std::string& text) {
             return set_player(options, text, parse_player_keys(text));
         }},
        list({"Options", "position", "FEN",
              "a position that it must play, besides those that are drawn; may be repeated"},
             &CheckOptions::given_positions, given_position),
        text({"Options", "rulesets", "FILE", "names for rulesets, defined as 'name = ruleset'"},
             &CheckOptions::rulesets, "a file"),
        milliseconds({"Options", "movetime", "MS",
                      "time for a move, where time is the point (default: {})"},
                     &CheckOptions::movetime, 1),
        milliseconds({"Options", "margin", "MS", "how late a move may come (default: {})"},
                     &CheckOptions::margin, 0),
        milliseconds({"Options", "startup", "MS",
                      "time to start and shake hands, or to dial in (default: {})"},
                     &CheckOptions::startup, 1),
        count({"Options", "seed", "S", "seed of the positions (default: random, and printed)"},
              &CheckOptions::seed, 0, protocol::kMaxNumber),
        flag({"Options", "json", nullptr, "print one JSON object instead"},
             &CheckOptions::json),
        flag({"Options", "insecure", nullptr,
              "allow a listen:// address beyond this machine; the first bot to dial in is "
              "tested"},
             &CheckOptions::insecure),
    };
}

constexpr std::string_view kHelpHead = R"(Usage: nim-arena check PLAYER [OPTION]...

Talks to a bot as the arena does and says, point by point, whether it follows the protocol. If
it does not: the lines that were sent and received, what was expected, and how to fix it.

  ok           the point holds
  FAILED       it does not, and the bot will lose games by it
  note         it does not, but a bot can do without it
  not checked  it could not be tested, and why

PLAYER is one of
  COMMAND             a program and its arguments, one word to your shell: 'python3 bot.py --fast'
  tcp://HOST:PORT     a bot that listens
  listen://HOST:PORT  waits for a bot to dial in
or, with --player, a list of keys: 'cmd="python3 bot.py" dir=bots legalmoves=on'; all are listed by
nim-arena match --help

)";

constexpr std::string_view kHelpTail = R"(
Examples:
  nim-arena check 'python3 bots/python/random_bot.py'
  nim-arena check tcp://localhost:5000 --position 'take{1,3,4}:21 misere'
  nim-arena check ./bot --movetime 100 --json

Exit status:
  0        every required point holds
  1        a required point fails, or an error of the arena itself
  2        the command line is wrong; nothing was started
  3        the bot cannot be started, or the handshake fails
  129/130/143
           interrupted
)";

Result<void> finish(CheckOptions& options, const Given&) {
    if (options.player_text.empty()) return bad_input("read no player, expected one");
    auto positions = check_positions(options.given_positions, options.rulesets);
    if (!positions) return positions.error();
    options.positions = *std::move(positions);
    return {};
}

}  // namespace

Parsed<CheckOptions> parse_check_options(const Words& words, std::uint64_t seed) {
    CommandLine<CheckOptions> line("nim-arena check", check_table(), kHelpHead, kHelpTail);
    line.argument = take_player;
    line.finish = finish;
    line.options.seed = seed;
    return parse(std::move(line), words);
}

int commands::check(const Words& words, const Guardian& guardian) {
    return run(parse_check_options(words, fresh_seed()),
               [&](const CheckOptions& options) { return run_check(options, guardian); });
}

}  // namespace arena
