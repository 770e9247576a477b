// CPU time and memory of a running process and of its descendants.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "arena/base/clock.hpp"

namespace arena {

// The CPU time used so far by `pid`, its living descendants, and the children that any of them
// waited for (these to a clock tick, the living ones exactly). Zero if there is no such
// process. A child that ends during the count may be missed, so a later result can be smaller.
// About eight system calls for a process without children and threads.
Microseconds process_cpu(pid_t pid);

// The time for which the threads of `pid` and of its living descendants were ready to run, but
// other programs had the cores. A thread that ends takes its part with it. nullopt: the kernel
// does not count it. Four system calls for each thread.
std::optional<Microseconds> queue_time(pid_t pid);

// The same for the thread among them that waited longest. A process whose own threads wait for
// each other has no thread that waits longer than the others ran.
std::optional<Microseconds> longest_queue_time(pid_t pid);

// The CPU time of the process only, in two system calls.
Microseconds own_cpu(pid_t pid);

// The memory that `pid` and its living descendants have held at most, in bytes: the sum of the
// largest resident set of each. Zero if there is no such process.
std::uint64_t peak_memory(pid_t pid);

// Allows `pid` and all its living descendants `more` CPU time each, beyond what each has used:
// their soft RLIMIT_CPU, by which the system ends them with SIGXCPU.
void raise_cpu_limit(pid_t pid, std::chrono::seconds more);

// CPU time that a player uses while it is not its turn. Counts only what was certainly used off
// turn. Measuring each process costs as much as a move; then only turns and pauses longer than
// five milliseconds are measured, and a turn is assumed to use no more CPU time than it takes.
class OffTurnCpu {
  public:
    // `used` returns the CPU time so far. `is_cheap`: it takes one system call, so that it can
    // be read before and after each turn. Construct it off turn.
    OffTurnCpu(std::function<Microseconds()> used, bool is_cheap);

    void begin_turn(SteadyClock::time_point now);
    void end_turn(SteadyClock::time_point now);
    // The time counted since the last call.
    Microseconds take();

  private:
    void count_pause(SteadyClock::time_point now);

    std::function<Microseconds()> used_;
    bool is_cheap_;
    Microseconds bound_;  // upper bound of the time used until since_, without off-turn time
    SteadyClock::time_point since_;  // start of the turn or pause
    Microseconds off_turn_{0};
};

}  // namespace arena
