// `nim-arena suite`: draws positions by the same code as --suite, so the output shows what a
// tournament would play.
#include "arena/commands/options.hpp"

#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "arena/base/console.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/commands/commands.hpp"
#include "arena/game/given_position.hpp"
#include "arena/game/seeds.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

// ---- the command line ----

OptionTable suite_table(SuiteOptions& options) {
    return {
        count({"Options", "count", "N", "how many positions (default: {})"}, options.count, 1,
              protocol::kMaxNumber),
        count({"Options", "seed", "S", "their seed (default: random, and printed)"},
              options.seed, 0, protocol::kMaxNumber),
        text({"Options", "rulesets", "FILE", "names for rulesets, defined as 'name = ruleset'"},
             options.rulesets, "a file"),
    };
}

constexpr std::string_view kSuiteHead = R"(Usage: nim-arena suite SPEC [OPTION]...

Draws positions and prints them, one on each line, followed by '#' and its
theory: the winner (N: the first mover, P: the opponent, D: neither) and the
number of winning moves. The output is a file for --positions; SPEC itself is a
value of --suite, which draws a new position for each pair.

SPEC is rulesets, then any of the keys below, separated by semicolons.

  RULESETS         separated by commas; each position has one of them, or all
                   that '+' joins: 'nim,take{1,3,4},nim+kayles'
  size=WORD|RANGE  of heaps: small (1 to 3 heaps of 1..9), medium (2 to 4 of
                   5..25, the default), large (4 to 8 of 20..120), or a range
                   such as 5..20; also of the entries of tuples
  heaps=RANGE      number of heaps: 3, or 1..4
  n=SHARE|any      percentage of positions that the first mover wins (default:
                   50%)
  winning=RANGE    number of winning moves if the first mover wins: 1 is hard
  misere=off|on|mixed
                   normal (default), misere, or both equally often

Position number k depends only on SPEC, the seed and k.

)";

constexpr std::string_view kSuiteTail = R"(
Examples:
  nim-arena suite nim --count 100 --seed 1 > positions.txt
  nim-arena suite 'take{1,3,4},kayles,nim+kayles;size=small;n=70%;winning=1'

Exit status:
  0        all positions are printed
  1        an error of the arena itself
  2        the command line is wrong, or there are no such positions
  129/130/143
           interrupted
)";

Result<void> take_suite(SuiteOptions& options, const std::string& text) {
    if (!options.suite.text.empty()) {
        return bad_input("read a second suite, {}, expected one: quote it for your shell",
                         protocol::quoted(text));
    }
    options.suite.text = text;
    return {};
}

Result<void> finish_suite(SuiteOptions& options) {
    const std::string text = options.suite.text;
    if (text.empty()) return bad_input("read no suite, expected one, such as 'nim;size=small'");
    const auto names = load_names(options.rulesets);
    if (!names) return names.error();
    auto suite = parse_suite(text, *names);
    if (!suite) return locate("SPEC", text, suite.error());
    options.suite = *std::move(suite);
    return {};
}

// ---- the positions ----

constexpr std::size_t kCounted = 1000;  // winning moves; beyond that "more than"

// "N, 2 winning moves"
std::string describe(const SuitePosition& drawn, const engine::Analyst& analyst) {
    std::string text = to_string(drawn.outcome);
    if (drawn.outcome != engine::Outcome::N) return text;
    const auto game = engine::Game::start(drawn.position);
    const auto winning =
        analyst.best_moves(*game, kCounted, engine::Budget{}.at_most(std::chrono::seconds(1)));
    if (!winning) return text;
    const std::size_t count = winning->moves.size();
    return fmt::format("{}, {}{} winning move{}", text, winning->cut ? "more than " : "", count,
                       count == 1 ? "" : "s");
}

int run_suite(const SuiteOptions& options) {
    const auto analyst = engine::make_analyst();
    Console console(stdout);
    console.line(fmt::format("# nim-arena suite '{}' --count {} --seed {}",
                             protocol::printable(options.suite.text), options.count,
                             options.seed));
    for (std::uint64_t index = 1; index <= options.count && !console.failed(); ++index) {
        const auto drawn = draw(options.suite, index, options.seed, *analyst);
        if (!drawn) {
            console.finish(kExitUsage);
            return refuse({drawn.error(), kExitUsage}, "nim-arena suite");
        }
        console.line(
            fmt::format("{}  # {}", to_string(drawn->position), describe(*drawn, *analyst)));
    }
    return console.finish(kExitPlayed);
}

}  // namespace

Parsed<SuiteOptions> parse_suite_options(const Words& words, std::uint64_t seed) {
    SuiteOptions options;
    CommandLine line("nim-arena suite", suite_table(options), kSuiteHead, kSuiteTail);
    line.argument = [&](const std::string& text) { return take_suite(options, text); };
    line.finish = [&](const Given&) { return finish_suite(options); };
    options.seed = seed;
    return parse(line, words, options);
}

int commands::suite(const Words& words, const Guardian&) {
    return run(parse_suite_options(words, fresh_seed()), run_suite);
}

}  // namespace arena
