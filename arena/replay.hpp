// `nim-arena replay`: a recorded game's questions, put to its players again.
#pragma once

#include "arena/replay_options.hpp"

namespace arena {

class Guardian;

// Gives the exit status.
int run_replay(const ReplayOptions& options, const Guardian& guardian);

}  // namespace arena
