// First the solver is asked for a proof over more and more heaps. If there is none, the nimbers
// that are known by then are classified, which proves nothing. Outcomes go the same way: their
// law follows from that of the nimbers, or is classified and perhaps proven by a window.
#include "engine/commands/find_period.hpp"

#include <algorithm>

#include "engine/base/memory.hpp"
#include "engine/commands/heap_outcome.hpp"
#include "engine/rules/take.hpp"

namespace engine {
namespace {

constexpr Number kMostShown = Number{1} << 24;
// Fewer heaps are not classified, unless fewer are asked for.
constexpr Number kFewest = 64;

void add_details(PeriodFinding& finding, std::span<const Number> values) {
    const Law& law = *finding.law;
    finding.exceptions = exceptions(values, law);
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(law.preperiod);
    finding.period_values.assign(first, first + static_cast<std::ptrdiff_t>(law.period));
}

// Calls `value(heap)` for heaps 0..count-1, or fewer: up to the first that gives nothing.
template <typename Value>
std::vector<Number> first_values(Number count, const Progress& progress, Value value) {
    constexpr Number kStep = 1024;
    std::vector<Number> values;
    Reservation memory;
    for (Number heap = 0; heap < count; ++heap) {
        if (!make_room(values, 1, memory)) break;
        const std::optional<Number> known = value(heap);
        if (!known) break;
        values.push_back(*known);
        if (heap % kStep == 0) progress(heap);
    }
    return values;
}

// Leaves at least half of the time for the values.
Budget for_proofs(const Budget& budget) {
    Budget first = budget;
    const auto now = std::chrono::steady_clock::now();
    if (budget.deadline > now &&
        budget.deadline != std::chrono::steady_clock::time_point::max()) {
        first.deadline = now + (budget.deadline - now) / 2;
    }
    return first;
}

// Asks for more and more heaps, so that progress can be reported. A solver that knows no laws
// computes nothing here.
std::optional<ProvenLaw> prove(const HeapSolver& solver, Number limit, const Budget& budget,
                               const Progress& progress) {
    constexpr Number kFirst = 1024;
    const Budget over = Budget::spent();
    for (Number heaps = std::min(kFirst, limit);; heaps = std::min(heaps + heaps / 4, limit)) {
        if (auto proven = solver.law(heaps, budget)) return proven;
        if (heaps == limit || budget.is_spent()) return std::nullopt;
        if (solver.nimber(Heap(heaps - 1), over)) progress(heaps);
    }
}

// After an attempt at a proof the same heaps are read again from heap 0, in no time. Progress
// stays where it is meanwhile.
Progress never_falling(const Progress& progress) {
    return [&progress, most = Number{0}](Number heaps) mutable {
        most = std::max(most, heaps);
        progress(most);
    };
}

}  // namespace

std::vector<Number> first_nimbers(const HeapSolver& solver, Number count, const Budget& budget,
                                  const Progress& progress) {
    return first_values(count, progress, [&](Number heap) -> std::optional<Number> {
        const auto nimber = solver.nimber(Heap(heap), budget);
        const auto* value = nimber ? std::get_if<std::uint64_t>(&*nimber) : nullptr;
        if (value == nullptr) return std::nullopt;
        return *value;
    });
}

PeriodFinding find_period(std::span<const Number> values, const Budget& budget) {
    PeriodFinding finding{classify(values, budget), std::nullopt, values.size(), {}, {}};
    if (finding.law) add_details(finding, values);
    return finding;
}

PeriodFinding find_period(const HeapSolver& solver, Number limit, const Budget& budget,
                          const Progress& report) {
    const Progress progress = never_falling(report);
    const auto proven = prove(solver, limit, for_proofs(budget), progress);
    if (!proven) {
        const auto values = first_nimbers(solver, limit, budget, progress);
        if (values.size() >= std::min(limit, kFewest)) return find_period(values, Budget{});
        return {std::nullopt, std::nullopt, values.size(), {}, {}};
    }
    PeriodFinding finding{proven->law, proven->theorem, proven->heaps, {}, {}};
    const auto [preperiod, period] = std::pair(proven->law.preperiod, proven->law.period);
    if (preperiod > kMostShown || period > kMostShown) return finding;

    const auto values = first_nimbers(solver, preperiod + period, Budget{}, progress);
    if (values.size() < preperiod + period) return finding;
    finding.law->preperiod = least_preperiod(values, *finding.law);
    add_details(finding, values);
    return finding;
}

namespace {

// The law of the outcomes that follows from one of the nimbers. With a saltus, no nimber is 0
// from the second period on.
Law law_of_outcomes(const Law& nimbers) {
    if (nimbers.saltus == 0) return nimbers;
    return {nimbers.preperiod + nimbers.period, 1, 0};
}

// From preperiod + period values: the outcomes may have a shorter period than the nimbers.
Number least_period(std::span<const Number> values, const Law& law) {
    const auto cycle = values.subspan(law.preperiod, law.period);
    for (Number period = 1; period <= law.period / 2; ++period) {
        if (law.period % period != 0) continue;
        if (std::ranges::equal(cycle.subspan(period), cycle.first(law.period - period))) {
            return period;
        }
    }
    return law.period;
}

// An outcome depends on the previous ones up to the set's largest member. If that many outcomes
// repeat a period later, all do.
bool is_proven_by_window(const Ruleset& rules, const Law& law, Number heaps) {
    const auto take = shape_as<shape::Subtraction>(rules);
    if (!take || take->set.is_open()) return false;
    return heaps - law.preperiod - law.period >= take->set.intervals().back().last;
}

}  // namespace

PeriodFinding find_outcome_period(const HeapSolver& solver, const Ruleset& rules, Number limit,
                                  const Budget& budget, const Progress& report) {
    const Progress progress = never_falling(report);
    const auto first_outcomes = [&](Number count, const Budget& until) {
        return first_values(count, progress, [&](Number heap) -> std::optional<Number> {
            const Outcome known =
                outcome_of_heap(solver, rules.can_repeat(), Heap(heap), until);
            if (known == Outcome::Unknown) return std::nullopt;
            return static_cast<Number>(known);
        });
    };
    if (const auto proven = prove(solver, limit, for_proofs(budget), progress)) {
        PeriodFinding finding{
            law_of_outcomes(proven->law), proven->theorem, proven->heaps, {}, {}};
        Law& law = *finding.law;
        if (law.preperiod > kMostShown || law.period > kMostShown) return finding;
        const auto values = first_outcomes(law.preperiod + law.period, Budget{});
        if (values.size() < law.preperiod + law.period) return finding;
        law.period = least_period(values, law);
        law.preperiod = least_preperiod(values, law);
        add_details(finding, values);
        return finding;
    }
    const auto values = first_outcomes(limit, budget);
    PeriodFinding unknown{std::nullopt, std::nullopt, values.size(), {}, {}};
    if (values.size() < std::min(limit, kFewest)) return unknown;
    PeriodFinding finding = find_period(values, Budget{});
    if (!finding.law || finding.law->kind() != Law::Kind::Periodic) return unknown;
    if (is_proven_by_window(rules, *finding.law, values.size())) finding.theorem = "window";
    return finding;
}

}  // namespace engine
