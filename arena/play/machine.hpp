// This machine among those that play into one record: its speed, and whether the programs of
// its players are those that the others play.
#pragma once

#include <cstdint>
#include <vector>

#include "arena/play/tournament_options.hpp"
#include "arena/players/launcher.hpp"
#include "arena/record/sharing.hpp"
#include "arena/record/store.hpp"
#include "protocol/result.hpp"

namespace arena {

// The least speed of a machine, as a share of the first machine's: below the noise of a busy
// machine, above the speed of a slower kind of machine.
inline constexpr double kLeastSpeed = 0.6;

// Steps of a fixed computation, in thousands a second of CPU time on one core; so other
// programs hardly matter. Takes 40 ms.
std::uint64_t measure_speed();

// The speed that the clocks of a record refer to: that of the first machine that enlisted; 0 if
// none has.
std::uint64_t reference_speed(const std::vector<WorkerStatus>& workers);

// Multiplies the time that each player has, but not its margin.
void scale_times(PlayOptions& options, double factor);

// Enlists this process where the store is shared. Fault::BadInput: a player's program is not
// that of the record, which has it from the first machine; or, of a worker, the machine is too
// slow for the clocks. With `scale_time` they are scaled instead.
protocol::Result<void> enlist(Store& store, TournamentOptions& options,
                              const Launcher& launcher);

}  // namespace arena
