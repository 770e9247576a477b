#include "engine/solver/octal_table.hpp"

#include <algorithm>

namespace engine {
namespace {

constexpr std::size_t kStepWork = 1 << 19;  // well below a millisecond
constexpr std::size_t kFirstSearch = 256;

}  // namespace

OctalTable::OctalTable(BreakMoves moves)
    : moves_(std::move(moves)),
      sweep_(std::make_unique<OctalSweep>(moves_)),
      next_search_(std::max<std::size_t>(kFirstSearch, 4 * moves_.last_place())) {
    values_ = sweep_->values();
    if (values_) size_ = checked_ = values_->size();
}

KnownNimbers OctalTable::known() const {
    const std::lock_guard lock(known_mutex_);
    return {values_, size_, law_};
}

std::size_t OctalTable::checked() const {
    const std::lock_guard lock(known_mutex_);
    return checked_;
}

bool OctalTable::grow() const {
    const std::lock_guard growing(growth_mutex_);
    if (!sweep_) return false;
    if (grow_locked()) return true;
    search_.reset();
    sweep_.reset();
    return false;
}

bool OctalTable::grow_locked() const {
    if (search_) {
        Work work{kStepWork};
        if (!search_->advance(work)) return true;
        const auto law = search_->law();
        search_.reset();
        if (law) publish(law);
        return !law;
    }
    const bool grows = sweep_->extend(std::min(next_search_, kMaxHeaps), kStepWork);
    publish(std::nullopt);
    if (!grows || sweep_->size() >= kMaxHeaps) return false;
    if (sweep_->size() < next_search_) return true;

    // A search costs a few nanoseconds a heap; so it does not matter beside the sweep.
    next_search_ += next_search_ / 4;
    if (moves_.unequal) return true;
    search_.emplace(moves_, sweep_->values(), sweep_->size());
    if (!search_->begin()) search_.reset();
    return true;
}

// With a law, the first period is enough; the rest is dropped where there is memory to copy
// the part that is kept.
void OctalTable::publish(std::optional<PeriodLaw> law) const {
    auto values = sweep_->values();
    const std::size_t checked = sweep_->size();
    std::size_t size = checked;
    if (law) {
        size = static_cast<std::size_t>(law->preperiod + law->period);
        if (auto copy = NimberArray::copy(*values, size, size, values->width())) {
            values = std::move(copy);
        }
    }
    const std::lock_guard lock(known_mutex_);
    values_ = std::move(values);
    size_ = size;
    law_ = law;
    checked_ = checked;
}

std::optional<Number> OctalTable::value(Number heap, const Budget& budget) const {
    for (;;) {
        const KnownNimbers seen = known();
        if (seen.has(heap)) return seen.value(heap);
        if (budget.is_spent() || !grow()) {
            const KnownNimbers last = known();
            if (!last.has(heap)) return std::nullopt;
            return last.value(heap);
        }
    }
}

std::optional<PeriodLaw> OctalTable::law(const Budget& budget) const {
    while (!budget.is_spent() && grow()) {
    }
    return known().law();
}

}  // namespace engine
