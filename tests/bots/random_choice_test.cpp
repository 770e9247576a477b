#include "bots/random/random_choice.hpp"

namespace bots::random_choice_test {

engine::Game game(const char* text) {
    auto started = engine::Game::start(*protocol::parse_position(text));
    EXPECT_TRUE(started) << text;
    return *std::move(started);
}

TEST(RandomChoice, DrawsEveryMoveEquallyOften) {
    const auto position = game("nim:2,0,1+take{1,3}:3");
    std::mt19937_64 random(1);
    std::map<std::string, int> drawn;
    constexpr int kDraws = 50'000;
    for (int i = 0; i < kDraws; ++i) ++drawn[to_string(*random_choice(position, random))];
    ASSERT_EQ(drawn.size(), 5u);  // 1=0 1=1 3=0 4=2 4=0
    // The standard deviation is about 89.
    for (const auto& [move, count] : drawn) EXPECT_NEAR(count, kDraws / 5, 450) << move;
}

TEST(RandomChoice, DrawsEveryCandidateEquallyOften) {
    const auto position = *protocol::parse_position("unknown:5,6,7");
    std::vector<protocol::Move> candidates;
    for (const char* text : {"1=4", "2=0", "3=1,1"}) {
        candidates.push_back(*protocol::parse_move(text, position));
    }
    std::mt19937_64 random(1);
    std::map<std::string, int> drawn;
    constexpr int kDraws = 30'000;
    for (int i = 0; i < kDraws; ++i) ++drawn[to_string(*random_choice(candidates, random))];
    ASSERT_EQ(drawn.size(), 3u);
    for (const auto& [move, count] : drawn) EXPECT_NEAR(count, kDraws / 3, 420) << move;
}

TEST(RandomChoice, HasNoMoveWhereThereIsNone) {
    std::mt19937_64 random(1);
    EXPECT_EQ(random_choice(game("nim:0,0+take{5}:4"), random), std::nullopt);
    EXPECT_EQ(random_choice(std::vector<protocol::Move>(), random), std::nullopt);
}

TEST(RandomChoice, IsTheSameForTheSameSeed) {
    const auto position = game("nim:9223372036854775807,9223372036854775807");
    for (const std::uint64_t seed : {0u, 1u, 77u}) {
        std::mt19937_64 one(seed);
        std::mt19937_64 other(seed);
        EXPECT_EQ(random_choice(position, one), random_choice(position, other));
    }
}

}  // namespace bots::random_choice_test
