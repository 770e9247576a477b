#include "arena/play/machine.hpp"

#include "arena/commands/tournament.hpp"
#include "tests/arena/postgres_server.hpp"
#include "tests/arena/store_games.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::machine_test {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

TournamentOptions options_of(const std::string& player, std::vector<std::string> words = {}) {
    words.insert(words.end(), {"--player", player, "--player", "cmd=builtin:perfect name=Ann"});
    return std::get<TournamentOptions>(parse_tournament_options(words, 1));
}

// A record in which a machine of this speed has enlisted.
class Record {
  public:
    explicit Record(std::uint64_t speed) {
        EXPECT_TRUE(first_->join(four_players()));
        EXPECT_TRUE(first_->sharing()->enlist({"first", 1, 1, speed, ""}));
    }
    protocol::Result<void> enlist(TournamentOptions& options) {
        return arena::enlist(*second_, options, {});
    }
    Store& store() { return *second_; }

  private:
    PostgresServer& server_ = PostgresServer::instance();
    std::string database_ = server_.empty_database();
    std::unique_ptr<Store> first_ = server_.store(database_);
    std::unique_ptr<Store> second_ = server_.store(database_);
};

TEST(Machine, MeasuresItsSpeed) {
    const std::uint64_t speed = measure_speed();
    EXPECT_GT(speed, 100u);
    EXPECT_LT(speed, 1'000'000u) << "thousands: no core makes a step a clock";
    Record record(speed / 2);
    auto options = options_of("cmd=builtin:random");
    options.is_worker = true;
    ASSERT_TRUE(record.enlist(options));
    EXPECT_EQ(options.worker, 2);
    const auto workers = record.store().sharing()->workers();
    EXPECT_EQ(workers->at(1).info.version, NIMARENA_VERSION);
    EXPECT_GT(workers->at(1).info.speed, 0u);
}

TEST(Machine, RefusesAWorkerThatIsTooSlowForTheClocks) {
    Record record(1'000'000'000);
    auto options = options_of("cmd=builtin:random");
    EXPECT_TRUE(record.enlist(options)) << "a tournament begins anywhere";
    options.is_worker = true;
    const auto refused = record.enlist(options);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().text, HasSubstr("% of the speed of the record's first one"));
    EXPECT_THAT(refused.error().text, HasSubstr("--scale-time"));
    auto unlimited = options_of("cmd=builtin:random", {"--movetime", "0"});
    unlimited.is_worker = true;
    EXPECT_TRUE(record.enlist(unlimited)) << "without clocks, speed does not matter";
}

TEST(Machine, ScalesAllTimesButMargins) {
    auto options = options_of("cmd=bot tc=1000+10 margin=7",
                              {"--movetime", "200", "--margin", "30", "--hang", "5000"});
    scale_times(options, 2.5);
    EXPECT_EQ(options.clock.movetime, Milliseconds(500));
    EXPECT_EQ(options.clock.margin, Milliseconds(30));
    EXPECT_EQ(options.clock.hang, Milliseconds(12500));
    const PlayerClock& own = options.players[0].clock;
    EXPECT_EQ(own.base, Milliseconds(2500));
    EXPECT_EQ(own.increment, Milliseconds(25));
    EXPECT_EQ(own.margin, Milliseconds(7));

    Record record(1'000'000'000);
    auto scaled = options_of("cmd=builtin:random", {"--movetime", "200"});
    scaled.is_worker = scaled.scale_time = true;
    ASSERT_TRUE(record.enlist(scaled));
    EXPECT_GT(*scaled.clock.movetime, Milliseconds(400));
}

TEST(Machine, RefusesAPlayerOfAnotherBuild) {
    ::test::TemporaryFolder folder;
    const std::string bot = folder.file("bot"), copy = folder.file("copy");
    std::ofstream(bot) << "one";
    std::ofstream(copy) << "one";
    Record record(0);
    auto options = options_of("cmd=" + bot + " name=Bot");
    ASSERT_TRUE(record.enlist(options));
    auto moved = options_of("cmd=" + copy + " name=Bot");
    EXPECT_TRUE(record.enlist(moved)) << "the place does not matter";
    std::ofstream(copy) << "two";
    const auto refused = record.enlist(moved);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().text,
                HasSubstr("Bot is another program here than in the record"));
    EXPECT_THAT(refused.error().text, HasSubstr(bot));
}

TEST(Machine, AsksForThePathOfAFileThatIsMissingHere) {
    ::test::TemporaryFolder folder;
    const std::string bot = folder.file("bot"), book = folder.file("book");
    std::ofstream(bot) << "one";
    std::ofstream(book) << "two";
    const auto options_with = [&](const std::string& file) {
        return options_of("cmd='" + bot + " " + file + "' name=Bot");
    };
    Record record(0);
    auto options = options_with(book);
    ASSERT_TRUE(record.enlist(options));
    auto misspelt = options_with(book + "s");
    const auto refused = record.enlist(misspelt);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().text, HasSubstr("not found here: is a path wrong in cmd="));
    EXPECT_THAT(refused.error().text, HasSubstr(book + "s"));
}

TEST(Machine, HashesTheArenaForPlayersOfItsOwn) {
    Record record(0);
    auto options = options_of("cmd=builtin:random");
    ASSERT_TRUE(record.enlist(options));
    const auto builds = *record.store().sharing()->builds();
    ASSERT_EQ(builds.size(), 2u);
    EXPECT_THAT(builds[0].second, ContainsRegex("^[0-9a-f]{64}  nim-arena [0-9.]+$"));
    EXPECT_EQ(builds[0].second, builds[1].second);
}

TEST(Machine, EnlistsWithTheCoresOfTheMachine) {
    Record record(0);
    auto options = options_of("cmd=builtin:random");
    options.concurrency = 1000;
    ASSERT_TRUE(record.enlist(options));
    const auto workers = *record.store().sharing()->workers();
    EXPECT_EQ(workers.at(1).info.cores, 1000);
    EXPECT_GT(workers.at(1).info.machine_cores, 0);
}

TEST(Machine, AsksNothingOfARecordOfItsOwn) {
    const auto store = make_memory_store();
    auto options = options_of("cmd=builtin:random");
    EXPECT_TRUE(enlist(*store, options, {}));
    EXPECT_EQ(options.worker, 0);
}

}  // namespace arena::machine_test
