// A law of the nimbers of heaps that are numbers, proven for all of them.
#pragma once

#include <string_view>

#include "engine/rules/ruleset.hpp"

namespace engine {

// G(n+period) = G(n) + saltus for all n >= preperiod. Neither number need be the least.
struct PeriodLaw {
    Number preperiod = 0;
    Number period = 0;
    Number saltus = 0;

    friend bool operator==(const PeriodLaw&, const PeriodLaw&) = default;
};

// The law, and how it is known.
struct ProvenLaw {
    PeriodLaw law;
    // "formula" (a closed form, whatever the heap), or what proves it from the nimbers of the
    // heaps below `heaps`: "window" (finite subtraction sets), "state" (all-but sets), "octal"
    // (Guy and Smith's theorem).
    std::string_view theorem;
    Number heaps = 0;

    friend bool operator==(const ProvenLaw&, const ProvenLaw&) = default;
};

}  // namespace engine
