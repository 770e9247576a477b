#include "arena/game/position_source.hpp"

#include "tests/arena/stand_in_analyst.hpp"

namespace arena::position_source_test {

PositionSource source(const std::vector<std::string>& texts, const engine::Analyst& analyst,
                      std::uint64_t seed = 7) {
    std::vector<protocol::Position> list;
    for (const std::string& text : texts) list.push_back(*protocol::parse_position(text));
    return {list, std::nullopt, seed, analyst};
}

TEST(PositionSource, GoesRoundAList) {
    const StandInAnalyst analyst;
    const PositionSource positions = source({"nim:3", "nim:4", "nim:5"}, analyst);
    std::map<std::string, int> pairs;
    for (std::uint64_t pair = 1; pair <= 8; ++pair) ++pairs[positions.position(pair)->text()];
    EXPECT_EQ(pairs, (std::map<std::string, int>{{"nim:3", 3}, {"nim:4", 3}, {"nim:5", 2}}));
}

TEST(PositionSource, DrawsHalfOfThePositionsWonAndHalfLost) {
    const StandInAnalyst analyst;
    const PositionSource positions = source({}, analyst);
    std::set<std::string> texts;
    std::set<std::size_t> sizes;
    for (std::uint64_t pair = 1; pair <= 100; ++pair) {
        const auto position = *positions.position(pair);
        const auto start = engine::Game::start(*position);
        ASSERT_TRUE(start);
        EXPECT_EQ(analyst.outcome(*start, {}),
                  pair % 2 == 1 ? engine::Outcome::N : engine::Outcome::P);
        ASSERT_EQ((*position).components.size(), 1u);
        const auto& heaps = (*position).components[0].heaps;
        sizes.insert(heaps.size());
        for (const auto& heap : heaps) {
            EXPECT_GE(std::get<protocol::Number>(heap), 10u);
            EXPECT_LE(std::get<protocol::Number>(heap), 20u);
        }
        texts.insert(position.text());
    }
    EXPECT_EQ(sizes, (std::set<std::size_t>{1, 2, 3, 4}));
    EXPECT_GT(texts.size(), 60u);
}

TEST(PositionSource, GivesTheSamePositionWheneverAsked) {
    const StandInAnalyst analyst;
    const PositionSource positions = source({}, analyst);
    const auto late = *positions.position(500'000);
    const auto early = *positions.position(1);
    EXPECT_EQ(*positions.position(1), early);
    EXPECT_EQ(*positions.position(500'000), late);

    const PositionSource other = source({}, analyst, 8);
    std::set<bool> same;
    for (std::uint64_t pair = 1; pair <= 10; ++pair)
        same.insert(*other.position(pair) == *positions.position(pair));
    EXPECT_TRUE(same.contains(false)) << "another seed, other positions";
}

TEST(PositionSource, StillDrawsWhereTheOutcomeIsNotKnown) {
    StandInAnalyst analyst;
    analyst.knows = false;
    const PositionSource positions = source({}, analyst);
    EXPECT_TRUE(engine::Game::start(**positions.position(1)));
}

}  // namespace arena::position_source_test
