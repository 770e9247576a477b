#include "arena/match_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "arena/exit_codes.hpp"
#include "arena/option_table.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::quoted;
using protocol::Result;

constexpr std::uint64_t kDefaultGames = 100;
constexpr std::uint64_t kMaxGames = 1'000'000'000;

Error refuse(std::string text) { return Error{Fault::BadInput, std::move(text), 0}; }

struct Draft : PlayDraft {
    std::optional<std::uint64_t> games;
};

Result<void> set_games(MatchOptions&, Draft& draft, const std::string& value) {
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

Result<void> set_jsonl(MatchOptions& options, Draft&, const std::string& value) {
    if (value.empty()) return refuse("expected a file, or - for standard output");
    options.jsonl = value;
    return {};
}

using Row = OptionRow<MatchOptions, Draft>;
const std::array kRows{
    Row{{"Games", "games", "N",
         "games in total, even, spread over the positions in pairs (default: 2 a position; 100 "
         "where none is given)"},
        set_games},
    Row{{"Output", "jsonl", "FILE",
         "write one JSON object a game, as it ends; -: standard output, all else goes to "
         "standard error"},
        set_jsonl},
};

constexpr std::string_view kHelpHead =
    R"(Usage: nim-arena match PLAYER PLAYER [OPTION]...

Plays games between two players and says who won, how the games ended, and which moves threw them.

PLAYER is one of
)";

constexpr std::string_view kHelpPlayers = R"(  human               asks at the terminal
or, with --player, a list of keys: 'cmd="python3 bot.py" name=Ann option.Hash=16'
)";

constexpr std::string_view kHelpExamples = R"(Examples:
  nim-arena match nim-engine 'python3 bot.py' --position nim:3,4,5
  nim-arena match builtin:perfect ./bot --games 1000 --movetime 100 --jsonl games.jsonl
  nim-arena match --player 'cmd="python3 bot.py" name=Ann' tcp://localhost:5000 --tc 10000+100
  nim-arena match human builtin:perfect --position 'nim:1,3,5,7 misere'
)";

std::vector<OptionText> all_texts() { return option_texts(texts_of(kRows)); }

std::string help_text() {
    return fmt::format("{}{}{}{}{}\n{}\n{}", kHelpHead, kPlayerKinds, kHelpPlayers,
                       kPlayerKeys, describe_options(all_texts()), kHelpExamples, kExitTable);
}

// ---- the whole command line ----

Result<void> take_option(MatchOptions& options, Draft& draft, const Argument& argument) {
    Result<void> done;
    if (const Row* row = find_row(kRows, argument.option)) {
        done = row->set(options, draft, argument.value);
    } else {
        const auto taken = take_play_option(options, draft, argument);
        if (!taken) done = taken.error();
    }
    if (!done) return locate("--" + argument.option, argument.value, done.error());
    return {};
}

// Players and options in the order of the command line.
Result<MatchOptions> take_all(const std::vector<Argument>& arguments, std::uint64_t seed,
                              Draft& draft) {
    MatchOptions options;
    options.seed = seed;
    for (const Argument& argument : arguments) {
        const auto done = argument.option.empty() ? take_player(options, argument.value)
                                                  : take_option(options, draft, argument);
        if (!done) return done.error();
    }
    return options;
}

Result<void> finish(MatchOptions& options, const Draft& draft) {
    if (options.players.size() != 2) {
        return refuse(fmt::format("read {} player{}, expected 2", options.players.size(),
                                  options.players.size() == 1 ? "" : "s"));
    }
    const auto is_human = [](const PlayerSpec& player) {
        return player.kind == PlayerKind::Human;
    };
    if (options.concurrency.value_or(1) > 1 && std::ranges::any_of(options.players, is_human)) {
        return refuse("--concurrency: a person plays one game at a time, expected 1");
    }
    const auto finished = finish_play_options(options, draft);
    if (!finished) return finished.error();
    const std::uint64_t twice = 2 * options.positions.size();
    options.games = draft.games.value_or(twice > 0 ? twice : kDefaultGames);
    if (!options.log.empty() && options.log == options.jsonl) {
        return refuse("--log and --jsonl: expected two different files");
    }
    return {};
}

}  // namespace

MatchCommand parse_match_options(const std::vector<std::string>& arguments,
                                 std::uint64_t seed) {
    const auto split = split_arguments(all_texts(), arguments);
    if (!split) return usage_error("match", split.error());
    if (asks_for_help(*split)) return HelpText{help_text()};

    Draft draft;
    auto options = take_all(*split, seed, draft);
    if (!options) return usage_error("match", options.error());
    const auto finished = finish(*options, draft);
    if (!finished) return usage_error("match", finished.error());
    return *std::move(options);
}

}  // namespace arena
