// This machine among those that play into one record: its speed, and whether the programs of
// its players are those that the others play.
#pragma once

#include <cstdint>

#include "arena/play/tournament_options.hpp"
#include "arena/players/launcher.hpp"
#include "arena/record/store.hpp"
#include "protocol/result.hpp"

namespace arena {

// Steps of a fixed computation, in thousands a second of CPU time on one core; so other
// programs hardly matter. Takes 40 ms.
std::uint64_t measure_speed();

// Multiplies the time that each player has, but not its margin.
void scale_times(PlayOptions& options, double factor);

// Enlists this process where the store is shared. Fault::BadInput: a player's program is not
// that of the record, which has it from the first machine; or, of a worker, the machine is too
// slow for the clocks. With `scale_time` they are scaled instead.
protocol::Result<void> enlist(Store& store, TournamentOptions& options,
                              const Launcher& launcher);

}  // namespace arena
