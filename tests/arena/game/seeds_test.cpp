#include "arena/game/seeds.hpp"

#include <gtest/gtest.h>

#include <set>

namespace arena {
namespace {

TEST(Seeds, MixIsTheFinalizerOfSplitMix64) {
    // The first outputs of the published generator, seeded with 0 and with 1234567.
    EXPECT_EQ(mix(0), 0xE220A8397B1DCDAFu);
    EXPECT_EQ(mix(0x9E3779B97F4A7C15), 0x6E789E6AA1B965F4u);
    EXPECT_EQ(mix(1234567), 6457827717110365317u);
}

TEST(Seeds, DifferForEveryGameAndSeatAndFitADouble) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        for (std::uint64_t game = 1; game <= 1000; ++game) {
            for (std::uint64_t seat = 0; seat <= 2; ++seat) {
                const std::uint64_t value = game_seed(seed, game, seat);
                EXPECT_LT(value, kSeedLimit);
                EXPECT_TRUE(seen.insert(value).second) << seed << " " << game << " " << seat;
            }
        }
    }
}

TEST(Seeds, AreTheSameForEver) {
    static_assert(game_seed(7, 1, 0) == mix(mix(mix(7) + 1)) >> 11);
    static_assert(position_seed(7, 3) == game_seed(7, 3, 2));
}

TEST(Seeds, AreFreshEachTime) {
    const std::uint64_t first = fresh_seed();
    EXPECT_LT(first, kSeedLimit);
    EXPECT_NE(first, fresh_seed());
}

}  // namespace
}  // namespace arena
