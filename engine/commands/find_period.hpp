// The law of the nimbers of a ruleset's heaps: proven by its solver, else classified from its
// first heaps.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/recurrence.hpp"
#include "engine/commands/command.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/sums/analyst.hpp"

namespace engine {

// The most heaps that a command looks at.
inline constexpr Number kMostExamined = Number{1} << 32;

struct PeriodFinding {
    // With the least preperiod. nullopt: no law is known.
    std::optional<Law> law;
    std::optional<std::string_view> theorem;  // of a proven law, see ProvenLaw
    // The number of heaps examined; 0 for a formula.
    Number heaps = 0;
    // The heaps before the preperiod that are exceptions to the law, and the nimbers of one
    // period from the preperiod on; empty where there are too many (more than 2^24 heaps).
    std::vector<LawException> exceptions;
    std::vector<Number> period_values;
};

// Called from time to time with the number of heaps whose nimbers are known, which never falls.
using Progress = std::function<void(Number heaps)>;

// The values that have a law: of outcomes each is an Outcome as a number.
enum class Values { Nimbers, Outcomes };

// Examines heaps below `limit`, until the budget ends. The ruleset's heaps must be numbers. The
// law of the outcomes is proven if that of the nimbers is, and for a finite subtraction set if
// a window as long as its largest member repeats.
PeriodFinding find_period(const HeapSolver& solver, const Ruleset& rules, Values kind,
                          Number limit, const Budget& budget, const Progress& progress);

// The same for a given sequence.
PeriodFinding find_period(std::span<const Number> values);

// The outcome of a single heap under normal play. With loops, it is drawn unless a move leads
// to 0.
Outcome outcome_of_heap(const HeapSolver& solver, bool can_repeat, const Heap& heap,
                        const Budget& budget);

// The nimbers of heaps 0..count-1, or fewer: up to the first that is not known or not finite.
std::vector<Number> first_nimbers(const HeapSolver& solver, Number count, const Budget& budget,
                                  const Progress& progress);

// The certificate of a law, with which a program that knows only the rules proves it again (see
// engine/doc/commands.md and tests/certificates/check_period.py): a JSON object. Errors: the
// law is not proven, or by a formula that cannot be replayed from nimbers, or from more than
// 2^24 nimbers. Computes the nimbers that the proof needs.
Result<std::string> certificate(const NamedRuleset& ruleset, const HeapSolver& solver,
                                const PeriodFinding& finding);

// FNV-1a, 64 bits, of the nimbers as 8 bytes each, the lowest first.
std::uint64_t hash_of(std::span<const Number> nimbers);

}  // namespace engine
