// `match --watch`: the games as they are played, on the terminal.
#pragma once

#include <cstdio>
#include <memory>

#include "arena/play/spectator.hpp"

namespace arena {

// Writes each game to `file`, position by position. One game is played at a time.
std::unique_ptr<Spectator> watch_on_terminal(std::FILE* file);

}  // namespace arena
