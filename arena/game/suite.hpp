// Suites: random positions with given properties, such as
// "nim,take{1,3,4},nim+kayles;size=medium;n=50%;winning=1..2;misere=mixed".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "arena/game/seeds.hpp"
#include "engine/rules/catalogue.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/position.hpp"
#include "protocol/result.hpp"

namespace arena {

// "2..5" or "3".
struct Range {
    std::uint64_t least = 0;
    std::uint64_t most = 0;

    friend bool operator==(const Range&, const Range&) = default;
};

struct Suite {
    // One ruleset of a position.
    struct Part {
        protocol::RulesetText text;
        std::shared_ptr<const engine::Ruleset> ruleset;
    };
    using Sum = std::vector<Part>;
    enum class Misere { Off, On, Mixed };

    std::string text;  // as given
    std::vector<Sum> mix;
    Range heaps{2, 4};               // of a position; at least one for each part
    Range size{5, 25};               // of a heap, or of the entries of a tuple
    std::optional<unsigned> n = 50;  // per cent of outcome N, the others P; nullopt: any
    std::optional<Range> winning;    // number of winning moves, if the outcome is N
    Misere misere = Misere::Off;
};

// The text: rulesets separated by commas, each alone or a sum ("nim+kayles"); then, separated
// by semicolons, keys with their values. All but the rulesets may be left out. Errors name the
// column.
protocol::Result<Suite> parse_suite(std::string_view text,
                                    const engine::RulesetNames& names = {});

// The canonical text, with names expanded and defaults filled in: suites with the same text
// draw the same positions.
std::string to_string(const Suite& suite);

// A heap of a ruleset: a number of that size, a tuple with entries of that size, or any vertex
// of a graph. A cookie tuple has 2 to 5 entries.
protocol::Heap draw_heap(const Suite::Part& part, const Range& size, std::mt19937_64& random);

// All heaps that draw_heap() can draw and the ruleset accepts, ascending. nullopt: there are
// more than `limit` of them, or of candidates.
std::optional<std::vector<protocol::Heap>> all_heaps(const Suite::Part& part, const Range& size,
                                                     std::size_t limit);

struct SuitePosition {
    protocol::Position position;
    engine::Outcome outcome = engine::Outcome::Unknown;
};

// Position number `index` (from 1) of the suite. An index always gives the same position,
// unless the solver takes more than a second to evaluate it. Exactly `n` of every hundred
// consecutive positions are N. Each has a move. Fails if none is found in 10,000 draws from
// each ruleset of the mix, or if ten of each could not be solved.
protocol::Result<SuitePosition> draw(const Suite& suite, std::uint64_t index,
                                     const Seeds& seeds, const engine::Analyst& analyst,
                                     const engine::Budget& budget = {});

// Draws the first position of each wanted outcome, to detect before a tournament starts that
// there is none.
protocol::Result<void> try_to_draw(const Suite& suite, const Seeds& seeds,
                                   const engine::Analyst& analyst);

}  // namespace arena
