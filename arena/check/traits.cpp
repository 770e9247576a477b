// Two passes: widen() collects what occurs in the set of positions, finish() then makes a trait
// for each property that can differ in it, such as "three heaps are left" or "the largest heap
// holds 5 or more". A position becomes a bit set of its traits, which patterns.cpp counts.
// Traits must be words that a student can act on, so they are few and simple; combinations of
// two are made in patterns.cpp.
//
// For moves the traits are fixed. Their share by chance comes from the other mistakes that were
// possible in the same position: else "takes from the largest heap" would describe every bot.
#include "arena/check/patterns.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena {
namespace {

using engine::Game;
using engine::Move;
using protocol::Heap;

constexpr std::size_t kMostNamed = 6;         // rulesets
constexpr std::size_t kMostCounted = 6;       // heaps
constexpr std::size_t kMostLegalMoves = 500;  // to compare a mistake with

std::uint64_t stones_in_all(const std::vector<Heap>& heaps) {
    std::uint64_t sum = 0;
    for (const Heap& heap : heaps) sum += stones_of(heap);
    return sum;
}

bool is_whole_heap(const Move& move) {
    return move.result.size() == 1 && protocol::is_zero(move.result.front());
}

}  // namespace

std::uint64_t stones_of(const Heap& heap) {
    if (const auto* number = std::get_if<protocol::Number>(&heap)) return *number;
    if (const auto* tuple = std::get_if<protocol::Tuple>(&heap)) {
        return std::accumulate(tuple->entries.begin(), tuple->entries.end(), std::uint64_t{0});
    }
    if (const auto* vertex = std::get_if<protocol::Vertex>(&heap)) {
        return static_cast<std::uint64_t>(std::ranges::count(vertex->name, 'o'));
    }
    return protocol::kMaxNumber;  // an ordinal
}

std::uint64_t stones_of(const protocol::Position& position) {
    std::uint64_t sum = 0;
    for (const protocol::Component& component : position.components) {
        sum += stones_in_all(component.heaps);
    }
    return sum;
}

// ---- facts ----

PositionFacts::PositionFacts(const Game& game, std::vector<Move> right_moves)
    : right(std::move(right_moves)) {
    const protocol::Position& position = game.position();
    is_misere = position.convention == protocol::Convention::Misere;
    std::set<std::pair<std::string_view, Heap>> seen;
    std::size_t number = 0;
    std::size_t equal = 0;
    for (std::size_t i = 0; i < position.components.size(); ++i) {
        const protocol::Component& component = position.components[i];
        rulesets.insert(component.ruleset.text);
        for (const Heap& heap : component.heaps) {
            ++number;
            const bool is_empty = protocol::is_zero(heap);
            has_empty = has_empty || is_empty;
            begins_empty = begins_empty || (is_empty && number == 1);
            if (!game.ruleset(i)->has_move(heap)) continue;
            heaps.push_back({number, stones_of(heap)});
            if (!seen.emplace(component.ruleset.text, heap).second) ++equal;
        }
    }
    has_equal = equal > 0;
    all_equal = heaps.size() > 1 && equal + 1 == heaps.size();
    for (const HeapFacts& heap : heaps) {
        stones += heap.stones;
        largest = std::max(largest, heap.stones);
    }
    for (const Move& move : right) {
        const auto before = stones_of(find_heap(position, move.heap).heap());
        const auto after = stones_in_all(move.result);
        taken.push_back(before > after ? before - after : 0);
        right_clears = right_clears || is_whole_heap(move);
    }
}

namespace {

bool has_right_in(const PositionFacts& facts, std::size_t heap) {
    return std::ranges::any_of(facts.right,
                               [&](const Move& move) { return move.heap == heap; });
}

bool has_right_in_largest(const PositionFacts& facts) {
    return std::ranges::any_of(facts.heaps, [&](const auto& heap) {
        return heap.stones == facts.largest && has_right_in(facts, heap.number);
    });
}

std::size_t heaps_from(const PositionFacts& facts, std::uint64_t stones) {
    return static_cast<std::size_t>(std::ranges::count_if(
        facts.heaps, [&](const auto& heap) { return heap.stones >= stones; }));
}

std::uint64_t least_taken(const PositionFacts& facts) {
    return facts.taken.empty() ? 0 : *std::ranges::min_element(facts.taken);
}

std::string number_word(std::size_t number) {
    constexpr std::array<std::string_view, 7> kWords{"no",   "one",  "two", "three",
                                                     "four", "five", "six"};
    return number < kWords.size() ? std::string(kWords[number]) : std::to_string(number);
}

}  // namespace

// ---- traits of positions ----

void PositionTraits::widen(const PositionFacts& facts) {
    heap_counts_.insert(facts.heaps.size());
    largest_ = std::max(largest_, facts.largest);
    (facts.is_misere ? has_misere_ : has_normal_) = true;
    rulesets_.insert(facts.rulesets.begin(), facts.rulesets.end());
}

void PositionTraits::finish(bool has_right_moves) {
    add_kinds();
    add_counts();
    add_sizes();
    if (has_right_moves) add_right_moves();
}

void PositionTraits::add(std::string holds, std::string fails, Test test) {
    if (words_.size() == kMostTraits) return;
    words_.push_back({std::move(holds), std::move(fails)});
    tests_.push_back(std::move(test));
}

void PositionTraits::add_kinds() {
    if (has_misere_ && has_normal_) {
        add("play is misere", "play is normal", &PositionFacts::is_misere);
    }
    if (rulesets_.size() < 2 || rulesets_.size() > kMostNamed) return;
    for (const std::string& ruleset : rulesets_) {
        const std::string shown = protocol::printable(ruleset, 40);
        add("there is a heap of " + shown, "there is no heap of " + shown,
            [ruleset](const PositionFacts& facts) { return facts.rulesets.contains(ruleset); });
    }
}

void PositionTraits::add_counts() {
    if (heap_counts_.empty()) return;
    const std::size_t least = *heap_counts_.begin();
    const std::size_t most = *heap_counts_.rbegin();
    for (const std::size_t count : heap_counts_) {
        if (count > kMostCounted) break;
        const std::string word = number_word(count);
        if (count > least) {
            add(fmt::format("{} heaps {}are left", word, count < most ? "or more " : ""),
                count == 2 ? "one heap is left"
                           : fmt::format("fewer than {} heaps are left", word),
                [count](const PositionFacts& facts) { return facts.heaps.size() >= count; });
        }
        if (count > least && count < most) {
            add(fmt::format("{} heaps are left", word),
                fmt::format("more or fewer than {} heaps are left", word),
                [count](const PositionFacts& facts) { return facts.heaps.size() == count; });
        }
    }
    add("a heap is empty", "no heap is empty", &PositionFacts::has_empty);
    add("the first heap is empty", "the first heap is not empty", &PositionFacts::begins_empty);
    add("two heaps are equal", "no two heaps are equal", &PositionFacts::has_equal);
    add("all heaps are equal", "not all heaps are equal", &PositionFacts::all_equal);
}

void PositionTraits::add_sizes() {
    add("every heap holds 1", "some heap holds 2 or more",
        [](const PositionFacts& facts) { return facts.largest <= 1; });
    add("exactly one heap holds 2 or more", "no heap, or several, hold 2 or more",
        [](const PositionFacts& facts) { return heaps_from(facts, 2) == 1; });
    add("two heaps or more hold 2 or more", "at most one heap holds 2 or more",
        [](const PositionFacts& facts) { return heaps_from(facts, 2) >= 2; });
    for (const std::uint64_t size : {3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 32, 64, 128, 256, 1024}) {
        if (size > largest_) break;
        add(fmt::format("some heap holds {} or more", size),
            fmt::format("no heap holds {} or more", size),
            [size](const PositionFacts& facts) { return facts.largest >= size; });
    }
    add("the heaps are in ascending order", "the heaps are not in ascending order",
        [](const PositionFacts& facts) {
            return std::ranges::is_sorted(facts.heaps, {}, &PositionFacts::HeapFacts::stones);
        });
    add("the first heap left is the largest", "another heap than the first is the largest",
        [](const PositionFacts& facts) {
            return !facts.heaps.empty() && facts.heaps.front().stones == facts.largest;
        });
    add("the number of stones is odd", "the number of stones is even",
        [](const PositionFacts& facts) { return facts.stones % 2 == 1; });
}

void PositionTraits::add_right_moves() {
    add("a single move is right", "several moves are right",
        [](const PositionFacts& facts) { return facts.right.size() == 1; });
    add("no right move is in the first heap left", "a right move is in the first heap left",
        [](const PositionFacts& facts) {
            return !facts.heaps.empty() && !has_right_in(facts, facts.heaps.front().number);
        });
    add("no right move is in the last heap left", "a right move is in the last heap left",
        [](const PositionFacts& facts) {
            return !facts.heaps.empty() && !has_right_in(facts, facts.heaps.back().number);
        });
    add("no right move is in the largest heap", "a right move is in the largest heap",
        [](const PositionFacts& facts) { return !has_right_in_largest(facts); });
    add("no right move takes a whole heap", "a right move takes a whole heap",
        [](const PositionFacts& facts) { return !facts.right_clears; });
    add("no right move takes one stone", "a right move takes one stone",
        [](const PositionFacts& facts) { return std::ranges::count(facts.taken, 1) == 0; });
    for (const std::uint64_t count : {3, 4, 5}) {
        add(fmt::format("every right move takes {} stones or more", count),
            fmt::format("a right move takes fewer than {} stones", count),
            [count](const PositionFacts& facts) { return least_taken(facts) >= count; });
    }
}

std::uint64_t PositionTraits::of(const PositionFacts& facts) const {
    std::uint64_t traits = 0;
    for (std::size_t i = 0; i < tests_.size(); ++i) {
        if (tests_[i](facts)) traits |= std::uint64_t{1} << i;
    }
    return traits;
}

// ---- traits of moves ----

namespace {

// A position, and the moves with which its mistakes are compared.
struct MoveContext {
    const Game& game;
    const PositionFacts& facts;
    std::vector<Move> elsewhere;  // the right moves under the other convention
};

std::vector<Move> right_elsewhere(const Game& game, const engine::Analyst& analyst,
                                  const engine::Budget& budget) {
    protocol::Position position = game.position();
    position.convention = position.convention == protocol::Convention::Misere
                              ? protocol::Convention::Normal
                              : protocol::Convention::Misere;
    const auto other = Game::start(std::move(position));
    if (!other || analyst.outcome(*other, budget) != engine::Outcome::N) return {};
    auto best = analyst.best_moves(*other, kMostLegalMoves, budget);
    if (!best) return {};
    return std::move(best->moves);
}

bool holds_move(const std::vector<Move>& moves, const Move& move) {
    return std::ranges::find(moves, move) != moves.end();
}

// Whether the move with one stone more, or less, in the heap is right.
bool is_right_with(const PositionFacts& facts, const Move& move, int more) {
    if (move.result.size() != 1) return false;
    const auto* left = std::get_if<protocol::Number>(&move.result.front());
    if (left == nullptr || (more < 0 && *left == 0)) return false;
    return holds_move(facts.right, {move.heap, {more < 0 ? *left - 1 : *left + 1}});
}

bool leaves_equal_heaps(const Game& game, const Move& move) {
    Game after = game;
    after.play(move);
    return PositionFacts(after, {}).has_equal;
}

std::uint64_t stones_in(const Game& game, const Move& move) {
    return stones_of(find_heap(game.position(), move.heap).heap());
}

std::uint64_t smallest(const PositionFacts& facts) {
    return std::ranges::min_element(facts.heaps, {}, &PositionFacts::HeapFacts::stones)->stones;
}

struct MoveTrait {
    std::string_view words;
    bool (*test)(const MoveContext& context, const Move& move);
};

constexpr std::array<MoveTrait, 12> kMoveTraits{{
    {"takes from the first heap left",
     [](const MoveContext& context, const Move& move) {
         return move.heap == context.facts.heaps.front().number;
     }},
    {"takes from the last heap left",
     [](const MoveContext& context, const Move& move) {
         return move.heap == context.facts.heaps.back().number;
     }},
    {"takes from the largest heap",
     [](const MoveContext& context, const Move& move) {
         return stones_in(context.game, move) == context.facts.largest;
     }},
    {"takes from the smallest heap",
     [](const MoveContext& context, const Move& move) {
         return stones_in(context.game, move) == smallest(context.facts);
     }},
    {"takes a whole heap",
     [](const MoveContext&, const Move& move) { return is_whole_heap(move); }},
    {"takes one stone",
     [](const MoveContext& context, const Move& move) {
         return stones_in(context.game, move) == stones_in_all(move.result) + 1;
     }},
    {"leaves two equal heaps",
     [](const MoveContext& context, const Move& move) {
         return leaves_equal_heaps(context.game, move);
     }},
    {"takes one stone too few",
     [](const MoveContext& context, const Move& move) {
         return is_right_with(context.facts, move, -1);
     }},
    {"takes one stone too many",
     [](const MoveContext& context, const Move& move) {
         return is_right_with(context.facts, move, 1);
     }},
    {"makes a move that would be right if play were normal",
     [](const MoveContext& context, const Move& move) {
         return context.facts.is_misere && holds_move(context.elsewhere, move);
     }},
    {"makes a move that would be right if play were misere",
     [](const MoveContext& context, const Move& move) {
         return !context.facts.is_misere && holds_move(context.elsewhere, move);
     }},
    {"splits a heap",
     [](const MoveContext&, const Move& move) { return move.result.size() > 1; }},
}};
static_assert(kMoveTraits.size() <= kMostMoveTraits);

std::uint32_t move_traits(const MoveContext& context, const Move& move) {
    std::uint32_t traits = 0;
    for (std::size_t i = 0; i < kMoveTraits.size(); ++i) {
        if (kMoveTraits[i].test(context, move)) traits |= std::uint32_t{1} << i;
    }
    return traits;
}

}  // namespace

std::string_view move_trait(std::size_t number) { return kMoveTraits[number].words; }

std::optional<MoveCase> describe_mistake(const Game& game, const PositionFacts& facts,
                                         const Move& move, const engine::Analyst& analyst,
                                         const engine::Budget& budget) {
    if (facts.heaps.empty() || game.move_count() > kMostLegalMoves) return std::nullopt;
    const MoveContext context{game, facts, right_elsewhere(game, analyst, budget)};
    MoveCase mistake{move_traits(context, move), {}};
    std::array<std::size_t, kMostMoveTraits> with{};
    std::size_t mistakes = 0;
    for (const Move& other : game.moves(kMostLegalMoves)) {
        if (holds_move(facts.right, other)) continue;
        ++mistakes;
        const std::uint32_t traits = move_traits(context, other);
        for (std::size_t i = 0; i < kMoveTraits.size(); ++i) with[i] += traits >> i & 1;
    }
    if (mistakes == 0) return std::nullopt;
    for (std::size_t i = 0; i < kMoveTraits.size(); ++i) {
        mistake.chance[i] = static_cast<float>(with[i]) / static_cast<float>(mistakes);
    }
    return mistake;
}

}  // namespace arena
