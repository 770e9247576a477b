#include "engine/solver/rules_numbers.hpp"

#include <algorithm>

namespace engine {

using namespace std::chrono_literals;

std::optional<std::uint64_t> RulesNumbers::nimber(Number heap, const Budget& budget) const {
    std::unique_lock lock(mutex_, std::defer_lock);
    while (!lock.try_lock_for(1ms)) {
        if (budget.is_spent()) return std::nullopt;
    }
    if (heap >= kMaxHeaps) return std::nullopt;
    while (nimbers_.size() <= heap) {
        if (grows_ || !add_next(budget)) return std::nullopt;
    }
    return nimbers_[heap];
}

bool RulesNumbers::add_next(const Budget& budget) const {
    const Number heap = nimbers_.size();
    if (nimbers_.size() == nimbers_.capacity()) {
        const std::size_t room = std::max<std::size_t>(1024, 2 * nimbers_.capacity());
        if (!memory_.resize((2 * room + seen_.size()) * sizeof(std::uint32_t))) return false;
        nimbers_.reserve(room);
    }
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
