// A position as rows of stones, for a terminal.
#pragma once

#include <string>

#include "protocol/position.hpp"

namespace arena {

// A line for each ruleset and for each heap, with its number.
std::string drawn(const protocol::Position& position);

}  // namespace arena
