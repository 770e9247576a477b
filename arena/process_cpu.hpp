// CPU time of a running process and of what it started.
#pragma once

#include <sys/types.h>

#include "arena/game_record.hpp"

namespace arena {

// The CPU time used so far by `pid`, its living descendants, and the children that any of them
// waited for (these to a clock tick, the living ones exactly). Zero where there is no such
// process. A child that ends while it is counted may be missed: a later answer can be less.
// About seven system calls for a process without children and threads.
Microseconds process_cpu(pid_t pid);

// That of the process alone, in two system calls.
Microseconds own_cpu(pid_t pid);

// Allows `pid` and all its living descendants `more` CPU time each, beyond what each has used:
// their soft RLIMIT_CPU, by which the system ends them with SIGXCPU.
void raise_cpu_limit(pid_t pid, std::chrono::seconds more);

}  // namespace arena
