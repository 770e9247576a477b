#include "arena/players/names.hpp"

namespace arena::names_test {

using namespace testing;

PlayerSpec given(const std::string& name) {
    PlayerSpec spec;
    spec.name = name;
    spec.name_given = true;
    return spec;
}

PlayerSpec from_text(const std::string& name) {
    PlayerSpec spec;
    spec.name = name;
    return spec;
}

TEST(Names, AreThoseOfTheCommandLineUntilPlayersIntroduceThemselves) {
    Names names({from_text("bot.py"), from_text("nim-engine")});
    EXPECT_THAT(names.all(), ElementsAre("bot.py", "nim-engine"));
    names.introduce(1, "Perfect");
    EXPECT_THAT(names.all(), ElementsAre("bot.py", "Perfect"));
    EXPECT_EQ(names.of(0), "bot.py");
    EXPECT_EQ(names.of(1), "Perfect");
}

TEST(Names, ThatWereGivenStay) {
    Names names({given("Ann"), from_text("bot.py")});
    names.introduce(0, "Perfect");
    EXPECT_EQ(names.of(0), "Ann");
}

TEST(Names, ThatWereGivenAreNotTakenByAHandshake) {
    Names names({from_text("bot.py"), given("Bob")});
    names.introduce(0, "Bob");
    EXPECT_THAT(names.all(), ElementsAre("Bob (2)", "Bob"));
}

TEST(Names, AreTakenFromTheFirstIntroduction) {
    Names names({from_text("a"), from_text("b")});
    names.introduce(0, "First");
    names.introduce(0, "Second");
    EXPECT_EQ(names.of(0), "First");
}

TEST(Names, ArePrintable) {
    const struct {
        std::string_view introduced, shown;
    } cases[] = {
        {"  Deep Nim 1.0 \t", "Deep Nim 1.0"},
        {"", "bot"},
        {" \t ", "bot"},
        {"a\x1b[1mb", "a\\x1b[1mb"},
        {"\xff", "\xEF\xBF\xBD"},
    };
    for (const auto& row : cases) {
        Names names({from_text("bot"), from_text("other")});
        names.introduce(0, row.introduced);
        EXPECT_EQ(names.of(0), row.shown);
    }
}

TEST(Names, MayComeAfterOneThatIsEmpty) {
    Names names({from_text("bot"), from_text("other")});
    names.introduce(0, " ");
    names.introduce(0, "Late");
    EXPECT_EQ(names.of(0), "Late");
}

TEST(Names, AreMadeDistinct) {
    Names names({given("Ann"), from_text("bot")});
    names.introduce(1, "Ann");
    EXPECT_THAT(names.all(), ElementsAre("Ann", "Ann (2)"));
    EXPECT_EQ(names.of(1), "Ann (2)");
}

TEST(Names, TellWhoEndedByItselfAndHowTheFirstTime) {
    Names names({given("Ann"), given("Bob"), given("Eve")});
    EXPECT_EQ(names.remarks(), "");
    names.count_own_end(2, "ended with exit status 0");
    names.count_own_end(0, "ended with exit status 1 (game over, bye)");
    names.count_own_end(0, "was ended by SIGSEGV");
    EXPECT_EQ(
        names.remarks(),
        "Ann: its process ended with exit status 1 (game over, bye) after 2 games, without "
        "being sent `quit`\n"
        "Eve: its process ended with exit status 0 after 1 game, without being sent `quit`");
}

TEST(Names, AreSharedByThreads) {
    Names names({from_text("bot"), from_text("other")});
    std::thread introducing([&] {
        for (int i = 0; i < 1000; ++i) names.introduce(0, "Ann");
    });
    for (int i = 0; i < 1000; ++i) {
        const std::string name = names.of(0);
        EXPECT_TRUE(name == "bot" || name == "Ann") << name;
    }
    introducing.join();
    EXPECT_EQ(names.of(0), "Ann");
}

}  // namespace arena::names_test
