#include "arena/contest/matching.hpp"

#include <limits>

namespace arena::matching_test {

std::int64_t cost_of(const PairCosts& costs, const std::vector<std::size_t>& partners) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < partners.size(); ++i) sum += costs(i, partners[i]);
    return sum / 2;
}

// The minimum cost, by dynamic programming over all sets of players.
std::int64_t least_cost(const PairCosts& costs) {
    std::vector<std::int64_t> least(std::size_t{1} << costs.size(),
                                    std::numeric_limits<std::int64_t>::max() / 2);
    least[0] = 0;
    for (std::size_t set = 0; set + 1 < least.size(); ++set) {
        std::size_t a = 0;
        while ((set >> a & 1) != 0) ++a;
        for (std::size_t b = a + 1; b < costs.size(); ++b) {
            if ((set >> b & 1) != 0) continue;
            auto& with = least[set | std::size_t{1} << a | std::size_t{1} << b];
            with = std::min(with, least[set] + costs(a, b));
        }
    }
    return least.back();
}

PairCosts drawn_costs(std::size_t size, std::uint64_t below, std::mt19937_64& random) {
    PairCosts costs(size);
    for (std::size_t a = 0; a < size; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            costs.set(a, b, static_cast<std::int64_t>(random() % below));
        }
    }
    return costs;
}

void expect_perfect(const std::vector<std::size_t>& partners) {
    for (std::size_t i = 0; i < partners.size(); ++i) {
        ASSERT_LT(partners[i], partners.size());
        ASSERT_NE(partners[i], i);
        ASSERT_EQ(partners[partners[i]], i);
    }
}

void expect_cheapest(const PairCosts& costs) {
    const auto partners = cheapest_matching(costs);
    expect_perfect(partners);
    ASSERT_EQ(cost_of(costs, partners), least_cost(costs));
}

TEST(Matching, CostsAsLittleAsTheBestOfAllMatchings) {
    std::mt19937_64 random(1);
    for (const std::size_t size : {2u, 4u, 6u, 8u, 10u}) {
        for (const std::uint64_t below : {2u, 3u, 10u, 1000u}) {
            for (int round = 0; round < (size == 10 ? 100 : 500); ++round)
                expect_cheapest(drawn_costs(size, below, random));
        }
    }
}

TEST(Matching, IsCheapestAmongSixteenWithCyclesInCycles) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 20; ++round) {
        // Few cheap edges, so that blossoms form, nest and are expanded.
        PairCosts costs(16);
        for (std::size_t a = 0; a < 16; ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                const auto drawn = random();
                costs.set(a, b,
                          drawn % 5 == 0 ? static_cast<std::int64_t>(drawn / 5 % 20)
                                         : 1000 + static_cast<std::int64_t>(drawn % 50));
            }
        }
        expect_cheapest(costs);
    }
}

TEST(Matching, PairsThoseFarApartInOrder) {
    // On a line, the cheapest matching pairs neighbours, in whatever order they are given.
    std::mt19937_64 random(3);
    std::vector<std::int64_t> places;
    for (std::int64_t i = 0; i < 200; ++i) places.push_back(i * i);
    std::ranges::shuffle(places, random);
    PairCosts costs(places.size());
    for (std::size_t a = 0; a < places.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) costs.set(a, b, std::abs(places[a] - places[b]));
    }
    std::int64_t least = 0;
    for (std::int64_t i = 0; i < 200; i += 2) least += (i + 1) * (i + 1) - i * i;
    const auto partners = cheapest_matching(costs);
    expect_perfect(partners);
    EXPECT_EQ(cost_of(costs, partners), least);
}

TEST(Matching, CutsARankingIntoBlocksThatAreLargeEnough) {
    for (std::size_t players = 0; players <= 300; players += 2) {
        for (const std::size_t least : {2u, 8u, 64u}) {
            std::size_t sum = 0;
            for (const std::size_t size : blocks_of_ranking(players, least)) {
                EXPECT_EQ(size % 2, 0u);
                EXPECT_GE(size, std::min(least, players));
                EXPECT_LT(size, 2 * least);
                sum += size;
            }
            EXPECT_EQ(sum, players);
        }
    }
}

TEST(Matching, OfNoPlayersIsEmpty) { EXPECT_TRUE(cheapest_matching(PairCosts(0)).empty()); }

}  // namespace arena::matching_test
