#include "engine/base/recurrence.hpp"

namespace engine::test::recurrence_test {

using Values = std::vector<std::uint32_t>;

// Not a multiple of a window, so that it pauses anywhere.
std::vector<std::size_t> periods(const Values& values, std::size_t window,
                                 std::size_t steps = 7) {
    Recurrence search(values.size(), window);
    std::vector<std::size_t> found;
    for (;;) {
        while (!search.advance(steps, [&](std::size_t i) { return values[i]; })) {
        }
        if (search.period() == 0) return found;
        found.push_back(search.period());
    }
}

std::vector<std::size_t> periods_by_definition(const Values& values, std::size_t window) {
    std::vector<std::size_t> found;
    for (std::size_t period = 1; period + window <= values.size(); ++period) {
        bool holds = true;
        for (std::size_t i = values.size() - window; i < values.size(); ++i) {
            holds = holds && values[i] == values[i - period];
        }
        if (holds) found.push_back(period);
    }
    return found;
}

// Some values, then a period repeated, with a few that do not fit.
Values draw_values(std::mt19937_64& random) {
    Values values(random() % 10);
    for (auto& value : values) value = random() % 3;
    Values period(1 + random() % 8);
    for (auto& value : period) value = random() % 3;
    for (std::size_t i = 0; i < 40; ++i) values.push_back(period[i % period.size()]);
    for (std::size_t i = random() % 3; i > 0; --i) values[random() % values.size()] ^= 1;
    return values;
}

TEST(Recurrence, FindsEachPeriodFromTheLeastOn) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 2000; ++i) {
        const Values values = draw_values(random);
        const std::size_t window = 1 + random() % values.size();
        EXPECT_EQ(periods(values, window), periods_by_definition(values, window));
        EXPECT_EQ(periods(values, window, SIZE_MAX), periods(values, window, 1));
    }
}

TEST(Recurrence, FindsNoneInFewerItemsThanTheWindow) {
    EXPECT_TRUE(periods({}, 1).empty());
    EXPECT_TRUE(periods({5}, 1).empty());
    EXPECT_TRUE(periods({5, 5}, 3).empty());
}

// The window is at least the one of Guy and Smith, whatever the period.
TEST(WindowToProve, IsTheLastPartOfWhatTheTheoremComparesHeapsTo) {
    for (const protocol::Number parts : {1, 2, 3}) {
        for (const protocol::Number reach : {1, 2, 7}) {
            for (std::size_t size = 1; size < 60; ++size) {
                const std::size_t window = window_to_prove(size, parts, reach);
                for (protocol::Number period = 1; period < size; ++period) {
                    for (protocol::Number first = 1; first + period < size; ++first) {
                        const bool proves =
                            heaps_to_prove({first, period, 0}, parts, reach) <= size;
                        EXPECT_EQ(proves, size - period - first >= window)
                            << parts << ' ' << reach << ' ' << size;
                    }
                }
            }
        }
    }
}

}  // namespace engine::test::recurrence_test
