// The clock and the ledger of absences are the process's own, as its stops are: so all that
// waits, in whatever room, has the same time. Reading the clock takes no lock.
//
// The counters are read by a thread that does nothing else. A thread that plays games would not
// do: it sleeps as long as nothing happens, and may wait for a disk.
#include "arena/base/heartbeat.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <string_view>
#include <system_error>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "protocol/heap.hpp"
#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

namespace asio = boost::asio;
using Nanoseconds = std::chrono::nanoseconds;

constexpr std::size_t kKept = 1000;  // absences; a question overlaps few
constexpr Milliseconds kLookAgain{1};
constexpr auto kAlways = SteadyClock::time_point::max();

struct Ledger {
    std::mutex mutex;
    std::optional<Beat> last;
    std::deque<Absence> absences;  // the latest
    Absences total;

    // What a reader of the clock needs. `limit` is written last and read first: with a new one
    // the new `absent` is seen.
    std::atomic<Clock::duration> absent{Clock::duration::zero()};
    std::atomic<Clock::time_point> limit{Clock::time_point::max()};
    std::atomic<SteadyClock::time_point> known_until{kAlways};
    std::atomic<SteadyClock::time_point> last_end{SteadyClock::time_point::min()};
};
Ledger ledger;

Microseconds overlap(const Absence& absence, SteadyClock::time_point from,
                     SteadyClock::time_point to) {
    const auto shared = std::min(absence.to, to) - std::max(absence.from, from);
    return std::chrono::duration_cast<Microseconds>(
        std::max(shared, SteadyClock::duration::zero()));
}

void add(Absences& sum, bool is_certain, Microseconds time) {
    if (time.count() == 0) return;
    (is_certain ? sum.certain : sum.doubtful) += time;
    sum.longest = std::max(sum.longest, time);
    ++sum.count;
}

// The thread's run time and waiting time in nanoseconds, see sched-stats of the kernel.
bool read_counters(int file, Beat& beat) {
    std::array<char, 100> bytes;
    const ssize_t size = ::pread(file, bytes.data(), bytes.size(), 0);
    if (size <= 0) return false;
    std::string_view text(bytes.data(), static_cast<std::size_t>(size));
    const auto ran = protocol::parse_number(protocol::next_word(text));
    const auto queued = protocol::parse_number(protocol::next_word(text));
    if (!ran || !queued || *ran == 0) return false;  // all are 0 where they are not counted
    beat.ran = Nanoseconds(static_cast<std::int64_t>(*ran));
    beat.queued = Nanoseconds(static_cast<std::int64_t>(*queued));
    return true;
}

// On the heartbeat's own thread.
Beat read_beat() {
    thread_local const protocol::UniqueFd file(
        ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC));
    Beat beat;
    beat.at = SteadyClock::now();
    beat.is_counted = read_counters(file.get(), beat);
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    beat.page_reads = usage.ru_majflt;
    beat.done = SteadyClock::now();
    return beat;
}

}  // namespace

Clock::time_point Clock::now() {
    const time_point limit = ledger.limit.load(std::memory_order_acquire);
    return std::min(at(SteadyClock::now()), limit);
}

Clock::time_point Clock::at(SteadyClock::time_point moment) {
    const duration absent = ledger.absent.load(std::memory_order_relaxed);
    return time_point(moment.time_since_epoch() - absent);
}

SteadyClock::time_point Clock::real(time_point time) {
    const duration absent = ledger.absent.load(std::memory_order_relaxed);
    if (time >= time_point::max() - absent) return SteadyClock::time_point::max();
    const SteadyClock::time_point real(time.time_since_epoch() + absent);
    const auto now = SteadyClock::now();
    return Heartbeat::knows(now) ? real : std::max(real, now + kLookAgain);
}

std::optional<Absence> absence_between(const Beat& before, const Beat& after) {
    // The counters are read somewhere between `at` and `done`; so they cover all of this time,
    // and a wait is never taken for a stop.
    const auto late = after.at - before.done - kBeat;
    if (before.done - before.at >= kLongAbsence) return Absence{before.at, before.done, false};
    const bool is_counted = before.is_counted && after.is_counted;
    const auto explained = is_counted
                               ? (after.ran - before.ran) + (after.queued - before.queued)
                               : std::chrono::nanoseconds(0);
    const bool is_certain = is_counted && after.page_reads == before.page_reads;
    const auto stopped = late - explained;
    if (stopped < (is_certain ? kLeastAbsence : kLongAbsence)) return std::nullopt;
    return Absence{after.at - stopped, after.at, is_certain};
}

bool may_explain(const Absences& absent, Microseconds late) {
    return absent.longest >= kLongAbsence && late <= absent.doubtful + kAfterAbsence;
}

Heartbeat::Heartbeat() {
    try {
        beats_.emplace(kBeat, [](Microseconds) { take(read_beat()); });
    } catch (const std::system_error&) {  // no thread may be started: what needs more will tell
    }
}

Heartbeat::~Heartbeat() {
    beats_.reset();
    end();
}

void Heartbeat::take(const Beat& beat) {
    const std::lock_guard lock(ledger.mutex);
    const auto absence = ledger.last ? absence_between(*ledger.last, beat) : std::nullopt;
    if (absence) {
        const auto time = std::chrono::duration_cast<Microseconds>(absence->to - absence->from);
        add(ledger.total, absence->is_certain, time);
        ledger.absences.push_back(*absence);
        if (ledger.absences.size() > kKept) ledger.absences.pop_front();
        ledger.last_end = absence->to;
        if (absence->is_certain)
            ledger.absent = ledger.absent.load() + (absence->to - absence->from);
    }
    ledger.last = beat;
    ledger.known_until = beat.at + kLeastAbsence;
    ledger.limit.store(Clock::at(beat.at + kLeastAbsence), std::memory_order_release);
}

void Heartbeat::end() {
    const std::lock_guard lock(ledger.mutex);
    ledger.last.reset();
    ledger.absences.clear();
    ledger.total = {};
    ledger.last_end = SteadyClock::time_point::min();
    ledger.known_until = kAlways;
    ledger.limit = Clock::time_point::max();
}

bool Heartbeat::knows(SteadyClock::time_point moment) {
    return moment <= ledger.known_until.load();
}

Awaitable<void> Heartbeat::await(SteadyClock::time_point moment) {
    if (knows(moment)) co_return;
    asio::steady_timer timer(co_await asio::this_coro::executor);
    while (!knows(moment)) {
        timer.expires_after(kLookAgain);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

Absences Heartbeat::absent(SteadyClock::time_point from, SteadyClock::time_point to) {
    Absences sum;
    if (ledger.last_end.load() <= from) return sum;
    const std::lock_guard lock(ledger.mutex);
    for (const Absence& absence : ledger.absences)
        add(sum, absence.is_certain, overlap(absence, from, to));
    return sum;
}

Absences Heartbeat::total() {
    const std::lock_guard lock(ledger.mutex);
    return ledger.total;
}

std::optional<bool> Heartbeat::can_tell() {
    const std::lock_guard lock(ledger.mutex);
    if (!ledger.last) return std::nullopt;
    return ledger.last->is_counted;
}

}  // namespace arena
