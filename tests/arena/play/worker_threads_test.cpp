#include "arena/play/worker_threads.hpp"

namespace arena::worker_threads_test {

constexpr std::optional<int> kAnywhere = std::nullopt;
using Cores = std::vector<std::optional<int>>;

PlayerSpec player(const char* text) { return *parse_player(text); }

struct PlanCase {
    const char* first;
    const char* second;
    AffinityMode affinity;
    std::vector<int> listed;  // for AffinityMode::List
    std::optional<int> concurrency;
    std::vector<int> allowed;
    std::uint64_t games;
    // expected
    int at_once;
    Cores cores;
};

void expect_plan(const PlanCase& row) {
    PlayOptions options;
    options.players = {player(row.first), player(row.second)};
    options.affinity = row.affinity;
    options.cores = row.listed;
    options.concurrency = row.concurrency;
    const ThreadPlan plan = plan_threads(options, row.games, row.allowed);
    const std::string what = std::string(row.first) + " against " + row.second + ", affinity " +
                             std::to_string(static_cast<int>(row.affinity)) + ", concurrency " +
                             std::to_string(row.concurrency.value_or(0)) + ", " +
                             std::to_string(row.allowed.size()) + " cores, " +
                             std::to_string(row.games) + " games";
    EXPECT_EQ(plan.concurrency, row.at_once) << what;
    EXPECT_EQ(plan.cores, row.cores) << what;
    EXPECT_EQ(plan.pinned(), row.cores.front().has_value()) << what;
}

constexpr auto kDefault = AffinityMode::Default;
constexpr auto kOn = AffinityMode::On;
constexpr auto kOff = AffinityMode::Off;
constexpr auto kList = AffinityMode::List;

constexpr const char* kBot = "bot";
constexpr const char* kBuiltin = "builtin:perfect";
constexpr const char* kRemote = "tcp://127.0.0.1:5000";
constexpr const char* kDialsIn = "listen://127.0.0.1:0";
constexpr const char* kHuman = "human";

TEST(ThreadPlan, PinsLocalPlayersToACoreEach) {
    const PlanCase cases[] = {
        {kBot, kBot, kDefault, {}, {}, {0, 1, 2, 3}, 100, 4, {0, 1, 2, 3}},
        {kBot, kBuiltin, kDefault, {}, {}, {0, 1, 2, 3}, 100, 4, {0, 1, 2, 3}},
        {kBuiltin, kBuiltin, kDefault, {}, {}, {5}, 100, 1, {5}},
        {kBot, kBot, kDefault, {}, 3, {4, 6, 8, 9}, 100, 3, {4, 6, 8}},
        {kBot, kBot, kDefault, {}, 4, {4, 6, 8, 9}, 100, 4, {4, 6, 8, 9}},
    };
    for (const PlanCase& row : cases) expect_plan(row);
}

TEST(ThreadPlan, PinsLocalPlayersAlsoWhereGamesShareACore) {
    const PlanCase cases[] = {
        {kBot, kBot, kDefault, {}, 5, {0, 1, 2, 3}, 100, 5, {0, 1, 2, 3}},
        {kBot, kBot, kDefault, {}, 64, {0, 1}, 100, 64, {0, 1}},
        {kBot, kBot, kDefault, {}, 2, {7}, 100, 2, {7}},
    };
    for (const PlanCase& row : cases) expect_plan(row);
}

TEST(ThreadPlan, GivesTwoCoresToAGameThatIsNotPinned) {
    const PlanCase cases[] = {
        {kBot, kRemote, kDefault, {}, {}, {0, 1, 2, 3}, 100, 2, Cores(2, kAnywhere)},
        {kRemote, kRemote, kDefault, {}, {}, {0, 1, 2}, 100, 1, {kAnywhere}},
        {kRemote, kBot, kDefault, {}, {}, {0}, 100, 1, {kAnywhere}},
        {kBot, kRemote, kDefault, {}, 3, {0, 1, 2, 3}, 100, 3, Cores(3, kAnywhere)},
        {kBot, kBot, kOff, {}, {}, {0, 1, 2, 3}, 100, 2, Cores(2, kAnywhere)},
        {kBot, kBot, kOff, {}, {}, {0}, 100, 1, {kAnywhere}},
        {kBot, kBot, kOff, {}, 4, {0, 1, 2, 3}, 100, 4, Cores(4, kAnywhere)},
    };
    for (const PlanCase& row : cases) expect_plan(row);
}

TEST(ThreadPlan, PinsToTheGivenCores) {
    const PlanCase cases[] = {
        {kBot, kBot, kOn, {}, {}, {0, 1}, 100, 2, {0, 1}},
        {kBot, kRemote, kOn, {}, {}, {0, 1}, 100, 2, {0, 1}},
        {kBot, kBot, kOn, {}, 8, {0, 1}, 100, 8, {0, 1}},
        {kBot, kBot, kList, {3}, {}, {0, 1, 2, 3}, 100, 1, {3}},
        {kBot, kBot, kList, {1, 3}, {}, {0, 1, 2, 3}, 100, 2, {1, 3}},
        {kBot, kBot, kList, {1, 3}, 1, {0, 1, 2, 3}, 100, 1, {1}},
        {kBot, kBot, kList, {1, 3}, 5, {0, 1, 2, 3}, 100, 5, {1, 3}},
    };
    for (const PlanCase& row : cases) expect_plan(row);
}

TEST(ThreadPlan, PlaysOneGameAtATimeWithWhoCanOnlyPlayOne) {
    const PlanCase cases[] = {
        {kHuman, kBot, kDefault, {}, {}, {0, 1, 2, 3}, 100, 1, {kAnywhere}},
        {kBot, kHuman, kOff, {}, {}, {0, 1, 2, 3}, 100, 1, {kAnywhere}},
        {kHuman, kBot, kOn, {}, {}, {0, 1, 2, 3}, 100, 1, {0}},
        {kHuman, kBot, kList, {2, 3}, {}, {0, 1, 2, 3}, 100, 1, {2}},
        {kBot, kDialsIn, kDefault, {}, {}, {0, 1, 2, 3}, 100, 1, {kAnywhere}},
        {kDialsIn, kDialsIn, kDefault, {}, 4, {0, 1, 2, 3}, 100, 4, Cores(4, kAnywhere)},
    };
    for (const PlanCase& row : cases) expect_plan(row);
}

TEST(ThreadPlan, StartsNoMoreGamesThanAPlayerMayPlay) {
    PlayOptions options;
    options.players = {player(kBot), player(kBuiltin)};
    options.players[0].instances = 2;
    EXPECT_EQ(plan_threads(options, 100, {0, 1, 2, 3}).concurrency, 2);
    options.players.push_back(player(kBot));  // can play against the others meanwhile
    EXPECT_EQ(plan_threads(options, 100, {0, 1, 2, 3}).concurrency, 4);
}

TEST(ThreadPlan, StartsNoMoreThanThereAreGames) {
    const PlanCase cases[] = {
        {kBot, kBot, kDefault, {}, {}, {0, 1, 2, 3}, 2, 2, {0, 1}},
        {kBot, kBot, kDefault, {}, 1000, {0, 1, 2, 3}, 6, 6, {0, 1, 2, 3}},
        {kBot, kRemote, kDefault, {}, 1000, {0, 1, 2, 3}, 2, 2, Cores(2, kAnywhere)},
    };
    for (const PlanCase& row : cases) expect_plan(row);
}

}  // namespace arena::worker_threads_test
