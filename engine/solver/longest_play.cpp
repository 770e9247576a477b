#include "engine/solver/longest_play.hpp"

namespace engine {
namespace {

// Modulo 2^64: lengths may be larger than what a loss can hold, their differences are not.
void add(std::int64_t& sum, std::uint64_t coefficient) {
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + coefficient);
}

}  // namespace

bool is_less(const Loss& left, const Loss& right) {
    auto a = left.begin();
    auto b = right.begin();
    for (; a != left.end() && b != right.end() && *a == *b; ++a, ++b) {
    }
    // The first difference decides; a term that is missing is 0.
    if (a == left.end()) return b != right.end() && b->second > 0;
    if (b == right.end() || a->first > b->first) return a->second < 0;
    if (a->first < b->first) return b->second > 0;
    return a->second < b->second;
}

std::optional<Loss> loss_of(const Heaps& heaps, const Move& move, const Budget& budget) {
    const Heaps::Place& part = heaps[move.heap - 1];
    Loss loss;
    const auto before = part.solver->longest_play(*part.heap, budget);
    if (!before) return std::nullopt;
    for (const auto& [exponent, coefficient] : *before) {
        add(loss[exponent], coefficient);
    }
    for (const Heap& heap : move.result) {
        const auto after = part.solver->longest_play(heap, budget);
        if (!after) return std::nullopt;
        for (const auto& [exponent, coefficient] : *after) {
            add(loss[exponent], -coefficient);
        }
    }
    std::erase_if(loss, [](const auto& term) { return term.second == 0; });
    return loss;
}

std::optional<Move> longest_move(const Heaps& heaps, std::mt19937_64& random,
                                 const Budget& budget) {
    const Loss one{{0, 1}};  // no move loses less
    const std::size_t start = uniform_below(random, heaps.size());
    std::optional<Move> best;
    Loss least;
    for (std::size_t i = 0; i < heaps.size(); ++i) {
        const std::size_t place = (start + i) % heaps.size();
        const Heaps::Place& part = heaps[place];
        const auto length = part.solver->longest_play(*part.heap, budget);
        if (!length || length->empty()) continue;
        auto follower = part.solver->longest_follower(*part.heap, budget);
        if (!follower) continue;
        Move move{place + 1, *std::move(follower)};
        auto loss = loss_of(heaps, move, budget);
        if (!loss || (best && !is_less(*loss, least))) continue;
        best = std::move(move);
        least = *std::move(loss);
        if (least == one) break;
    }
    return best;
}

}  // namespace engine
