#include "arena/base/heartbeat.hpp"

#include <fstream>
#include <string>

#include "tests/arena/loop.hpp"

namespace arena::heartbeat_test {

using namespace std::chrono_literals;

const SteadyClock::time_point kStart{1000s};

// A beat that took no time.
Beat beat(SteadyClock::duration at, std::chrono::nanoseconds ran = {},
          std::chrono::nanoseconds queued = {}) {
    return {kStart + at, kStart + at, ran, queued};
}

std::optional<Absence> until(const Beat& after) {
    return absence_between(beat(0ms, 5ms, 70ms), after);
}

TEST(Absence, IsTimeThatNoCounterExplains) {
    const auto absence = until(beat(4010ms, 6ms, 71ms));
    ASSERT_TRUE(absence);
    EXPECT_TRUE(absence->is_certain);
    EXPECT_EQ(absence->to - absence->from, 4010ms - kBeat - 2ms);
    EXPECT_EQ(absence->to, kStart + 4010ms);
}

TEST(Absence, IsNoLoad) {
    EXPECT_FALSE(until(beat(4010ms, 5ms, 70ms + 4s))) << "others had the cores";
    EXPECT_FALSE(until(beat(4010ms, 5ms + 4s, 70ms))) << "it ran itself";
    EXPECT_FALSE(until(beat(10ms, 5ms, 70ms)));
}

TEST(Absence, IsWhatLoadLeaves) {
    const auto absence = until(beat(4010ms, 5ms, 70ms + 1500ms));
    ASSERT_TRUE(absence);
    EXPECT_EQ(absence->to - absence->from, 2500ms);
}

TEST(Absence, IsNoJitter) {
    EXPECT_FALSE(until(beat(kBeat + kLeastAbsence - 1ms, 5ms, 70ms)));
    EXPECT_TRUE(until(beat(kBeat + kLeastAbsence, 5ms, 70ms)));
}

TEST(Absence, IsInDoubtWhereTheKernelCountsNothing) {
    Beat uncounted = beat(kBeat + 200ms);
    uncounted.is_counted = false;
    const auto absence = until(uncounted);
    ASSERT_TRUE(absence);
    EXPECT_FALSE(absence->is_certain);
    EXPECT_EQ(absence->to - absence->from, 200ms);
    uncounted.at -= 1ms;
    EXPECT_FALSE(until(uncounted));
}

TEST(Absence, IsInDoubtWhereMemoryCameFromADisk) {
    Beat after = beat(4010ms, 5ms, 70ms);
    after.page_reads = 1;
    const auto absence = until(after);
    ASSERT_TRUE(absence);
    EXPECT_FALSE(absence->is_certain);
    after.queued += 4s;
    EXPECT_FALSE(until(after)) << "others had the cores";
}

// Else time between the two clock readings would count twice.
TEST(Absence, CountsFromTheEndOfTheLastBeat) {
    Beat before = beat(0ms);
    before.done += 100ms;
    EXPECT_FALSE(absence_between(before, beat(110ms)));
    before.done = kStart + 300ms;
    const auto absence = absence_between(before, beat(310ms));
    ASSERT_TRUE(absence) << "it was long between the two";
    EXPECT_FALSE(absence->is_certain);
}

TEST(Absence, ExplainsALittleLateness) {
    const Absences none;
    const Absences certain{4s, 0s, 4s, 1};
    const Absences doubtful{0s, 4s, 4s, 1};
    const Absences jitter{1s, 0s, kLongAbsence - 1us, 20};
    EXPECT_FALSE(may_explain(none, 1us));
    EXPECT_FALSE(may_explain(jitter, 1us));
    EXPECT_TRUE(may_explain(certain, kAfterAbsence));
    EXPECT_FALSE(may_explain(certain, kAfterAbsence + 1us)) << "it had its time";
    EXPECT_TRUE(may_explain(doubtful, 4s + kAfterAbsence));
    EXPECT_FALSE(may_explain(doubtful, 4s + kAfterAbsence + 1us));
}

// Beats of a past that ends now; what is between them is a stop or load.
class HeartbeatOf : public testing::Test {
  protected:
    ~HeartbeatOf() override { Heartbeat::end(); }

    void begin() { Heartbeat::take({before_, before_}); }
    void go_on_after_a_stop() { Heartbeat::take({now_, now_}); }
    void go_on_after_load() { Heartbeat::take({now_, now_, 0ns, now_ - before_}); }

    const SteadyClock::time_point now_ = SteadyClock::now();
    const SteadyClock::time_point before_ = now_ - 10s;
};

TEST_F(HeartbeatOf, AStoppedArenaStopsTheClock) {
    begin();
    const auto stands = Clock::now();
    EXPECT_EQ(stands, Clock::now());
    EXPECT_EQ(stands, Clock::at(before_ + kLeastAbsence));
    EXPECT_FALSE(Heartbeat::knows(now_));
    EXPECT_FALSE(Heartbeat::knows(before_, now_));
    EXPECT_TRUE(Heartbeat::knows(now_, now_)) << "no absence is that short";
    go_on_after_a_stop();
    EXPECT_TRUE(Heartbeat::knows(now_));
    EXPECT_EQ(Clock::at(now_), stands - kLeastAbsence + kBeat);
    EXPECT_EQ(Heartbeat::absent(before_, now_).certain, 10s - kBeat);
    EXPECT_EQ(Heartbeat::absent(now_ - 1s, now_).certain, 1s);
    EXPECT_EQ(Heartbeat::present(now_ - 1s, now_ + 2s), 2s);
    EXPECT_EQ(Heartbeat::absent(now_, now_ + 1s).count, 0);
}

TEST_F(HeartbeatOf, LoadDoesNot) {
    begin();
    const auto stands = Clock::now();
    go_on_after_load();
    EXPECT_EQ(Clock::at(now_), stands + 10s - kLeastAbsence);
    EXPECT_EQ(Heartbeat::absent(before_, now_).count, 0);
}

TEST_F(HeartbeatOf, TimersGoOffLaterByTheStop) {
    begin();
    go_on_after_a_stop();
    Heartbeat::take({now_ + 1h, now_ + 1h, 0ns, 1h});  // no further stop in this hour
    EXPECT_EQ(Clock::real(Clock::at(now_)), now_);
    EXPECT_EQ(Clock::real(Clock::time_point::max()), SteadyClock::time_point::max());
}

TEST_F(HeartbeatOf, NoDeadlinePassesInAStop) {
    Loop loop;
    Patient patient(loop);
    begin();
    loop.deadlines().set(patient, Clock::now() + 9s);
    loop.poll();
    EXPECT_EQ(patient.told, 0) << "as long as it is not known";
    go_on_after_a_stop();
    loop.poll();
    EXPECT_EQ(patient.told, 0);
}

TEST_F(HeartbeatOf, ADeadlinePassesUnderLoad) {
    Loop loop;
    Patient patient(loop);
    begin();
    loop.deadlines().set(patient, Clock::now() + 9s);
    go_on_after_load();
    loop.run_until([&] { return patient.told > 0; });
}

TEST_F(HeartbeatOf, AnAnswerIsJudgedOnceItIsKnown) {
    Loop loop;
    begin();
    const auto known = loop.start([](SteadyClock::time_point moment) -> Awaitable<bool> {
        co_await Heartbeat::await(moment);
        co_return true;
    }(now_));
    EXPECT_FALSE(*known);
    go_on_after_a_stop();
    loop.run_until([&] { return known->has_value(); });
}

// The real thread.
TEST(HeartbeatThreads, BeatAndCount) {
    std::string ran = "0";
    std::ifstream("/proc/thread-self/schedstat") >> ran;
    if (ran == "0") GTEST_SKIP() << "this kernel does not count";
    {
        const Heartbeat heartbeat;
        while (!Heartbeat::can_tell()) continue;
        EXPECT_TRUE(*Heartbeat::can_tell());
        const auto now = SteadyClock::now();
        while (!Heartbeat::knows(now)) continue;
    }
    EXPECT_TRUE(Heartbeat::knows(SteadyClock::time_point::max())) << "without one all is known";
}

}  // namespace arena::heartbeat_test
