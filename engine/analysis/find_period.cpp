#include "engine/analysis/find_period.hpp"

#include <algorithm>

#include "engine/solver/memory.hpp"

namespace engine {
namespace {

constexpr Number kMostShown = Number{1} << 24;
// From fewer heaps nothing is concluded, unless fewer are asked for.
constexpr Number kFewest = 64;

void add_details(PeriodFinding& finding, std::span<const Number> values) {
    const SequenceLaw& law = *finding.law;
    finding.exceptions = exceptions(values, law);
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(law.preperiod);
    finding.period_values.assign(first, first + static_cast<std::ptrdiff_t>(law.period));
}

SequenceLaw as_sequence_law(const PeriodLaw& law) {
    const auto kind =
        law.saltus == 0 ? SequenceLaw::Kind::Periodic : SequenceLaw::Kind::Arithmetic;
    return {kind, law.preperiod, law.period, law.saltus};
}

// Half of the time at least is left for looking at the values.
Budget for_proofs(const Budget& budget) {
    Budget first = budget;
    const auto now = std::chrono::steady_clock::now();
    if (budget.deadline > now &&
        budget.deadline != std::chrono::steady_clock::time_point::max()) {
        first.deadline = now + (budget.deadline - now) / 2;
    }
    return first;
}

// Asks for more and more heaps, so that progress can be told.
std::optional<ProvenLaw> prove(const HeapSolver& solver, Number limit, const Budget& budget,
                               const Progress& progress) {
    constexpr Number kFirst = 1024;
    for (Number heaps = std::min(kFirst, limit);; heaps = std::min(heaps + heaps / 4, limit)) {
        if (auto proven = solver.law(heaps, budget)) return proven;
        if (heaps == limit || budget.is_spent()) return std::nullopt;
        progress(heaps);
    }
}

}  // namespace

std::vector<Number> first_nimbers(const HeapSolver& solver, Number count, const Budget& budget,
                                  const Progress& progress) {
    constexpr Number kStep = 1024;
    std::vector<Number> values;
    Reservation memory;
    for (Number heap = 0; heap < count; ++heap) {
        if (heap == values.capacity()) {
            const std::size_t more = std::max<std::size_t>(kStep, 2 * values.capacity());
            if (!memory.resize(more * sizeof(Number))) break;
            values.reserve(more);
        }
        const auto nimber = solver.nimber(Heap(heap), budget);
        const auto* value = nimber ? std::get_if<std::uint64_t>(&*nimber) : nullptr;
        if (value == nullptr) break;
        values.push_back(*value);
        if (heap % kStep == 0) progress(heap);
    }
    return values;
}

PeriodFinding find_period(std::span<const Number> values, const Budget& budget) {
    PeriodFinding finding{classify(values, budget), std::nullopt, values.size(), {}, {}};
    if (finding.law) add_details(finding, values);
    return finding;
}

PeriodFinding find_period(const HeapSolver& solver, Number limit, const Budget& budget,
                          const Progress& progress) {
    const auto proven = prove(solver, limit, for_proofs(budget), progress);
    if (!proven) {
        const auto values = first_nimbers(solver, limit, budget, progress);
        if (values.size() >= std::min(limit, kFewest)) return find_period(values, Budget{});
        return {std::nullopt, std::nullopt, values.size(), {}, {}};
    }
    PeriodFinding finding{as_sequence_law(proven->law), proven->theorem, proven->heaps, {}, {}};
    const auto& [preperiod, period, saltus] = proven->law;
    if (preperiod > kMostShown || period > kMostShown) return finding;

    const auto values = first_nimbers(solver, preperiod + period, Budget{}, progress);
    if (values.size() < preperiod + period) return finding;
    finding.law->preperiod = least_preperiod(values, *finding.law);
    add_details(finding, values);
    return finding;
}

}  // namespace engine
