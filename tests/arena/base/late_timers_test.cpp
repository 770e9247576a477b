#include "arena/base/late_timers.hpp"

#include <future>

namespace arena::late_timers_test {

TEST(LateTimers, ReportsTheDelay) {
    std::promise<Microseconds> told;
    bool first = true;
    const auto start = SteadyClock::now();
    const LateTimers late_timers(Milliseconds(2), Microseconds(0), [&](Microseconds overslept) {
        if (std::exchange(first, false)) told.set_value(overslept);
    });
    const Microseconds overslept = told.get_future().get();
    EXPECT_GE(overslept, Microseconds(0));
    EXPECT_LE(overslept + Milliseconds(2), SteadyClock::now() - start);
}

TEST(LateTimers, IgnoresSmallDelays) {
    std::promise<void> woken;
    int told = 0;
    {
        const LateTimers silent(Microseconds(100), std::chrono::hours(1),
                                [&](Microseconds) { ++told; });
        bool first = true;
        const LateTimers other(Milliseconds(5), Microseconds(0), [&](Microseconds) {
            if (std::exchange(first, false)) woken.set_value();
        });
        woken.get_future().get();
    }
    EXPECT_EQ(told, 0);
}

TEST(LateTimers, EndsWithoutWaitingForItsNap) {
    const auto start = SteadyClock::now();
    {
        const LateTimers late_timers(std::chrono::hours(1), Microseconds(0),
                                     [](Microseconds) {});
    }
    EXPECT_LT(SteadyClock::now() - start, std::chrono::minutes(1));
}

}  // namespace arena::late_timers_test
