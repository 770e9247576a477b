#include "arena/commands/options.hpp"
#include "tests/arena/postgres_server.hpp"
#include "tests/arena/store_games.hpp"

namespace arena::status_test {

using namespace testing;
using namespace std::chrono_literals;

ContestStatus example() {
    ContestStatus status;
    status.name = "Spring";
    status.format = "swiss";
    status.players = 4;
    status.total = 100;
    WorkerStatus first;
    first.id = 1;
    first.info = {"db1", 4711, 2, 1000, "0.1.0", 16};
    first.is_live = true;
    first.load = 0.5;
    first.games = 30;
    first.leases = 4;
    first.rate = 3;
    first.silence = 1s;
    WorkerStatus second = first;
    second.id = 2;
    second.info.machine = "lab7";
    second.info.speed = 800;
    second.is_live = false;
    second.games = 10;
    second.late = 1;
    second.silence = 65s;
    status.workers = {first, second};
    status.queue = {6, 4, 40, true, false};
    return status;
}

TEST(Status, ShowsProgressAndMachines) {
    const std::string text = status_text(example());
    for (const char* part :
         {"Spring: swiss, 4 players: 40 of 100 games, 3.0 games/s, 20 s left\n",
          "1 worker at work; 6 pairs wait, 4 are being played; rounds are planned\n"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(text,
                ContainsRegex("worker +machine +process +cores +speed +load +games +games/s "
                              "+pairs +late +seen"));
    EXPECT_THAT(text, ContainsRegex("1 +db1 +4711 +2 +100% +0.50 +30 +3.0 +4 +0 +now"));
    EXPECT_THAT(text,
                ContainsRegex("2 +lab7 +4711 +2 +80% +0.50 +10 +- +4 +1 +1 min 05 s ago"));
}

TEST(Status, IsAnObjectForPrograms) {
    ContestStatus status = example();
    status.workers.resize(1);
    EXPECT_EQ(
        status_json(status),
        R"({"name":"Spring","format":"swiss","players":4,"games":30,"total":100,"rate":3E0,)"
        R"("seconds_left":2.3333333333333332E1,"over":false,"planned":true,"waiting":6,)"
        R"("claimed":4,"workers":[{"worker":1,"machine":"db1","process":4711,"cores":2,)"
        R"("machine_cores":16,"speed":1000,"version":"0.1.0","live":true,"load":5E-1,"games":30,"rate":3E0,)"
        R"("pairs":4,"late":0,"seen_s_ago":1E0}]})"
        "\n");
}

TEST(Status, ReadsARecord) {
    PostgresServer& server = PostgresServer::instance();
    const auto store = server.store(server.empty_database());
    EXPECT_THAT(read_status(*store).error().text, HasSubstr("no tournament has begun"));
    ASSERT_TRUE(store->open({{"format", "round-robin"},
                             {"games", "2"},
                             {"seed", "7"},
                             std::pair<std::string, std::string>(kSeedHashSetting)}));
    ASSERT_TRUE(store->join(four_players()));
    ASSERT_TRUE(store->plan({round_plan(1)}));
    ASSERT_TRUE(store->sharing()->enlist({"db1", 1, 1, 1, ""}));
    const auto claims = store->claim(1);
    ASSERT_TRUE(store->record({finished(claims->front(), 1)}));
    const auto status = read_status(*store);
    ASSERT_TRUE(status) << status.error().text;
    EXPECT_EQ(status->games(), 1u);
    EXPECT_EQ(status->total, 12u);
    EXPECT_EQ(status->queue.waiting, 1u);
    EXPECT_EQ(status->queue.leased, 1u);
    EXPECT_EQ(status->workers.size(), 1u);
}

}  // namespace arena::status_test
