#include "engine/heaps/subtraction_table.hpp"

namespace engine::test::free_values_test {

TEST(FreeValues, FindsTheLeastThatIsMissing) {
    std::mt19937_64 random(4);
    for (const std::size_t range : {3, 64, 200, 5000}) {
        FreeValues values;
        std::set<std::size_t> plain;
        for (int i = 0; i < 30000; ++i) {
            const std::size_t value = random() % range;
            if (plain.insert(value).second) {
                values.insert(value);
            } else if (i % 3 == 0) {
                plain.erase(value);
                values.erase(value);
            }
            std::size_t least = 0;
            if (i % 16 == 0) {
                while (plain.contains(least)) ++least;
                ASSERT_EQ(values.least_missing(), least) << range;
            }
        }
    }
}

TEST(FreeValues, GrowsWhenFull) {
    FreeValues values;
    for (std::size_t value = 0; value < 70000; ++value) {
        ASSERT_EQ(values.least_missing(), value);
        values.insert(value);
    }
    values.erase(4096);
    EXPECT_EQ(values.least_missing(), 4096u);
}

}  // namespace engine::test::free_values_test
