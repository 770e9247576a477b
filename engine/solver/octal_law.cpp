#include "engine/solver/octal_law.hpp"

#include <algorithm>

namespace engine {

Number LawSearch::heaps_needed(const BreakMoves& moves, Number preperiod, Number period) {
    return moves.most_heaps() * (std::max<Number>(preperiod, 1) + period) + moves.last_place();
}

LawSearch::LawSearch(const BreakMoves& moves, std::shared_ptr<const NimberArray> values,
                     std::size_t size)
    : values_(std::move(values)), size_(size), moves_(moves) {
    const Number least = heaps_needed(moves, 0, 0);
    if (!moves.unequal && size_ > least) {
        last_period_ = static_cast<std::size_t>((size_ - least) / moves.most_heaps());
    }
}

bool LawSearch::begin() {
    if (!memory_.resize((last_period_ + 1) * sizeof(std::uint32_t))) return false;
    matches_.resize(last_period_ + 1);
    return true;
}

bool LawSearch::advance(Work& work) {
    return values_->visit([&](const auto* values) {
        const auto* const last = values + size_ - 1;
        for (; period_ <= last_period_; ++period_) {
            if (!matching_) {
                matching_ = true;
                match_ = period_ < right_ ? std::min<std::size_t>(right_ - period_,
                                                                  matches_[period_ - left_])
                                          : 0;
            }
            const std::size_t longest = size_ - period_;
            const std::size_t begun = match_;
            const std::size_t pause = std::min(
                longest,
                match_ + static_cast<std::size_t>(std::max<std::ptrdiff_t>(work.left, 1)));
            while (match_ < pause && *(last - match_) == *(last - match_ - period_)) ++match_;
            work.spend(match_ - begun + 1);
            if (match_ == pause && pause < longest) return false;
            matching_ = false;
            matches_[period_] = static_cast<std::uint32_t>(match_);
            if (period_ + match_ > right_) {
                left_ = period_;
                right_ = period_ + match_;
            }
            if (heaps_needed(moves_, longest - match_, period_) <= size_) {
                law_ = PeriodLaw{longest - match_, period_, 0};
                return true;
            }
            if (work.is_spent()) {
                ++period_;
                return period_ > last_period_;
            }
        }
        return true;
    });
}

}  // namespace engine
