// Draws sums until one has a single winning move, and as many moves as the level wants. Equal
// piles count once: a move in one is a move in all. If the time ends first, the sum that comes
// nearest is taken: some rulesets, such as those of graphs, have no position with one winning
// move in so many. Small piles of some rulesets, such as Treblecross, have hardly a move: where
// they give nothing, larger ones are drawn.
#include "arena/web/questions.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <random>
#include <set>
#include <string>

#include <boost/json.hpp>

#include "arena/game/suite.hpp"
#include "engine/rules/game.hpp"

namespace arena::web {
namespace {

namespace json = boost::json;
using engine::Game;
using engine::Outcome;

struct PuzzleLevel {
    std::size_t piles;
    Range size;            // of a pile
    engine::Count least;   // moves
    engine::Count most;    // moves
    std::size_t rulesets;  // different ones, in the mixed set
};

constexpr std::array kLevels{
    PuzzleLevel{2, {1, 5}, 3, 12, 1},
    PuzzleLevel{3, {2, 8}, 8, 30, 2},
    PuzzleLevel{4, {3, 14}, 20, 200, 3},
};

constexpr int kPuzzleDraws = 400;
constexpr Range kAnySize{1, 31};  // of the second half of the draws
constexpr int kHeapDraws = 30;
constexpr std::chrono::milliseconds kOnePuzzle{50};
constexpr std::chrono::milliseconds kEnough{300};  // once there is one winning move
constexpr std::size_t kMostWinning = 16;

struct Puzzle {
    protocol::Position position;
    engine::Count moves = 0;
    std::size_t winning = 0;
};

std::string pile_of(const protocol::Position& position, std::size_t number) {
    const auto found = find_heap(position, number);
    const auto& component = position.components[found.place.component];
    return component.ruleset.text + ":" + to_string(found.heap());
}

// Equal for sums with the same piles in any order.
std::multiset<std::string> unordered_piles(const protocol::Position& position) {
    std::multiset<std::string> piles;
    for (std::size_t number = 1; number <= position.heap_count(); ++number) {
        piles.insert(pile_of(position, number));
    }
    return piles;
}

// The rulesets of which a puzzle is drawn.
protocol::Result<std::vector<Suite::Part>> parts_of(const Asked& asked,
                                                    const PuzzleLevel& level,
                                                    std::mt19937_64& random) {
    std::vector<std::string> texts;
    if (const auto text = text_of(asked.request, "ruleset")) {
        texts.push_back(*text);
    } else {
        const auto guides = engine::ruleset_guides();
        while (texts.size() < level.rulesets) {
            texts.emplace_back(guides[engine::uniform_below(random, guides.size())].example);
        }
    }
    std::vector<Suite::Part> parts;
    for (const std::string& text : texts) {
        auto ruleset = asked.options.names.expand(protocol::RulesetText{text});
        auto rules = engine::find_ruleset(ruleset);
        if (!rules) return rules.error();
        parts.push_back({std::move(ruleset), *std::move(rules)});
    }
    return parts;
}

// A sum of piles of these sizes.
std::optional<Game> draw_sum(const std::vector<Suite::Part>& parts, const PuzzleLevel& level,
                             const Range& size, std::mt19937_64& random) {
    protocol::Position position;
    for (std::size_t pile = 0; pile < level.piles; ++pile) {
        const Suite::Part& part = parts[pile * parts.size() / level.piles];
        protocol::Heap heap = draw_heap(part, size, random);
        for (int draw = 0; !part.ruleset->check_heap(heap); ++draw) {
            if (draw == kHeapDraws) return std::nullopt;
            heap = draw_heap(part, size, random);
        }
        auto& components = position.components;
        if (components.empty() || components.back().ruleset.text != part.text.text) {
            components.push_back({part.text, {}});
        }
        components.back().heaps.push_back(std::move(heap));
    }
    auto game = Game::start(std::move(position));
    if (!game || !game->check_limits()) return std::nullopt;
    return *std::move(game);
}

// How many moves a sum has; nullopt if the budget ends first.
std::optional<engine::Count> moves_of(const Game& game, const engine::Budget& budget) {
    engine::Count moves = 0;
    const protocol::Position& position = game.position();
    std::set<std::string> seen;
    for (std::size_t number = 1; number <= position.heap_count(); ++number) {
        if (!seen.insert(pile_of(position, number)).second) continue;
        const auto followers = followers_of(game, number, budget);
        if (!followers) return std::nullopt;
        moves = engine::saturating_sum(moves, followers->count);
    }
    return moves;
}

// A won position in which at least half of the moves do not win; nullopt for any other.
std::optional<Puzzle> puzzle_of(const Game& game, engine::Count moves,
                                const engine::Analyst& analyst, const engine::Budget& budget) {
    if (analyst.outcome(game, budget) != Outcome::N) return std::nullopt;
    const auto best = analyst.best_moves(game, kMostWinning, budget);
    if (!best || best->moves.empty() || best->cut) return std::nullopt;
    std::set<std::string> winning;
    for (const protocol::Move& move : best->moves) {
        const std::string text = to_string(move);
        winning.insert(pile_of(game.position(), move.heap) + text.substr(text.find('=')));
    }
    if (moves < 2 * winning.size()) return std::nullopt;
    return Puzzle{game.position(), moves, winning.size()};
}

// How far a puzzle is from what the level wants: first in the winning moves, then in all moves.
std::pair<std::size_t, engine::Count> distance(const Puzzle& puzzle, const PuzzleLevel& level) {
    const engine::Count moves = std::clamp(puzzle.moves, level.least, level.most);
    return {puzzle.winning - 1, std::max(moves, puzzle.moves) - std::min(moves, puzzle.moves)};
}

// nullopt: what was drawn is no puzzle, or none that is nearer to the level than `found`.
std::optional<Puzzle> draw_puzzle(const Asked& asked, const std::vector<Suite::Part>& parts,
                                  const PuzzleLevel& level, const Range& size,
                                  const std::optional<Puzzle>& found, std::mt19937_64& random) {
    const auto game = draw_sum(parts, level, size, random);
    if (!game) return std::nullopt;
    const auto budget = asked.budget.at_most(kOnePuzzle);
    const auto moves = moves_of(*game, budget);
    if (!moves) return std::nullopt;
    const Puzzle at_best{{}, *moves, 1};
    if (found && distance(at_best, level) >= distance(*found, level)) return std::nullopt;
    return puzzle_of(*game, *moves, asked.analyst, budget);
}

}  // namespace

Answered ask_puzzle(const Asked& asked) {
    const auto number = number_of(asked.request, "level", 1, kLevels.size());
    if (!number || *number == 0) return {refused("level", "expected a level 1..3")};

    std::multiset<std::string> last;
    if (const auto text = text_of(asked.request, "last")) {
        const auto position = asked.options.names.read_position(*text);
        if (!position) return {ApiError{400, position.error(), "last"}};
        last = unordered_piles(*position);
    }

    const PuzzleLevel& level = kLevels.at(static_cast<std::size_t>(*number) - 1);
    std::mt19937_64 random(asked.drawn);
    std::optional<Puzzle> found, again;
    bool is_wanted = false;
    const engine::Budget enough = asked.budget.at_most(kEnough);
    for (int draw = 0; draw < kPuzzleDraws && !is_wanted && !asked.budget.is_spent(); ++draw) {
        if (found && found->winning == 1 && enough.is_spent()) break;
        const auto parts = parts_of(asked, level, random);
        if (!parts) return {ApiError{400, parts.error(), "ruleset"}};
        const Range& size = draw < kPuzzleDraws / 2 ? level.size : kAnySize;
        const auto puzzle = draw_puzzle(asked, *parts, level, size, found, random);
        if (!puzzle) continue;
        if (unordered_piles(puzzle->position) == last) {
            again = puzzle;
            continue;
        }
        is_wanted = distance(*puzzle, level) == std::pair<std::size_t, engine::Count>();
        if (!found || distance(*puzzle, level) < distance(*found, level)) found = puzzle;
    }
    if (!found) found = again;  // there is no other
    if (!found) {
        constexpr auto kNone =
            "no puzzle of this ruleset and level was found; try another level";
        return {refused("ruleset", kNone, 404), false};
    }
    return {json::object{{"position", to_string(found->position)},
                         {"moves", found->moves},
                         {"winning", found->winning}},
            is_wanted};
}

}  // namespace arena::web
