// The rules of a ruleset in words, with its own parameters.
#pragma once

#include <string>

#include "protocol/position.hpp"

namespace engine {

// What a move is, in a few sentences: "Take 1, 3 or 4 from a heap." of take{1,3,4}. Long
// parameters are cut with "…". Empty if the ruleset is not a known one; names of a catalogue
// file must be expanded.
std::string rule_words(const protocol::RulesetText& ruleset);

}  // namespace engine
