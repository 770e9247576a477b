// CPU time that a player uses while it is not its turn.
#pragma once

#include <sys/types.h>

#include "arena/game_record.hpp"

namespace arena {

// Counts only what was used off turn for certain: in its turn a player with one thread uses no
// more CPU time than the turn takes. Looks at the process only after turns and pauses longer
// than five milliseconds, since that costs as much as a move.
class OffTurnCpu {
  public:
    // To be made out of turn.
    explicit OffTurnCpu(pid_t pid);

    void begin_turn(Clock::time_point now);
    void end_turn(Clock::time_point now);
    // What was counted since this was last asked.
    Microseconds take();

  private:
    void count_pause(Clock::time_point now);

    pid_t pid_;
    Microseconds bound_;  // what it has used at the most, up to since_ and off turn excepted
    Clock::time_point since_;  // the beginning of the turn or pause
    Microseconds off_turn_{0};
};

}  // namespace arena
