#include "arena/commands/rubric.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace arena::rubric_test {

using testing::ElementsAre;

RubricPart part(double points, double least, double full) {
    RubricPart part;
    part.points = points;
    part.least = least;
    part.full = full;
    return part;
}

TEST(Rubrics, GivePointsBetweenTwoShares) {
    EXPECT_EQ(points_for(part(10, 0, 1), 0), 0);
    EXPECT_EQ(points_for(part(10, 0, 1), 0.5), 5);
    EXPECT_EQ(points_for(part(10, 0, 1), 1), 10);
    EXPECT_EQ(points_for(part(30, 0.5, 1), 0.4), 0);
    EXPECT_EQ(points_for(part(30, 0.5, 1), 0.75), 15);
    EXPECT_EQ(points_for(part(30, 0.5, 0.9), 0.95), 30);
    EXPECT_EQ(points_for(part(10, 0, 1), 1.0 / 3), 3.33);
}

TEST(Rubrics, AreRead) {
    const auto rubric = read_rubric(R"(
name = "Nim"
run = "python3 bot.py"
seed = 7
time = 60
sandbox = false
[[part]]
name = "a"
kind = "check"
points = 10
[[part]]
name = "b"
kind = "certify"
family = ["nim:1 heap of 1-5", "kayles:1 heap of 1-5"]
repeat = 3
points = 2.5
least = 0.25
hidden = true
[[part]]
name = "c"
kind = "match"
opponent = "builtin:greedy"
suite = "nim;size=small"
bonus = true
[[part]]
name = "d"
kind = "error-rate"
bound = true
bonus = true
)",
                                    "x.toml");
    ASSERT_TRUE(rubric) << rubric.error().text;
    EXPECT_EQ(rubric->name, "Nim");
    EXPECT_EQ(rubric->run, "python3 bot.py");
    EXPECT_EQ(rubric->seed, 7u);
    EXPECT_EQ(rubric->time, std::chrono::seconds(60));
    EXPECT_FALSE(rubric->sandbox);
    ASSERT_EQ(rubric->parts.size(), 4u);
    EXPECT_EQ(rubric->parts[0].kind, PartKind::Check);
    EXPECT_THAT(rubric->parts[1].arguments,
                ElementsAre("--family", "nim:1 heap of 1-5", "--family", "kayles:1 heap of 1-5",
                            "--repeat", "3"));
    EXPECT_TRUE(rubric->parts[1].hidden);
    EXPECT_EQ(rubric->parts[1].least, 0.25);
    EXPECT_EQ(rubric->parts[2].opponent, "builtin:greedy");
    EXPECT_THAT(rubric->parts[2].arguments,
                ElementsAre("--games", "20", "--suite", "nim;size=small"));
    EXPECT_FALSE(rubric->parts[2].bound);
    EXPECT_EQ(rubric->parts[3].kind, PartKind::ErrorRate);
    EXPECT_EQ(rubric->parts[3].opponent, "builtin:perfect");
    EXPECT_THAT(rubric->parts[3].arguments, ElementsAre("--games", "100"));
    EXPECT_TRUE(rubric->parts[3].bound);
    EXPECT_EQ(rubric->points(), 12.5);
}

TEST(Rubrics, ErrorsOfAPlayersFileAreReportedToTheStudent) {
    EXPECT_EQ(*read_player_file("run = \"./bot\"\n", "player.toml"), "./bot");
    EXPECT_EQ(read_player_file("", "player.toml").error().text,
              "player.toml, line 1, column 1: expected the key 'run'");
    EXPECT_EQ(read_player_file("rum = \"./bot\"\nrun = \"./bot\"", "player.toml").error().text,
              "player.toml, line 1, column 7: unknown key 'rum', did you mean run?");
}

}  // namespace arena::rubric_test
