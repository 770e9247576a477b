#include "arena/record/visits.hpp"

#include "arena/record/open_store.hpp"
#include "tests/arena/store_games.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::visits_test {

using namespace testing;

Visit full_visit() {
    Visit visit{
        2, std::chrono::system_clock::time_point(std::chrono::milliseconds(1'700'000'000'123))};
    visit.check =
        "ok      handshake      starts\nFAILED  nim            plays\n    read: 'x'\n";
    visit.passed = false;
    visit.right = 198;
    visit.asked = 200;
    visit.position = "nim:3,4 misere";
    visit.said = "1=0";
    visit.better = "2=3";
    return visit;
}

TEST(Visits, AreReadAsTheyWereWrittenBesideTheGames) {
    const Visit full = full_visit();
    const Visit empty{1, full.began};
    const test::TemporaryFolder folder;
    const std::string file = folder.file("clinic.db");
    {
        const auto store = *open_sqlite_store(file);
        ASSERT_TRUE(store->open(kConfiguration));
        ASSERT_TRUE(store->join(four_players()));
        ASSERT_TRUE(store->plan({round_plan(1), plan_of(full, 1)}));
        ASSERT_TRUE(store->plan({plan_of(empty, 2), round_plan(2)}));
        EXPECT_EQ(store->claim(9)->size(), 4u);
    }
    const auto store = *open_sqlite_store(file);
    std::vector<Visit> visits;
    ASSERT_TRUE(for_each_event(*store, [&](const Event& event) {
        const auto* plan = std::get_if<RoundPlan>(&event.what);
        const auto visit = plan == nullptr ? std::nullopt : visit_of(*plan);
        if (visit) visits.push_back(*visit);
    }));
    EXPECT_THAT(visits, ElementsAre(full, empty));
}

TEST(Visits, WhatIsNoReportIsLeftOut) {
    RoundPlan plan = plan_of(full_visit(), 7);
    EXPECT_EQ(plan.round, 7);
    EXPECT_TRUE(visit_of(plan));
    for (const char* note :
         {"", "2 1 1 1 1\n\n\n\n", "1 1 1 1\n\n\n\n", "1 99999 1 1 1\n\n\n\n",
          "1 1 9007199254740992 1 1\n\n\n\n", "1 1 1 1 1 2\n\n\n\n", "1 1 1 1 1 x\n\n\n\n",
          "1 1 1 1 1 1 1\n\n\n\n"}) {
        plan.note = note;
        EXPECT_FALSE(visit_of(plan)) << note;
    }
    EXPECT_FALSE(visit_of(round_plan(1)));
}

}  // namespace arena::visits_test
