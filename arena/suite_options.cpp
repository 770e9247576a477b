#include "arena/suite_options.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "arena/option_table.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::quoted;
using protocol::Result;

// The options as they come.
struct Draft {
    SuiteOptions options;
    std::optional<std::string> suite;
    std::string rulesets;  // a file
};

Error refuse(std::string text) { return Error{Fault::BadInput, std::move(text), 0}; }

template <std::uint64_t SuiteOptions::*number, std::uint64_t least>
Result<void> set_number(Draft& draft, const std::string& value) {
    const auto count = parse_count(value, least, protocol::kMaxNumber);
    if (!count) return count.error();
    draft.options.*number = *count;
    return {};
}

Result<void> set_rulesets(Draft& draft, const std::string& path) {
    draft.rulesets = path;
    return {};
}

// A row says all there is to know about an option.
struct Row {
    OptionText text;
    Result<void> (*set)(Draft& draft, const std::string& value);
};

constexpr std::array kRows{
    Row{{"Options", "count", "N", "how many positions (default: 10)"},
        set_number<&SuiteOptions::count, 1>},
    Row{{"Options", "seed", "S", "what they are drawn from (default: drawn, and printed)"},
        set_number<&SuiteOptions::seed, 0>},
    Row{{"Options", "rulesets", "FILE",
         "names for rulesets: 'name = ruleset', one a definition"},
        set_rulesets},
};

constexpr std::string_view kHelpHead = R"(Usage: nim-arena suite SPEC [OPTION]...

Draws positions and prints them, one a line, each with what theory says of it behind a '#': who wins
(N: who moves first, P: the other one, D: neither) and by how many moves. What it prints can be given
to --positions; SPEC itself can be given to --suite, which draws anew for each pair of games.

SPEC is rulesets, and then, separated by semicolons, any of the keys below.

  RULESETS          separated by commas; each position has one of them, or all that '+' joins:
                    'nim,take{1,3,4},nim+kayles'
  size=WORD|RANGE   of heaps: small (1 to 3 heaps of 1..9), medium (2 to 4 of 5..25, the default),
                    large (4 to 8 of 20..120), or a range such as 5..20; for the entries of tuples too
  heaps=RANGE       how many heaps: 3, or 1..4
  n=SHARE|any       how many of a hundred are won for who moves first, the others lost (default: 50%)
  winning=RANGE     how many moves win, where who moves first wins: 1 is hard, more are easier
  misere=off|on|mixed
                    the convention: normal (default), misere, or each half of the time

Position number k depends on SPEC, the seed and k alone.

)";

constexpr std::string_view kHelpTail = R"(
Examples:
  nim-arena suite nim --count 100 --seed 1 > positions.txt
  nim-arena suite 'take{1,3,4},kayles,nim+kayles;size=small;n=70%;winning=1'
  nim-arena suite 'wythoff;heaps=2;size=1..30;misere=mixed'

Exit status:
  0        all positions are printed
  1        an error of the arena itself
  2        the command line makes no sense, or there are no such positions
  129/130/143
           interrupted
)";

Result<void> take(Draft& draft, const Argument& argument) {
    const std::string& value = argument.value;
    if (argument.option.empty()) {
        if (draft.suite) {
            return refuse("read a second suite, " + quoted(value) +
                          ", expected one: quote it for your shell");
        }
        draft.suite = value;
        return {};
    }
    const auto done = find_row(kRows, argument.option)->set(draft, value);
    if (!done) return locate("--" + argument.option, value, done.error());
    return {};
}

Result<SuiteOptions> finish(Draft& draft) {
    if (!draft.suite) return refuse("read no suite, expected one, such as 'nim;size=small'");
    const auto names = load_names(draft.rulesets);
    if (!names) return names.error();
    auto suite = parse_suite(*draft.suite, *names);
    if (!suite) return locate("suite", *draft.suite, suite.error());
    draft.options.suite = *std::move(suite);
    return std::move(draft.options);
}

}  // namespace

SuiteCommand parse_suite_options(const std::vector<std::string>& arguments,
                                 std::uint64_t seed) {
    const auto split = split_arguments(texts_of(kRows), arguments);
    if (!split) return usage_error("suite", split.error());
    if (asks_for_help(*split)) {
        return HelpText{
            fmt::format("{}{}{}", kHelpHead, describe_options(texts_of(kRows)), kHelpTail)};
    }
    Draft draft;
    draft.options.seed = seed;
    for (const Argument& argument : *split) {
        const auto taken = take(draft, argument);
        if (!taken) return usage_error("suite", taken.error());
    }
    auto options = finish(draft);
    if (!options) return usage_error("suite", options.error());
    return *std::move(options);
}

}  // namespace arena
