// Certificates of periods: what a program that knows the rules alone needs to prove a law again
// (see engine/README.md and tests/certificates/check_period.py).
#pragma once

#include <string>

#include "engine/analysis/find_period.hpp"
#include "engine/command.hpp"

namespace engine {

// A JSON object. Errors: the law is not proven, or by a formula that cannot be replayed from
// nimbers, or from more than 2^24 nimbers. Computes the nimbers that the proof needs.
Result<std::string> certificate(const NamedRuleset& ruleset, const HeapSolver& solver,
                                const PeriodFinding& finding);

// FNV-1a, 64 bits, of the nimbers as 8 bytes each, the lowest first.
std::uint64_t hash_of(std::span<const Number> nimbers);

}  // namespace engine
