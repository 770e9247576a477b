#include "engine/heaps/subtraction_table.hpp"

#include <algorithm>

namespace engine {
namespace {

LawPlan laws_of(const TakeSet& set) {
    const Interval& last = set.intervals().back();
    return {.reach = set.is_open() ? last.first - 1 : last.last, .rises = set.is_open()};
}

}  // namespace

SubtractionTable::SubtractionTable(const TakeSet& set)
    : set_(set),
      is_listed_(!SubtractionSweep::is_small(set)),
      sequence_(std::make_unique<SubtractionSweep>(set), laws_of(set), {.listed = is_listed_}) {
}

std::size_t SubtractionTable::most_heaps(Number heap) const {
    constexpr std::size_t kShare = 4;
    const std::size_t bytes = is_listed_ ? 2 + sizeof(std::uint32_t) : 1;
    const std::size_t most = std::min(kMaxHeaps, Memory::limit() / kShare / bytes);
    return heap >= most && laws_of(set_).reach >= most ? std::min(kFewHeaps, most) : most;
}

std::optional<Number> SubtractionTable::value(Number heap, const Budget& budget) const {
    return sequence_.value(heap, budget, most_heaps(heap));
}

std::optional<ProvenLaw> SubtractionTable::law(Number limit, const Budget& budget) const {
    const auto law = sequence_.law(limit, budget, most_heaps(limit));
    if (!law) return std::nullopt;
    return ProvenLaw{*law, set_.is_open() ? "state" : "window", sequence_.known()->heaps()};
}

Count SubtractionTable::count_below(Number end, Number value) const {
    return sequence_.known()->count_below(end, value);
}

Number SubtractionTable::heap_with(Number value, Count index) const {
    return sequence_.known()->heap_with(value, index);
}

}  // namespace engine
