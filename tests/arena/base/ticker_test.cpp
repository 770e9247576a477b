#include "arena/base/ticker.hpp"

#include <future>

namespace arena::ticker_test {

TEST(Ticker, ReportsTheDelay) {
    std::promise<Microseconds> told;
    bool first = true;
    const auto start = SteadyClock::now();
    const Ticker ticker(Milliseconds(2), [&](Microseconds overslept) {
        if (std::exchange(first, false)) told.set_value(overslept);
    });
    const Microseconds overslept = told.get_future().get();
    EXPECT_GE(overslept, Microseconds(0));
    EXPECT_LE(overslept + Milliseconds(2), SteadyClock::now() - start);
}

TEST(Ticker, EndsWithoutWaitingForItsNap) {
    const auto start = SteadyClock::now();
    {
        const Ticker ticker(std::chrono::hours(1), [](Microseconds) {});
    }
    EXPECT_LT(SteadyClock::now() - start, std::chrono::minutes(1));
}

}  // namespace arena::ticker_test
