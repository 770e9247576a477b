#include "engine/sums/longest_play.hpp"

#include <algorithm>

#include "engine/rules/moves.hpp"
#include "engine/sums/solution.hpp"

namespace engine {
namespace {

// Modulo 2^64: sums of sizes may be larger than what a loss can hold, their differences are
// not.
std::uint64_t size_of(const Heap& heap) {
    if (const auto* number = std::get_if<Number>(&heap)) return *number;
    if (std::holds_alternative<Ordinal>(heap)) return protocol::kMaxNumber;
    const auto* tuple = std::get_if<Tuple>(&heap);
    std::uint64_t sum = 0;
    if (tuple == nullptr) return sum;
    for (const Number entry : tuple->entries) sum += entry;
    return sum;
}

}  // namespace

LookAhead::Loss LookAhead::loss(const Move& move) {
    const auto& [solver, rules, heap] = heaps_[move.heap - 1];
    int moves = longest(*rules, *heap, kMostMoves);
    std::uint64_t size = size_of(*heap);
    int left = 0;
    for (const Heap& part : move.result) {
        left += longest(*rules, part, kMostMoves - left);
        size -= size_of(part);
    }
    return {moves - left, static_cast<std::int64_t>(size)};
}

int LookAhead::longest(const Ruleset& rules, const Heap& heap, int most) {
    if (most <= 0 || !rules.has_move(heap)) return 0;
    const auto known = known_.find({&rules, heap});
    if (known != known_.end()) {
        const auto [moves, followed] = known->second;
        if (moves < followed || most <= followed) return std::min(moves, most);
    }
    const int moves = search(rules, heap, most);
    known_[{&rules, heap}] = {moves, most};
    return moves;
}

// In most rulesets the moves that take least are at one of the two ends of the list, so moves
// are tested from both ends.
int LookAhead::search(const Ruleset& rules, const Heap& heap, int most) {
    constexpr Count kFollowers = 64;
    if (is_spent() || !rules.check_heap(heap)) return 1;
    const auto followers = find_followers(rules, heap, budget_);
    if (!followers) return 1;
    int best = 1;
    for (Count i = 0; i < std::min(followers->count, kFollowers); ++i) {
        if (best >= most || is_spent()) break;
        looked_ += text_units(heap);
        int moves = 1;
        for (const Heap& part :
             followers->at(i % 2 == 0 ? i / 2 : followers->count - 1 - i / 2))
            moves += longest(rules, part, most - moves);
        best = std::max(best, moves);
    }
    return best;
}

Move longest_move(const Game& game, const std::vector<Move>& moves, std::mt19937_64& random,
                  const Budget& budget) {
    LookAhead ahead(game, budget);
    std::vector<const Move*> best;
    LookAhead::Loss least;
    for (const Move& move : moves) {
        const auto loss = ahead.loss(move);
        if (ahead.is_spent()) break;
        if (!best.empty() && least < loss) continue;
        if (!best.empty() && loss < least) best.clear();
        best.push_back(&move);
        least = loss;
    }
    if (best.empty()) return moves[uniform_below(random, moves.size())];
    return *best[uniform_below(random, best.size())];
}

}  // namespace engine
