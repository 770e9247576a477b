// Certificates of periods: the data with which a program that knows only the rules proves a law
// again (see engine/doc/commands.md and tests/certificates/check_period.py).
#pragma once

#include <string>

#include "engine/commands/command.hpp"
#include "engine/commands/find_period.hpp"

namespace engine {

// A JSON object. Errors: the law is not proven, or by a formula that cannot be replayed from
// nimbers, or from more than 2^24 nimbers. Computes the nimbers that the proof needs.
Result<std::string> certificate(const NamedRuleset& ruleset, const HeapSolver& solver,
                                const PeriodFinding& finding);

// FNV-1a, 64 bits, of the nimbers as 8 bytes each, the lowest first.
std::uint64_t hash_of(std::span<const Number> nimbers);

}  // namespace engine
