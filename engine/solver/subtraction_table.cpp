#include "engine/solver/subtraction_table.hpp"

#include <algorithm>

#include "engine/solver/memory.hpp"
#include "engine/solver/subtraction_law.hpp"

namespace engine {
namespace {

constexpr std::size_t kFirstHeaps = 1024;
constexpr std::size_t kStepWork = 1 << 18;  // a millisecond or so: how long others wait

}  // namespace

SubtractionTable::SubtractionTable(const TakeSet& set)
    : set_(set),
      is_listed_(!SubtractionSweep::is_small(set)),
      known_(ValueIndex::make(NimberArray::make(0, NimberArray::Width::Byte), 0, std::nullopt,
                              false)),
      sweep_(std::in_place, set) {}

std::shared_ptr<const ValueIndex> SubtractionTable::known() const {
    const std::lock_guard lock(known_mutex_);
    return known_;
}

std::size_t SubtractionTable::most_heaps(Number heap) const {
    constexpr std::size_t kShare = 4;
    const std::size_t bytes = is_listed_ ? 2 + sizeof(std::uint32_t) : 1;
    const std::size_t most = std::min(kMaxHeaps, Memory::limit() / kShare / bytes);
    const Interval& last = set_.intervals().back();
    const Number window = set_.is_open() ? last.first - 1 : last.last;
    return heap >= most && window >= most ? std::min(kFewHeaps, most) : most;
}

std::optional<Number> SubtractionTable::value(Number heap, const Budget& budget) const {
    for (;;) {
        const auto seen = known();
        if (const auto value = seen->value(heap)) return value;
        if (budget.is_spent() || !grow(*seen, most_heaps(heap), budget)) return std::nullopt;
    }
}

std::optional<ProvenLaw> SubtractionTable::law(Number limit, const Budget& budget) const {
    for (;;) {
        const auto seen = known();
        if (seen->law()) {
            return ProvenLaw{*seen->law(), set_.is_open() ? "state" : "window", seen->heaps()};
        }
        if (seen->size() >= limit || budget.is_spent()) return std::nullopt;
        if (!grow(*seen, most_heaps(limit), budget)) return std::nullopt;
    }
}

Count SubtractionTable::count_below(Number end, Number value) const {
    return known()->count_below(end, value);
}

Number SubtractionTable::heap_with(Number value, Count index) const {
    return known()->heap_with(value, index);
}

// The table doubles, in steps; at each doubling a law is looked for, and what is known
// published.
bool SubtractionTable::grow(const ValueIndex& seen, std::size_t most,
                            const Budget& budget) const {
    const std::unique_lock growing(growth_mutex_, std::chrono::milliseconds(1));
    if (!growing || known().get() != &seen) return true;  // another thread is at it

    if (seen.size() == target_) {
        const std::size_t heaps = std::max(2 * target_, kFirstHeaps);
        if (heaps > most || !sweep_->reserve(heaps)) return false;
        target_ = heaps;
    }
    const std::size_t step = std::max<std::size_t>(kStepWork / sweep_->cost(), 1);
    const bool extended = sweep_->extend(std::min(target_, sweep_->size() + step));
    if (!extended) target_ = sweep_->size();
    if (sweep_->size() < target_) return true;

    const auto law = prove_law(set_, *sweep_->values(), target_, budget);
    if (!law && budget.is_spent()) return true;
    auto next = ValueIndex::make(sweep_->values(), target_, law, is_listed_);
    if (next == nullptr) return false;
    if (law) sweep_.reset();
    const std::lock_guard lock(known_mutex_);
    known_ = std::move(next);
    return extended;
}

}  // namespace engine
