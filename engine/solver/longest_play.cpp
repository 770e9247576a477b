#include "engine/solver/longest_play.hpp"

namespace engine {

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

std::optional<Loss> loss_of(const Sum& sum, const Move& move) {
    const Sum::Part& part = sum.parts()[move.heap - 1];
    Loss loss;
    const auto before = part.solver->longest_play(*part.heap, sum.budget());
    if (!before) return std::nullopt;
    for (const auto& [exponent, coefficient] : *before) {
        loss[exponent] += static_cast<std::int64_t>(coefficient);
    }
    for (const Heap& heap : move.result) {
        const auto after = part.solver->longest_play(heap, sum.budget());
        if (!after) return std::nullopt;
        for (const auto& [exponent, coefficient] : *after) {
            loss[exponent] -= static_cast<std::int64_t>(coefficient);
        }
    }
    std::erase_if(loss, [](const auto& term) { return term.second == 0; });
    return loss;
}

std::optional<Move> longest_move(const Sum& sum, std::mt19937_64& random) {
    const Loss one{{0, 1}};  // no move loses less
    const auto& parts = sum.parts();
    const std::size_t start = uniform_below(random, parts.size());
    std::optional<Move> best;
    Loss least;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t place = (start + i) % parts.size();
        const Sum::Part& part = parts[place];
        const auto length = part.solver->longest_play(*part.heap, sum.budget());
        if (!length || length->empty()) continue;
        auto follower = part.solver->longest_follower(*part.heap, sum.budget());
        if (!follower) continue;
        Move move{place + 1, *std::move(follower)};
        auto loss = loss_of(sum, move);
        if (!loss || (best && !is_less(*loss, least))) continue;
        best = std::move(move);
        least = *std::move(loss);
        if (least == one) break;
    }
    return best;
}

}  // namespace engine
