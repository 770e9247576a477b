#include "arena/suite_command.hpp"

#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "arena/console.hpp"
#include "arena/exit_codes.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::size_t kCounted = 1000;  // winning moves; of more it says "more than"

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

}  // namespace

int run_suite(const SuiteOptions& options, const Guardian&) {
    const auto analyst = engine::make_analyst();
    Console console(stdout);
    console.line(fmt::format("# nim-arena suite '{}' --count {} --seed {}",
                             protocol::printable(options.suite.text), options.count,
                             options.seed));
    for (std::uint64_t index = 1; index <= options.count; ++index) {
        const auto drawn = draw(options.suite, index, options.seed, *analyst);
        if (!drawn) {
            console.finish(kExitUsage);
            complain(fmt::format("nim-arena suite: {}\n", drawn.error().text));
            return kExitUsage;
        }
        console.line(
            fmt::format("{}  # {}", to_string(drawn->position), describe(*drawn, *analyst)));
    }
    return console.finish(kExitPlayed);
}

}  // namespace arena
