// What is wrong with the form of a move.
#pragma once

#include <string>
#include <string_view>

#include "engine/rules/game.hpp"

namespace arena {

// About the illegal move of a `bestmove` line: that it has blanks inside, has a fraction, or
// was cut off. Empty if none of these.
std::string move_advice(const engine::Game& game, std::string_view line);

}  // namespace arena
