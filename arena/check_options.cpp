#include "arena/check_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
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

// The options as they come.
struct Draft {
    CheckOptions options;
    std::optional<PlayerSpec> player;
    std::vector<GivenPosition> positions;
    std::string rulesets;  // a file
};

Error refuse(std::string text) { return Error{Fault::BadInput, std::move(text), 0}; }

// ---- options ----

Result<void> take_player(Draft& draft, const std::string& text, Result<PlayerSpec> player) {
    if (!player) return player.error();
    if (draft.player) return refuse("read a second player, " + quoted(text) + ", expected one");
    if (player->kind == PlayerKind::Builtin || player->kind == PlayerKind::Human) {
        return refuse(
            "read " + quoted(text) +
            ", expected a bot that speaks the protocol: a command, tcp://HOST:PORT or "
            "listen://HOST:PORT");
    }
    draft.player = *std::move(player);
    draft.options.player_text = text;
    return {};
}

Result<void> set_player(Draft& draft, const std::string& value) {
    return take_player(draft, value, parse_player_keys(value));
}

Result<void> set_position(Draft& draft, const std::string& value) {
    draft.positions.push_back({"--position", value});
    return {};
}

Result<void> set_rulesets(Draft& draft, const std::string& path) {
    draft.rulesets = path;
    return {};
}

Result<void> set_seed(Draft& draft, const std::string& value) {
    const auto seed = parse_count(value, 0, protocol::kMaxNumber);
    if (!seed) return seed.error();
    draft.options.seed = *seed;
    return {};
}

template <Milliseconds CheckOptions::*time, std::uint64_t least>
Result<void> set_time(Draft& draft, const std::string& value) {
    const auto milliseconds = parse_milliseconds(value, least);
    if (!milliseconds) return milliseconds.error();
    draft.options.*time = *milliseconds;
    return {};
}

Result<void> set_json(Draft& draft, const std::string&) {
    draft.options.json = true;
    return {};
}

Result<void> set_insecure(Draft& draft, const std::string&) {
    draft.options.insecure = true;
    return {};
}

// A row says all there is to know about an option.
struct Row {
    OptionText text;
    Result<void> (*set)(Draft& draft, const std::string& value);
};

constexpr std::array kRows{
    Row{{"Options", "player", "KEYS", "the bot by keys, in place of a positional one"},
        set_player},
    Row{{"Options", "position", "FEN",
         "a position that it must play, beside those that are drawn; may be repeated", true},
        set_position},
    Row{{"Options", "rulesets", "FILE",
         "names for rulesets: 'name = ruleset', one a definition"},
        set_rulesets},
    Row{{"Options", "movetime", "MS",
         "time for a move, where time is the point (default: 1000)"},
        set_time<&CheckOptions::movetime, 1>},
    Row{{"Options", "margin", "MS", "how late a move may come (default: 50)"},
        set_time<&CheckOptions::margin, 0>},
    Row{{"Options", "startup", "MS",
         "time to start and shake hands, or to dial in (default: 10000)"},
        set_time<&CheckOptions::startup, 1>},
    Row{{"Options", "seed", "S", "what positions are drawn from (default: drawn, and printed)"},
        set_seed},
    Row{{"Options", "json", nullptr, "print one JSON object instead"}, set_json},
    Row{{"Options", "insecure", nullptr,
         "await a listen:// bot beyond this machine, too, whoever dials in first"},
        set_insecure},
};

constexpr std::string_view kHelpHead = R"(Usage: nim-arena check PLAYER [OPTION]...

Talks to a bot as the arena does and says, point by point, whether it keeps to the protocol. Where
it does not: the lines that were sent and received, what was expected, and how to mend it.

  ok           the point holds
  FAILED       it does not, and the bot will lose games by it
  note         it does not, but a bot can do without
  not checked  could not be tried, and why

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
  0        all that a bot needs is there
  1        a needed point fails, or an error of the arena itself
  2        the command line makes no sense; nothing was started
  3        the bot cannot be started, or does not shake hands
  129/130/143
           interrupted
)";

// ---- the whole command line ----

Result<void> take(Draft& draft, const Argument& argument) {
    const std::string& value = argument.value;
    if (argument.option.empty()) {
        const auto done = take_player(draft, value, parse_player(value));
        if (!done) return locate("player", value, done.error());
        return {};
    }
    const auto done = find_row(kRows, argument.option)->set(draft, value);
    if (!done) return locate("--" + argument.option, value, done.error());
    return {};
}

Result<void> finish_positions(Draft& draft) {
    const auto names = load_names(draft.rulesets);
    if (!names) return names.error();
    for (const GivenPosition& given : draft.positions) {
        auto position = check_position(given, *names);
        if (!position) return position.error();
        draft.options.positions.push_back(*std::move(position));
    }
    return {};
}

}  // namespace

CheckCommand parse_check_options(const std::vector<std::string>& arguments,
                                 std::uint64_t seed) {
    const auto split = split_arguments(texts_of(kRows), arguments);
    if (!split) return usage_error("check", split.error());
    if (asks_for_help(*split)) {
        return HelpText{
            fmt::format("{}{}{}", kHelpHead, describe_options(texts_of(kRows)), kHelpTail)};
    }
    Draft draft;
    draft.options.seed = seed;
    for (const Argument& argument : *split) {
        const auto taken = take(draft, argument);
        if (!taken) return usage_error("check", taken.error());
    }
    if (!draft.player) return usage_error("check", refuse("read no player, expected one"));
    const auto positions = finish_positions(draft);
    if (!positions) return usage_error("check", positions.error());
    draft.options.player = *std::move(draft.player);
    return std::move(draft.options);
}

}  // namespace arena
