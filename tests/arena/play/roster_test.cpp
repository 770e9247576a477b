#include "arena/play/roster.hpp"

namespace arena::roster_test {

using namespace testing;

LobbySession session(int microseconds) {
    LobbySession session;
    session.address = "127.0.0.1:4000";
    session.round_trip = Microseconds(microseconds);
    return session;
}

TEST(Roster, NumbersNamesInOrderAfterTheServersOwn) {
    Roster roster({"House"}, 4);
    roster.add("Ann");
    EXPECT_EQ(*roster.admit("Bob"), 2);
    EXPECT_EQ(*roster.admit("Ann"), 1);
    EXPECT_EQ(*roster.admit("Bob"), 2);
    EXPECT_THAT(roster.names(), ElementsAre("House", "Ann", "Bob"));
    EXPECT_THAT(roster.admit("House").error().text, HasSubstr("name: a player of the server"));
}

TEST(Roster, HasALimit) {
    Roster roster({"House"}, 2);
    EXPECT_TRUE(roster.admit("Ann"));
    EXPECT_THAT(roster.admit("Bob").error().text, HasSubstr("full: "));
    EXPECT_TRUE(roster.admit("Ann")) << "who has a number keeps it";
}

TEST(Roster, KnowsThePresentPlayers) {
    Roster roster({"House"}, 9);
    EXPECT_EQ(roster.present(), 1u);
    const int ann = *roster.admit("Ann");
    EXPECT_EQ(roster.present(), 1u) << "admitted, and still to come";
    roster.came(ann, session(300));
    EXPECT_EQ(roster.present(), 2u);
    roster.left(ann, "it closed the connection");
    EXPECT_EQ(roster.present(), 1u);
}

class BegunRoster : public testing::Test {
  protected:
    Roster::Events events() {
        return {
            [this](const Entrant& entrant) { joined_.push_back(entrant.name); },
            [this](int player, bool is_present) { present_.emplace_back(player, is_present); }};
    }

    Roster roster_{{"House"}, 9};
    std::vector<std::string> joined_;
    std::vector<std::pair<int, bool>> present_;
};

TEST_F(BegunRoster, ReportsLateJoinersArrivalsAndDepartures) {
    const int ann = *roster_.admit("Ann");
    const int bob = *roster_.admit("Bob");
    roster_.came(ann, session(1));
    // Bob proved his identity after the first players were counted.
    roster_.begin(2, false, events());
    EXPECT_THAT(joined_, ElementsAre("Bob"));
    EXPECT_THAT(present_, ElementsAre(std::pair(ann, true), std::pair(bob, false)));
    const int cy = *roster_.admit("Cy");
    EXPECT_THAT(joined_, ElementsAre("Bob", "Cy"));
    roster_.came(cy, session(1));
    roster_.left(ann, "gone");
    EXPECT_THAT(present_, ElementsAre(std::pair(ann, true), std::pair(bob, false),
                                      std::pair(cy, true), std::pair(ann, false)));
    roster_.tell_presence(cy);
    EXPECT_EQ(present_.back(), std::pair(cy, true));
}

TEST_F(BegunRoster, LetsNobodyJoinAClosedContest) {
    const int ann = *roster_.admit("Ann");
    roster_.begin(2, true, events());
    EXPECT_THAT(roster_.admit("Bob").error().text, HasSubstr("late: "));
    EXPECT_EQ(*roster_.admit("Ann"), ann);
    EXPECT_THAT(joined_, IsEmpty());
}

TEST(Roster, TellsHowManyAreAwaited) {
    Roster roster({"House"}, 9);
    std::vector<std::string> lines;
    roster.tell([&](const std::string& line) { lines.push_back(line); });
    roster.await(3);
    const int ann = *roster.admit("Ann");
    roster.came(ann, session(300));
    EXPECT_EQ(lines.back(),
              "Ann came from 127.0.0.1:4000, round trip 0.3 ms, waiting for 1 more");
    EXPECT_EQ(roster.greeting(ann), R"({"event":"connected","name":"Ann","awaited":1})");
    const int bob = *roster.admit("Bob");
    roster.came(bob, session(300));
    EXPECT_EQ(lines.back(), "Bob came from 127.0.0.1:4000, round trip 0.3 ms");
    EXPECT_EQ(roster.greeting(bob), R"({"event":"connected","name":"Bob","awaited":0})");
}

TEST(Roster, TellsOfOneThatComesAndGoesAllTheTimeOnceAMinute) {
    Roster roster({}, 9);
    std::vector<std::string> lines;
    roster.tell([&](const std::string& line) { lines.push_back(line); });
    const int ann = *roster.admit("Ann");
    const int bob = *roster.admit("Bob");
    auto now = Clock::now();
    for (int i = 0; i < 1000; ++i, now += std::chrono::milliseconds(10)) {
        roster.came(ann, session(300), now);
        roster.left(ann, "it closed the connection", now);
    }
    roster.came(bob, session(300), now);
    EXPECT_THAT(lines, ElementsAre("Ann came from 127.0.0.1:4000, round trip 0.3 ms",
                                   "Ann has gone: it closed the connection",
                                   "Bob came from 127.0.0.1:4000, round trip 0.3 ms"));
    roster.came(ann, session(300), now + std::chrono::minutes(1));
    EXPECT_EQ(lines.back(),
              "Ann came from 127.0.0.1:4000, round trip 0.3 ms (and 999 times more before)");
    roster.came(bob, session(300), now + std::chrono::minutes(1));
    EXPECT_EQ(lines.back(), "Bob came from 127.0.0.1:4000, round trip 0.3 ms");
}

}  // namespace arena::roster_test
