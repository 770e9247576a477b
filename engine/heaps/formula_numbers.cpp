#include "engine/heaps/formula_numbers.hpp"

#include <algorithm>

#include "engine/base/turn.hpp"

namespace engine {

std::optional<std::uint64_t> RulesNumbers::nimber(Number heap, const Budget& budget) const {
    const auto turn = take_turn(mutex_, budget);
    if (!turn) return std::nullopt;
    if (heap >= kMaxHeaps) return std::nullopt;
    while (nimbers_.size() <= heap) {
        if (grows_ || !add_next(budget)) return std::nullopt;
    }
    return nimbers_[heap];
}

bool RulesNumbers::add_next(const Budget& budget) const {
    const Number heap = nimbers_.size();
    if (!make_room(nimbers_, 1, memory_)) return false;
    if (heap % 64 == 0 && budget.is_spent()) return false;  // heaps without a move visit none
    const auto mark = static_cast<std::uint32_t>(heap + 1);
    const bool all = rules_->visit_moves({&heap, 1}, [&](const rules::MoveBlock& block) {
        if (budget.is_spent()) return false;
        for (std::size_t i = 0; i < block.count; ++i) {
            std::uint32_t sum = 0;
            for (const Number part : block.row(i)) {
                grows_ = grows_ || part >= heap;
                if (grows_) return false;
                sum ^= nimbers_[part];
            }
            if (sum >= seen_.size()) seen_.resize(2 * sum + 64);
            seen_[sum] = mark;
        }
        return true;
    });
    if (!all) return false;
    std::uint32_t mex = 0;
    while (mex < seen_.size() && seen_[mex] == mark) ++mex;
    nimbers_.push_back(mex);
    return true;
}

}  // namespace engine
