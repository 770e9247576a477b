#include "arena/base/deadlines.hpp"

#include "tests/arena/loop.hpp"

namespace arena::deadlines_test {

using namespace std::chrono_literals;

void run_until_told(Loop& loop, const Patient& waiter) {
    const int before = waiter.told;
    loop.run_until([&] { return waiter.told > before; });
}

TEST(Deadlines, CallsNobodyBeforeTheTime) {
    Loop loop;
    std::vector<std::unique_ptr<Patient>> waiters;
    std::vector<Clock::time_point> times;
    const auto start = Clock::now();
    for (const auto after : {15ms, 5ms, 10ms, 1ms}) {
        times.push_back(start + after);
        waiters.push_back(std::make_unique<Patient>(loop));
        loop.deadlines().set(*waiters.back(), times.back());
    }
    for (std::size_t i = 0; i < waiters.size(); ++i) {
        if (waiters[i]->told == 0) run_until_told(loop, *waiters[i]);
        EXPECT_GE(waiters[i]->told_at, times[i]) << i;
    }
    for (const auto& waiter : waiters) EXPECT_EQ(waiter->told, 1);
}

TEST(Deadlines, CallsAtOnceIfTheTimeHasPassed) {
    Loop loop;
    Patient late(loop);
    Patient patient(loop);
    loop.deadlines().set(patient, in_the_end());
    loop.deadlines().set(late, past());
    run_until_told(loop, late);
    EXPECT_EQ(patient.told, 0);
}

TEST(Deadlines, ResetsItsTimerForAnEarlierDeadline) {
    Loop loop;
    Patient first(loop);
    Patient second(loop);
    loop.deadlines().set(first, in_the_end());
    loop.deadlines().set(second, soon());
    run_until_told(loop, second);
    EXPECT_EQ(first.told, 0);
}

TEST(Deadlines, ContinuesToTheNextDeadline) {
    Loop loop;
    Patient first(loop);
    Patient second(loop);
    loop.deadlines().set(first, past());
    loop.deadlines().set(second, soon());
    run_until_told(loop, second);
    EXPECT_EQ(first.told, 1);
}

TEST(Deadlines, UsesTheLastDeadlineThatWasSet) {
    Loop loop;
    Patient waiter(loop);
    Patient end(loop);
    loop.deadlines().set(waiter, past());
    loop.deadlines().set(waiter, in_the_end());
    loop.deadlines().set(end, soon());
    run_until_told(loop, end);
    EXPECT_EQ(waiter.told, 0);

    loop.deadlines().set(waiter, soon());
    run_until_told(loop, waiter);
}

TEST(Deadlines, DoesNotCallAClearedWaiter) {
    Loop loop;
    Patient waiter(loop);
    Patient end(loop);
    loop.deadlines().set(waiter, past());
    loop.deadlines().clear(waiter);
    loop.deadlines().set(end, soon());
    run_until_told(loop, end);
    EXPECT_EQ(waiter.told, 0);
}

TEST(Deadlines, ForgetsADismissedWaiter) {
    Loop loop;
    Patient end(loop);
    {
        Patient gone(loop);
        loop.deadlines().set(gone, past());
    }
    loop.deadlines().set(end, soon());
    run_until_told(loop, end);
}

TEST(Deadlines, CountsWaitersWithADeadline) {
    Loop loop;
    Deadlines& deadlines = loop.deadlines();
    Patient first(loop);
    EXPECT_EQ(deadlines.waits(), 0U);
    deadlines.set(first, past());
    deadlines.set(first, soon());
    EXPECT_EQ(deadlines.waits(), 1U);
    {
        Patient second(loop);
        deadlines.set(second, in_the_end());
        EXPECT_EQ(deadlines.waits(), 2U);
    }
    EXPECT_EQ(deadlines.waits(), 1U);
    run_until_told(loop, first);
    EXPECT_EQ(deadlines.waits(), 0U);
    deadlines.set(first, in_the_end());
    deadlines.clear(first);
    deadlines.clear(first);
    EXPECT_EQ(deadlines.waits(), 0U);
}

TEST(Deadlines, CallsOnceForEachSet) {
    Loop loop;
    Patient waiter(loop);
    Patient end(loop);
    for (int times = 1; times <= 3; ++times) {
        loop.deadlines().set(waiter, past());
        run_until_told(loop, waiter);
        loop.deadlines().set(end, soon());
        run_until_told(loop, end);
        EXPECT_EQ(waiter.told, times);
    }
}

TEST(Deadlines, MayBeChangedInACall) {
    Loop loop;
    auto gone = std::make_unique<Patient>(loop);
    Patient again(loop);
    Patient others(loop);
    std::unique_ptr<Patient> enrolled;
    gone->then = [&] {
        const auto self = std::move(gone);
        enrolled = std::make_unique<Patient>(loop);
        loop.deadlines().set(*enrolled, past());
    };
    again.then = [&] {
        if (again.told < 3) loop.deadlines().set(again, past());
    };
    for (Waiter* waiter : {static_cast<Waiter*>(gone.get()), static_cast<Waiter*>(&again),
                           static_cast<Waiter*>(&others)}) {
        loop.deadlines().set(*waiter, past());
    }
    loop.run_until(
        [&] { return again.told == 3 && others.told == 1 && enrolled && enrolled->told == 1; });
    EXPECT_EQ(gone, nullptr);
}

TEST(Deadlines, CallsNobodyAfterClose) {
    Loop loop;
    Patient waiter(loop);
    loop.deadlines().set(waiter, past());
    loop.deadlines().close();
    loop.deadlines().set(waiter, past());
    loop.io().restart();
    loop.io().run();  // returns, since no wait is pending
    EXPECT_EQ(waiter.told, 0);
}

TEST(Deadlines, DropWaitersWhenTheLoopEnds) {
    struct Owner : Patient {
        using Patient::Patient;
        void drop() override { owned.reset(); }
        std::unique_ptr<Patient> owned;
    };
    Loop loop;
    Owner owner(loop), other(loop);
    owner.owned = std::make_unique<Patient>(loop);
    other.owned = std::make_unique<Patient>(loop);
    loop.deadlines().close();
    EXPECT_EQ(owner.owned, nullptr);
    EXPECT_EQ(other.owned, nullptr);
}

}  // namespace arena::deadlines_test
