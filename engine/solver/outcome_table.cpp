#include "engine/solver/outcome_table.hpp"

#include <algorithm>

namespace engine {

std::optional<bool> OutcomeTable::is_p_position(Number heap, const Budget& budget) const {
    constexpr std::size_t kShare = 4;
    constexpr std::size_t kStep = std::size_t{1} << 18;
    if (heap / 8 >= Memory::limit() / kShare) return std::nullopt;
    const auto wanted = static_cast<std::size_t>(heap);
    while (!budget.is_spent()) {
        const std::unique_lock lock(mutex_, std::chrono::milliseconds(1));
        if (!lock) continue;
        if (wanted < sweep_.size()) return sweep_.is_p_position(wanted);
        if (!sweep_.reserve(wanted + 1)) return std::nullopt;
        sweep_.extend(std::min(wanted + 1, sweep_.size() + kStep));
    }
    return std::nullopt;
}

}  // namespace engine
