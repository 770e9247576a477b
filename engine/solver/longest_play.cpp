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

Loss loss_of(const Sum& sum, const Move& move) {
    const Sum::Part& part = sum.parts()[move.heap - 1];
    Loss loss;
    for (const auto& [exponent, coefficient] : part.solver->longest_play(*part.heap)) {
        loss[exponent] += static_cast<std::int64_t>(coefficient);
    }
    for (const Heap& heap : move.result) {
        for (const auto& [exponent, coefficient] : part.solver->longest_play(heap)) {
            loss[exponent] -= static_cast<std::int64_t>(coefficient);
        }
    }
    std::erase_if(loss, [](const auto& term) { return term.second == 0; });
    return loss;
}

Move longest_move(const Sum& sum, std::mt19937_64& random) {
    const Loss one{{0, 1}};  // no move loses less
    const auto& parts = sum.parts();
    const std::size_t start = uniform_below(random, parts.size());
    Move best;
    Loss least;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t place = (start + i) % parts.size();
        const Sum::Part& part = parts[place];
        if (part.solver->longest_play(*part.heap).empty()) continue;
        Move move{place + 1, part.solver->longest_follower(*part.heap)};
        Loss loss = loss_of(sum, move);
        if (!best.result.empty() && !is_less(loss, least)) continue;
        best = std::move(move);
        least = std::move(loss);
        if (least == one) break;
    }
    return best;
}

}  // namespace engine
