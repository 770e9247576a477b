#include "arena/contest/player_statistics.hpp"

#include <fmt/format.h>

#include <functional>

namespace arena {

void DecisionCount::add(std::string_view position, bool mistake) {
    ++decisions_;
    mistakes_ += mistake ? 1 : 0;
    const std::uint64_t hash = std::hash<std::string_view>()(position);
    auto found = positions_.find(hash);
    if (found == positions_.end()) {
        if (positions_.size() >= kMaxPositions) {
            ++beyond_;
            beyond_mistakes_ += mistake ? 1 : 0;
            return;
        }
        found = positions_.emplace(hash, Seen{}).first;
        wrong_positions_ += mistake ? 1 : 0;
    } else {
        ++repeats_;
    }
    Seen& seen = found->second;
    ++(mistake ? seen.wrong : seen.right);
    varied_ = varied_ || (seen.right > 0 && seen.wrong > 0);
}

ErrorRate DecisionCount::error_rate() const {
    ErrorRate result;
    result.beyond = beyond_;
    if (varied_) {
        result.decisions = decisions_ - beyond_;
        result.mistakes = mistakes_ - beyond_mistakes_;
    } else {
        result.decisions = positions_.size();
        result.mistakes = wrong_positions_;
        result.repeats = repeats_;
    }
    if (result.decisions > 0) {
        result.rate =
            static_cast<double>(result.mistakes) / static_cast<double>(result.decisions);
    }
    result.interval = clopper_pearson(result.mistakes, result.decisions);
    return result;
}

std::string to_string(const ErrorRate& rate) {
    if (rate.decisions == 0) return "unknown";
    return fmt::format("{:.2f} [{:.2f}, {:.2f}]", rate.rate, rate.interval.low,
                       rate.interval.high);
}

}  // namespace arena
