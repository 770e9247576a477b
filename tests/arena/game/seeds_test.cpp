#include "arena/game/seeds.hpp"

namespace arena::seeds_test {

constexpr std::uint64_t kKey0 = 0x0706050403020100;
constexpr std::uint64_t kKey1 = 0x0F0E0D0C0B0A0908;

TEST(Seeds, MixIsTheFinalizerOfSplitMix64) {
    // The first outputs of the published generator, seeded with 0 and with 1234567.
    EXPECT_EQ(mix(0), 0xE220A8397B1DCDAFu);
    EXPECT_EQ(mix(0x9E3779B97F4A7C15), 0x6E789E6AA1B965F4u);
    EXPECT_EQ(mix(1234567), 6457827717110365317u);
}

TEST(Seeds, SipHashGivesThePublishedVectors) {
    // vectors.h of the reference implementation: messages 00 01 02 … of 0, 8 and 56 bytes.
    EXPECT_EQ(siphash(kKey0, kKey1, {}), 0x726FDB47DD0E0E31u);
    EXPECT_EQ(siphash(kKey0, kKey1, {kKey0}), 0x93F5F5799A932462u);
    EXPECT_EQ(siphash(kKey0, kKey1,
                      {kKey0, kKey1, 0x1716151413121110, 0x1F1E1D1C1B1A1918, 0x2726252423222120,
                       0x2F2E2D2C2B2A2928, 0x3736353433323130}),
              0xB78DBFAF3A8D83BDu);
}

TEST(Seeds, DifferForEveryGameAndSeatAndFitADouble) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        for (int game = 1; game <= 500; ++game) {
            const Seeds seeds(seed);
            const auto number = static_cast<std::uint64_t>(game);
            for (const std::uint64_t seat : {0, 1}) {
                for (const std::uint64_t value :
                     {seeds.of_game(number, seat), seeds.of_game({{1, 1, 1, game, 1}, 1}, seat),
                      seeds.of_game({{1, 1, game, 1, 1}, 2}, seat),
                      seeds.of_position(2 * number + seat)}) {
                    EXPECT_LT(value, kSeedLimit);
                    EXPECT_TRUE(seen.insert(value).second) << seed << " " << game;
                }
            }
        }
    }
}

TEST(Seeds, AreTheSameForEver) {
    const Seeds seeds(7);
    EXPECT_EQ(seeds.of_game(1, 0), siphash(7, 0x616E6572616D694E, {1, 1, 0}) >> 11);
    EXPECT_EQ(seeds.of_game({{1, 2, 3, 4, 5}, 2}, 1),
              siphash(7, 0x616E6572616D694E, {2, 1, 2, 3, 4, 5, 2, 1}) >> 11);
    EXPECT_EQ(seeds.of_replacements({{1, 2, 3, 4, 5}, 2}, 1),
              siphash(7, 0x616E6572616D694E, {3, 1, 2, 3, 4, 5, 2, 1}));
    EXPECT_EQ(seeds.of_position(3), siphash(7, 0x616E6572616D694E, {4, 3}) >> 11);
    EXPECT_EQ(seeds.of_lot(2, 3), siphash(7, 0x616E6572616D694E, {5, 2, 3}));
    EXPECT_EQ(seeds.of_request(4), siphash(7, 0x616E6572616D694E, {6, 4}));
}

// Of 63 bits: a bot could find seeds below 2^53 by trying all of them.
TEST(Seeds, AreFreshEachTimeAndLong) {
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 8; ++i) seen.insert(fresh_seed());
    EXPECT_EQ(seen.size(), 8u);
    EXPECT_LT(*seen.rbegin(), kMatchSeedLimit);
    EXPECT_GT(*seen.rbegin(), std::uint64_t{1} << 53);
}

}  // namespace arena::seeds_test
