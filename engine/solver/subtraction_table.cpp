#include "engine/solver/subtraction_table.hpp"

#include <algorithm>

#include "engine/solver/subtraction_law.hpp"

namespace engine {
namespace {

constexpr std::size_t kFirstHeaps = 1024;
constexpr std::size_t kStepWork = 1 << 18;  // a millisecond or so: how long others wait

bool is_final(const ValueIndex& known) {
    return known.law() || known.size() >= SubtractionTable::kMaxHeaps;
}

}  // namespace

SubtractionTable::SubtractionTable(const TakeSet& set)
    : set_(set),
      known_(std::make_shared<ValueIndex>(std::vector<std::uint32_t>(), std::nullopt)),
      sweep_(std::in_place, set) {}

std::shared_ptr<const ValueIndex> SubtractionTable::known() const {
    const std::lock_guard lock(known_mutex_);
    return known_;
}

std::optional<Number> SubtractionTable::value(Number heap, const Budget& budget) const {
    for (;;) {
        const auto seen = known();
        if (const auto value = seen->value(heap)) return value;
        if (is_final(*seen) || budget.is_spent()) return std::nullopt;
        grow(*seen, budget);
    }
}

std::optional<ProvenLaw> SubtractionTable::law(Number limit, const Budget& budget) const {
    for (;;) {
        const auto seen = known();
        if (seen->law()) {
            return ProvenLaw{*seen->law(), set_.is_open() ? "state" : "window", seen->heaps()};
        }
        if (is_final(*seen) || seen->size() >= limit || budget.is_spent()) return std::nullopt;
        grow(*seen, budget);
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
void SubtractionTable::grow(const ValueIndex& seen, const Budget& budget) const {
    const std::lock_guard growing(growth_mutex_);
    if (known().get() != &seen) return;  // another thread was faster

    const std::size_t target = std::clamp(2 * seen.size(), kFirstHeaps, kMaxHeaps);
    const std::size_t step = std::max<std::size_t>(kStepWork / sweep_->cost(), 1);
    sweep_->extend(std::min(target, sweep_->values().size() + step));
    bytes_ = seen.bytes() + sweep_->bytes();
    if (sweep_->values().size() < target) return;

    const auto law = prove_law(set_, sweep_->values(), budget);
    if (!law && budget.is_spent()) return;
    auto next = std::make_shared<const ValueIndex>(sweep_->values(), law);
    if (is_final(*next)) sweep_.reset();
    bytes_ = next->bytes() + (sweep_ ? sweep_->bytes() : 0);

    const std::lock_guard lock(known_mutex_);
    known_ = std::move(next);
}

}  // namespace engine
