#include "arena/grade/rubric.hpp"

namespace arena::rubric_test {

using namespace testing;

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
    EXPECT_EQ(points_for(part(3.333, 0, 0.9), 0.9), 3.333) << "all that there are";
    EXPECT_EQ(points_for(part(6.667, 0, 1), 0.9998), 6.66) << "not all";
}

TEST(Rubrics, AreRead) {
    const auto rubric = read_rubric(R"(
name = "Nim"
run = "python3 bot.py"
student = "moodle"
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
family = ["nim;heaps=1;size=1..5", "kayles;heaps=1;size=1..5"]
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
    EXPECT_EQ(rubric->student, "moodle");
    EXPECT_EQ(rubric->name, "Nim");
    EXPECT_EQ(rubric->run, "python3 bot.py");
    EXPECT_EQ(rubric->seed, 7u);
    EXPECT_EQ(rubric->time, std::chrono::seconds(60));
    EXPECT_FALSE(rubric->sandbox);
    ASSERT_EQ(rubric->parts.size(), 4u);
    EXPECT_EQ(rubric->parts[0].kind, PartKind::Check);
    EXPECT_THAT(rubric->parts[1].arguments,
                ElementsAre("--family", "nim;heaps=1;size=1..5", "--family",
                            "kayles;heaps=1;size=1..5", "--repeat", "3"));
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

constexpr char kPart[] = "[[part]]\nname = \"a\"\nkind = \"check\"\n";

TEST(Rubrics, SayHowLanguagesAreBuilt) {
    const std::string name = "name = \"Nim\"\n";
    const auto built_in = read_rubric(name + kPart, "x.toml");
    ASSERT_TRUE(built_in) << built_in.error().text;
    EXPECT_EQ(built_in->languages.size(), built_in_languages().size());
    const auto run = read_rubric(name + "run = \"./bot\"\n" + kPart, "x.toml");
    ASSERT_TRUE(run) << run.error().text;
    EXPECT_TRUE(run->languages.empty());
    const auto own = read_rubric(name + "build_time = 20\n" + kPart +
                                     "[[language]]\nfile = \"a.c|*.c\"\nbuild = \"cc {file}\"\n"
                                     "run = \"./a.out\"\n",
                                 "x.toml");
    ASSERT_TRUE(own) << own.error().text;
    ASSERT_EQ(own->languages.size(), 1u);
    EXPECT_EQ(own->languages[0].build, "cc {file}");
    EXPECT_EQ(own->build_time, std::chrono::seconds(20));
}

TEST(Rubrics, MeasureTimeAndMemory) {
    const auto rubric = read_rubric(R"(
name = "Nim"
[[part]]
name = "a"
kind = "time"
within = 100
opponent = "builtin:eps:0.1"
[[part]]
name = "b"
kind = "memory"
most = "64M"
)",
                                    "x.toml");
    ASSERT_TRUE(rubric) << rubric.error().text;
    EXPECT_EQ(rubric->parts[0].within, std::chrono::milliseconds(100));
    EXPECT_THAT(rubric->parts[0].arguments, ElementsAre("--games", "20"));
    EXPECT_EQ(rubric->parts[1].most, 64u << 20);
    EXPECT_EQ(rubric->parts[1].opponent, "builtin:perfect");
}

TEST(Rubrics, ErrorsSayWhere) {
    const std::string part = kPart;
    const std::string match = "[[part]]\nname = \"a\"\nkind = \"match\"\n";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"seeds = 1\n", "line 2, column 9: unknown key 'seeds', did you mean seed?"},
        {"run = \"\"\n", "line 2, column 7: run: expected a text that is not empty"},
        {"time = 0\n", "time: expected a whole number 1..604800"},
        {"student = \"x\"\n", "line 2, column 11: student: read 'x' with 0 groups, expected "},
        {"[[part]]\nname = \"a\"\nkind = \"chess\"\n",
         "kind: expected check, certify, match, error-rate, time or memory"},
        {part, "read a second part 'a', expected different names"},
        {part + "points = -1\n", "points: expected a number 0..1000000"},
        {part + "least = 1\n", "expected `least` below `full`"},
        {"[[part]]\nname = \"a\"\nkind = \"time\"\n",
         "line 2, column 1: expected the key 'within'"},
        {"[[part]]\nname = \"a\"\nkind = \"memory\"\nmost = \"lots\"\n",
         "line 5, column 8: most: read 'lots', expected"},
        {match + "opponent = \"builtin:eps\"\n",
         "line 5, column 12: opponent: read 'eps', expected eps:E"},
        {match + "opponent = \"human\"\n",
         "line 5, column 12: opponent: read 'human', expected a command, tcp://HOST:PORT or "
         "builtin:NAME"},
        {match + "opponent = \"listen://127.0.0.1:0\"\n",
         "opponent: read 'listen://127.0.0.1:0', expected a command"},
        {match + "opponent = \"x\"\ngames = 5\n", "games: expected an even number"},
        {match + "opponent = \"x\"\ngames = 2\nposition = [\"nim:1\", \"nim:2\"]\n",
         "line 7, column 12: position: read 2 positions, expected 1 at most: two of the 2 "
         "games from each"},
        {match + "opponent = \"x\"\nsuite = \"nim;winning=50\"\n", "line 6, column 9: suite: "},
        {"[[part]]\nname = \"a\"\nkind = \"certify\"\nfamily = \"chess;heaps=1;size=1\"\n",
         "line 5, column 10: family: 'chess;heaps=1;size=1': "},
        {"[[part]]\nname = \"a\"\nkind = \"certify\"\n", "expected the key 'family'"},
        {"[[language]]\nfile = \"a.c\"\n", "line 2, column 1: expected the key 'run'"},
        {"[[language]]\nfile = \"a.c\"\nrun = \"a 'b\"\n", "line 2, column 1: run: "},
    };
    for (const auto& [text, error] : cases) {
        const auto rubric = read_rubric("name = \"Nim\"\n" + text + kPart, "x.toml");
        ASSERT_FALSE(rubric) << text;
        EXPECT_THAT(rubric.error().text, HasSubstr(error));
    }
    EXPECT_THAT(read_rubric(part, "x.toml").error().text, HasSubstr("expected the key 'name'"));
    EXPECT_THAT(read_rubric("name = \"Nim\"\n", "x.toml").error().text,
                HasSubstr("expected [[part]] with name, kind and points"));
}

}  // namespace arena::rubric_test
