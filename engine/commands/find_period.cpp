// First the solver is asked for a proof over more and more heaps. If there is none, the nimbers
// that are known by then are classified, which proves nothing. Outcomes go the same way: their
// law follows from that of the nimbers, or is classified and perhaps proven by a window.
#include "engine/commands/find_period.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/base/memory.hpp"
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

std::vector<Number> first_outcomes(const HeapSolver& solver, const Ruleset& rules, Number count,
                                   const Budget& budget, const Progress& progress) {
    return first_values(count, progress, [&](Number heap) -> std::optional<Number> {
        const Outcome known = outcome_of_heap(solver, rules.can_repeat(), Heap(heap), budget);
        if (known == Outcome::Unknown) return std::nullopt;
        return static_cast<Number>(known);
    });
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

// As far as the values of the first heaps show.
PeriodFinding find_seen(std::span<const Number> values, const Ruleset& rules, Values kind) {
    PeriodFinding finding = find_period(values);
    if (kind == Values::Nimbers || !finding.law) return finding;
    if (finding.law->kind() != Law::Kind::Periodic) {
        return {std::nullopt, std::nullopt, finding.heaps, {}, {}};
    }
    if (is_proven_by_window(rules, *finding.law, finding.heaps)) finding.theorem = "window";
    return finding;
}

}  // namespace

Outcome outcome_of_heap(const HeapSolver& solver, bool can_repeat, const Heap& heap,
                        const Budget& budget) {
    if (!can_repeat) return outcome_by(solver.has_nimber(heap, 0, budget));
    const auto nimber = solver.nimber(heap, budget);
    if (!nimber) return Outcome::Unknown;
    if (is_zero(*nimber)) return Outcome::P;
    const auto* loopy = std::get_if<Loopy>(&*nimber);
    return loopy == nullptr || std::ranges::count(loopy->values, 0U) > 0 ? Outcome::N
                                                                         : Outcome::D;
}

std::vector<Number> first_nimbers(const HeapSolver& solver, Number count, const Budget& budget,
                                  const Progress& progress) {
    return first_values(count, progress, [&](Number heap) -> std::optional<Number> {
        const auto nimber = solver.nimber(Heap(heap), budget);
        const auto* value = nimber ? std::get_if<std::uint64_t>(&*nimber) : nullptr;
        if (value == nullptr) return std::nullopt;
        return *value;
    });
}

PeriodFinding find_period(std::span<const Number> values) {
    PeriodFinding finding{classify(values), std::nullopt, values.size(), {}, {}};
    if (finding.law) add_details(finding, values);
    return finding;
}

PeriodFinding find_period(const HeapSolver& solver, const Ruleset& rules, Values kind,
                          Number limit, const Budget& budget, const Progress& report) {
    const Progress progress = never_falling(report);
    const auto first = [&](Number count, const Budget& until) {
        return kind == Values::Nimbers ? first_nimbers(solver, count, until, progress)
                                       : first_outcomes(solver, rules, count, until, progress);
    };
    const auto proven = prove(solver, limit, budget.half(), progress);
    if (!proven) {
        const auto values = first(limit, budget);
        if (values.size() >= std::min(limit, kFewest)) return find_seen(values, rules, kind);
        return {std::nullopt, std::nullopt, values.size(), {}, {}};
    }
    PeriodFinding finding{proven->law, proven->theorem, proven->heaps, {}, {}};
    Law& law = *finding.law;
    if (kind == Values::Outcomes) law = law_of_outcomes(law);
    if (law.preperiod > kMostShown || law.period > kMostShown) return finding;
    const auto values = first(law.preperiod + law.period, Budget{});
    if (values.size() < law.preperiod + law.period) return finding;
    if (kind == Values::Outcomes) law.period = least_period(values, law);
    law.preperiod = least_preperiod(values, law);
    add_details(finding, values);
    return finding;
}

// ---- the certificate ----

namespace {

constexpr Number kMostCertified = Number{1} << 24;

// A proof that nimbers can replay.
struct Proof {
    std::string rules;
    std::string_view theorem;
    Number heaps = 0;  // how many nimbers the theorem needs
};

using Digits = std::vector<std::uint8_t>;

bool is_octal(const Digits& digits) {
    return std::ranges::all_of(digits, [](unsigned digit) { return digit < 8; });
}

std::string text_of(const Digits& digits) {
    std::string text =
        fmt::format("{}{{{:X}.", is_octal(digits) ? "octal" : "hex", digits.front());
    for (std::size_t i = 1; i < digits.size(); ++i) text += fmt::format("{:X}", digits[i]);
    return text + (digits.size() == 1 ? "0}" : "}");
}

// From the preperiod on, with room for the theorem's window after it.
Proof proof_of_take(const TakeSet& set, const PeriodFinding& finding) {
    const auto& [preperiod, period, saltus, rising] = *finding.law;
    const std::string rules = "take{" + to_string(set) + "}";
    const Interval& last = set.intervals().back();
    if (!set.is_open()) return {rules, "window", preperiod + period + last.last};
    // The state repeats as soon as all values in it keep the law.
    const Number least = preperiod + 2 * period + last.first;
    return {rules, "state", std::max(least, finding.heaps)};
}

std::optional<Proof> proof_of(const Ruleset& rules, const PeriodFinding& finding) {
    const Law& law = *finding.law;
    if (law.period > kMostCertified || law.preperiod > kMostCertified) return std::nullopt;
    if (const auto take = shape_as<shape::Subtraction>(rules)) {
        return proof_of_take(take->set, finding);
    }
    const auto octal = shape_as<shape::TakeAndBreak>(rules);
    if (!octal || octal->unequal || octal->repeated > 0 || finding.theorem != "octal")
        return std::nullopt;
    const Number first = std::max<Number>(law.preperiod, 1);
    const Number parts = is_octal(octal->digits) ? 2 : 3;
    return Proof{text_of(octal->digits), "octal",
                 parts * (first + law.period) + octal->digits.size() - 1};
}

}  // namespace

std::uint64_t hash_of(std::span<const Number> nimbers) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (Number nimber : nimbers) {
        for (int byte = 0; byte < 8; ++byte, nimber >>= 8) {
            hash = (hash ^ (nimber & 0xFF)) * 1099511628211ULL;
        }
    }
    return hash;
}

Result<std::string> certificate(const NamedRuleset& ruleset, const HeapSolver& solver,
                                const PeriodFinding& finding) {
    const auto refuse = [](const std::string& why) {
        return Error{Fault::Failed, "no certificate: " + why};
    };
    if (!finding.theorem) return refuse("nothing is proven");
    const auto proof = proof_of(*ruleset.rules, finding);
    if (!proof) return refuse("the proof is a formula, which nimbers cannot replay");
    if (proof->heaps > kMostCertified) {
        return refuse(fmt::format("it would need the nimbers of {} heaps, and takes {} at most",
                                  proof->heaps, kMostCertified));
    }
    const auto nimbers = first_nimbers(solver, proof->heaps, Budget{}, [](Number) {});
    if (nimbers.size() < proof->heaps) return refuse("memory is short");

    const Law& law = *finding.law;
    const boost::json::object object{
        {"certificate", "nimarena period 1"},
        {"ruleset", ruleset.text.text},
        {"rules", proof->rules},
        {"kind", to_string(law.kind())},
        {"preperiod", law.preperiod},
        {"period", law.period},
        {"saltus", law.saltus},
        {"theorem", proof->theorem},
        {"heaps", proof->heaps},
        {"hash", fmt::format("fnv1a64:{:016x}", hash_of(nimbers))},
    };
    return boost::json::serialize(object) + "\n";
}

}  // namespace engine
