// A tournament: all its games played by workers, recorded, and reported.
#pragma once

#include "arena/guardian.hpp"
#include "arena/tournament_options.hpp"

namespace arena {

// Plays what is missing of the tournament that the options name, and gives the exit status
// (exit_codes.hpp). A signal that interrupts drops the games in progress: they are played when
// the same command is run again.
int run_tournament(const TournamentOptions& options, const Guardian& guardian);

// The same among players who dial in: `options.lobby` is given.
int run_serve(const TournamentOptions& options, const Guardian& guardian);

}  // namespace arena
