// Notices that the arena itself did not run: that its processes were stopped, a container was
// frozen, or a virtual machine was paused. A player is not charged for that time.
//
// A thread wakes at short intervals. If it wakes late, the kernel's counters for it tell why:
// time in which it was ready to run, and others had the cores, is load, which players can
// cause, and which is credited to nobody. What is left is time in which it neither ran, nor was
// ready, nor slept by its own will: it was stopped. Nothing that a player may do, short of a
// signal to the arena, which the sandbox forbids, makes such a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "arena/base/clock.hpp"
#include "arena/base/io.hpp"
#include "arena/base/ticker.hpp"

namespace arena {

inline constexpr Milliseconds kBeat{10};
// Shorter gaps look like the jitter of timers; a margin covers them.
inline constexpr Milliseconds kLeastAbsence{20};
// A gap of this length or more is reported, and excuses a player that is late after it. A
// shorter one is not noted if it is not known why the beat was late.
inline constexpr Milliseconds kLongAbsence{200};
// How long after a gap a machine and its players may still be slow.
inline constexpr Milliseconds kAfterAbsence{1000};

// A beat: what the kernel has counted for its thread until then, read between `at` and `done`.
struct Beat {
    SteadyClock::time_point at;
    SteadyClock::time_point done;
    std::chrono::nanoseconds ran{};
    std::chrono::nanoseconds queued{};  // ready to run, and not running
    std::int64_t page_reads = 0;        // waits for a page of memory that was on a disk
    bool is_counted = true;             // false: the kernel does not count these
};

// A time in which the arena did not run. If it is not certain, it may have been load.
struct Absence {
    SteadyClock::time_point from;
    SteadyClock::time_point to;
    bool is_certain = true;
};
// The absence between two successive beats, if there was one.
std::optional<Absence> absence_between(const Beat& before, const Beat& after);

// All absences in a span of time.
struct Absences {
    Microseconds certain{0};
    Microseconds doubtful{0};
    Microseconds longest{0};
    int count = 0;
};
// Whether it is unclear who was late, the player or the arena. `late`: by how much the player
// was late, without the certain absences. A short absence is credited, and has no other effect.
bool may_explain(const Absences& absent, Microseconds late);

// The heartbeat of this process, on a thread of its own; at most one. Without one the arena
// counts as never absent.
class Heartbeat {
  public:
    Heartbeat();
    ~Heartbeat();
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    // Takes in a beat; for tests, which have no such thread. end() forgets all.
    static void take(const Beat& beat);
    static void end();

    // Whether all absences before this moment are known. If not, they will be at the next beat.
    static bool knows(SteadyClock::time_point moment);
    // The same for the absences between two moments; a short time has none.
    static bool knows(SteadyClock::time_point from, SteadyClock::time_point to) {
        return to - from < kLeastAbsence || knows(to);
    }
    // Waits until all absences before this moment are known.
    static Awaitable<void> await(SteadyClock::time_point moment);
    // The absences between these moments.
    static Absences absent(SteadyClock::time_point from, SteadyClock::time_point to);
    // The time between them without the certain absences: what a player is charged.
    static Microseconds present(SteadyClock::time_point from, SteadyClock::time_point to) {
        return std::chrono::duration_cast<Microseconds>(to - from) - absent(from, to).certain;
    }
    // All absences noted in this process.
    static Absences total();
    // Whether the kernel tells load and a stop apart; nullopt: there was no beat yet.
    static std::optional<bool> can_tell();

  private:
    std::optional<Ticker> beats_;
};

}  // namespace arena
