#include "arena/schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "arena/seeds.hpp"
#include "tests/arena/stand_in_analyst.hpp"

namespace arena {
namespace {

MatchOptions options_for(const std::vector<std::string>& positions, std::uint64_t games) {
    MatchOptions options;
    for (const std::string& text : positions) {
        options.positions.push_back(*protocol::parse_position(text));
    }
    options.games = games;
    options.seed = 7;
    return options;
}

TEST(Schedule, PlaysPairsWithTheSeatsSwapped) {
    const StandInAnalyst analyst;
    const Schedule schedule(options_for({"nim:3", "nim:4"}, 6), analyst);
    ASSERT_EQ(schedule.size(), 6u);
    for (std::uint64_t game = 1; game <= 6; ++game) {
        const GameTask task = schedule.task(game);
        EXPECT_EQ(task.game, game);
        EXPECT_EQ(task.pair, (game + 1) / 2);
        EXPECT_EQ(task.players[0], game % 2 == 1 ? 0 : 1);
        EXPECT_EQ(task.players[1], game % 2 == 1 ? 1 : 0);
        EXPECT_EQ(task.seeds[0], game_seed(7, game, 0));
        EXPECT_EQ(task.seeds[1], game_seed(7, game, 1));
    }
}

TEST(Schedule, SpreadsPairsEvenlyTheFirstPositionsGettingOneMore) {
    const StandInAnalyst analyst;
    const Schedule schedule(options_for({"nim:3", "nim:4", "nim:5"}, 16), analyst);
    std::map<std::string, int> games;
    for (std::uint64_t game = 1; game <= 16; ++game) {
        ++games[to_string(*schedule.task(game).position)];
    }
    EXPECT_EQ(games, (std::map<std::string, int>{{"nim:3", 6}, {"nim:4", 6}, {"nim:5", 4}}));
}

TEST(Schedule, DrawsHalfOfThePositionsWonAndHalfLost) {
    const StandInAnalyst analyst;
    const Schedule schedule(options_for({}, 200), analyst);
    std::set<std::string> texts;
    std::set<std::size_t> sizes;
    for (std::uint64_t game = 1; game <= 200; ++game) {
        const GameTask task = schedule.task(game);
        const auto start = engine::Game::start(*task.position);
        ASSERT_TRUE(start);
        EXPECT_EQ(analyst.outcome(*start, {}),
                  task.pair % 2 == 1 ? engine::Outcome::N : engine::Outcome::P);
        ASSERT_EQ(task.position->components.size(), 1u);
        const auto& heaps = task.position->components[0].heaps;
        sizes.insert(heaps.size());
        for (const auto& heap : heaps) {
            EXPECT_GE(std::get<protocol::Number>(heap), 10u);
            EXPECT_LE(std::get<protocol::Number>(heap), 20u);
        }
        texts.insert(to_string(*task.position));
    }
    EXPECT_EQ(sizes, (std::set<std::size_t>{1, 2, 3, 4}));
    EXPECT_GT(texts.size(), 60u);
}

TEST(Schedule, GivesTheSameGameWheneverAsked) {
    const StandInAnalyst analyst;
    const Schedule schedule(options_for({}, 1000000), analyst);
    const GameTask late = schedule.task(999999);
    const GameTask early = schedule.task(1);
    EXPECT_EQ(*schedule.task(1).position, *early.position);
    EXPECT_EQ(*schedule.task(999999).position, *late.position);
    EXPECT_EQ(*schedule.task(1000000).position, *late.position) << "the other game of the pair";

    MatchOptions other = options_for({}, 10);
    other.seed = 8;
    std::set<bool> same;
    for (std::uint64_t game = 1; game <= 10; ++game) {
        same.insert(*Schedule(other, analyst).task(game).position ==
                    *schedule.task(game).position);
    }
    EXPECT_TRUE(same.contains(false)) << "another seed, other positions";
}

TEST(Schedule, StillDrawsPositionsWhereTheOutcomeIsNotKnown) {
    StandInAnalyst analyst;
    analyst.knows = false;
    const Schedule schedule(options_for({}, 2), analyst);
    EXPECT_TRUE(engine::Game::start(*schedule.task(1).position));
}

}  // namespace
}  // namespace arena
