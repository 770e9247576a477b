// The law that a given sequence of nimbers seems to follow. Proves nothing.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/recurrence.hpp"
#include "engine/base/wide.hpp"
#include "protocol/heap.hpp"

namespace engine {

using protocol::Number;

std::string_view to_string(Law::Kind kind);  // "periodic", "arithmetic", "sapp"

// The law with the smallest period, and for that the smallest preperiod, that has enough
// evidence: it holds for at least three consecutive periods, so each residue is compared twice,
// and for at least half of the sequence. O(n) time and memory: fingerprints of the sequence
// (Karp, Rabin) exclude periods, and the rest is compared number by number. nullopt: there is
// none, or the budget ended.
std::optional<Law> classify(std::span<const Number> values, const Budget& budget);

// The least preperiod from which the law's period, saltus and residues hold to the end.
Number least_preperiod(std::span<const Number> values, const Law& law);

// A heap before the preperiod at which the law, extended backwards, fails.
struct LawException {
    Number heap = 0;
    Number value = 0;       // its nimber
    SignedWide lawful = 0;  // the value of the law, which may be below 0

    friend bool operator==(const LawException&, const LawException&) = default;
};

// In ascending order of heaps. The values must reach to preperiod + period.
std::vector<LawException> exceptions(std::span<const Number> values, const Law& law);

}  // namespace engine
