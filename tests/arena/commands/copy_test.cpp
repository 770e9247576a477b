
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/commands/options.hpp"
#include "arena/report/record_head.hpp"
#include "engine/sums/analyst.hpp"
#include "tests/arena/postgres_server.hpp"
#include "tests/arena/store_games.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::copy_test {

constexpr auto kUnwatched = [](const Copied&) {};
const CopyNames kNames{"the first", "the second"};

// Two rounds with all that a record may hold; the players joined and were renamed in between.
void fill(Store& store) {
    ASSERT_TRUE(store.open({{"format", "swiss"}, {"games", "2"}, {"seed", "7"}}));
    ASSERT_TRUE(store.join(four_players()));
    RoundPlan first = round_plan(1);
    first.note = "rematch: \"no\"";
    first.spent = std::chrono::milliseconds(123);
    ASSERT_TRUE(store.plan({first}));
    const auto claims = *store.claim(2);
    ASSERT_TRUE(store.record({finished(claims[1], 2), eventful_game(claims[0], 2)}));
    ASSERT_TRUE(store.join({{"Eve", "cmd=eve option.Text=\"é\"", 2}}));
    ASSERT_TRUE(store.rename({{0, "Bob"}, {1, "Ann"}}));
    ASSERT_TRUE(store.record({finished(claims[0], 1)}));
    RoundPlan second = round_plan(2);
    second.attempt = 2;
    for (PlannedPair& pair : second.pairs) pair.key.attempt = 2;
    second.byes = {4, 0};
    ASSERT_TRUE(store.plan({second}));
    const auto more = *store.claim(1);
    GameRecord none = finished(more[0], 1);
    none.winner = std::nullopt;
    none.reason = Reason::Void;
    ASSERT_TRUE(store.record({none}));
    ASSERT_TRUE(store.annotate({{{claims[0].pair.key, 2}, "a note"}}));
}

std::string text_of(const Event& event) {
    const auto text_of_plan = [](const RoundPlan& plan) {
        std::string text =
            fmt::format("{}.{}.{} byes {} after {} ms, {}", plan.stage, plan.round,
                        plan.attempt, fmt::join(plan.byes, ","), plan.spent.count(), plan.note);
        for (const PlannedPair& pair : plan.pairs) {
            text += fmt::format("; {} {} {}", to_string(pair.key), fmt::join(pair.players, "-"),
                                pair.position.text());
        }
        return text;
    };
    if (const auto* entrant = std::get_if<Entrant>(&event.what)) {
        return fmt::format("{}: {}, {}, {}", event.number, entrant->name, entrant->spec,
                           entrant->first_round);
    }
    if (const auto* plan = std::get_if<RoundPlan>(&event.what))
        return fmt::format("{}: {}", event.number, text_of_plan(*plan));
    const auto& result = std::get<GameResult>(event.what);
    return fmt::format("{}: {}, {}, {}, {}, strikes {}, off turn {} {}", event.number,
                       to_string(result.key), fmt::join(result.players, "-"),
                       result.winner.value_or(-1), name(result.reason),
                       fmt::join(result.strikes, "-"), result.off_turn_cpu[0].count(),
                       result.off_turn_cpu[1].count());
}

std::vector<std::string> events_of(Store& store) {
    std::vector<std::string> lines;
    EXPECT_TRUE(
        for_each_event(store, [&](const Event& event) { lines.push_back(text_of(event)); }));
    return lines;
}

void expect_same(Store& copy, Store& original) {
    EXPECT_EQ(*copy.configuration(), *original.configuration());
    EXPECT_EQ(*copy.entrants(), *original.entrants());
    EXPECT_EQ(events_of(copy), events_of(original));
    const auto copies = games_of(copy);
    const auto originals = games_of(original);
    ASSERT_EQ(copies.size(), originals.size());
    for (std::size_t i = 0; i < copies.size(); ++i) {
        expect_equal(copies[i], originals[i]);
        EXPECT_EQ(copies[i].annotation, originals[i].annotation);
    }
    const auto analyst = engine::make_analyst();
    for (const auto format :
         {ExportFormat::Pgn, ExportFormat::JsonLines, ExportFormat::CrossTable,
          ExportFormat::Grades, ExportFormat::Starts}) {
        std::string text[2];
        for (int i = 0; i < 2; ++i) {
            EXPECT_TRUE(export_record(i == 0 ? copy : original, format, *analyst,
                                      [&](const std::string& piece) {
                                          text[i] += piece;
                                          return true;
                                      }));
        }
        EXPECT_EQ(text[0], text[1]);
    }
}

class Copy : public ::testing::Test {
  protected:
    std::unique_ptr<Store> sqlite() {
        auto store = open_sqlite_store(folder.file(std::to_string(++files) + ".db"));
        if (!store) throw std::runtime_error(store.error().text);
        return *std::move(store);
    }

    ::test::TemporaryFolder folder;
    int files = 0;
    std::unique_ptr<Store> original = make_memory_store();
};

TEST_F(Copy, IsExactFromEachStoreToEach) {
    fill(*original);
    PostgresServer& server = PostgresServer::instance();
    const auto file = sqlite();
    const auto database = server.store(server.empty_database());
    const auto second_file = sqlite();
    const auto memory = make_memory_store();
    const auto copied = copy_record(*original, *file, kNames, kUnwatched);
    ASSERT_TRUE(copied) << copied.error().text;
    EXPECT_EQ(copied->events, 11u);
    EXPECT_EQ(copied->players, 5u);
    EXPECT_EQ(copied->rounds, 2u);
    EXPECT_EQ(copied->games, 4u);
    expect_same(*file, *original);
    ASSERT_TRUE(copy_record(*file, *database, kNames, kUnwatched));
    expect_same(*database, *original);
    ASSERT_TRUE(copy_record(*database, *second_file, kNames, kUnwatched));
    expect_same(*second_file, *original);
    ASSERT_TRUE(copy_record(*second_file, *memory, kNames, kUnwatched));
    expect_same(*memory, *original);
}

TEST_F(Copy, GoesOnWhereTheOriginalStopped) {
    fill(*original);
    const auto copy = sqlite();
    ASSERT_TRUE(copy_record(*original, *copy, kNames, kUnwatched));
    const auto claims = *copy->claim(10);
    ASSERT_EQ(claims.size(), 3u);  // of 8 games, 4 have been played
    EXPECT_EQ(claims[0].pair.key, (PairKey{1, 1, 2, 1, 1}));
    EXPECT_EQ(claims[0].missing, (std::array{true, false}));
    EXPECT_EQ(claims[1].missing, (std::array{false, true}));
}

// A whole contest of two players.
void play_all(Store& store) {
    ASSERT_TRUE(store.open({{"format", "round-robin"}, {"games", "2"}, {"seed", "7"}}));
    ASSERT_TRUE(store.join({{"Ann", "cmd=ann", 1}, {"Bob", "cmd=bob", 1}}));
    RoundPlan round;
    round.pairs = {{{1, 1, 1, 1, 1}, {0, 1}, position("nim:1,2")}};
    ASSERT_TRUE(store.plan({round}));
    const auto claims = *store.claim(1);
    ASSERT_TRUE(store.record({finished(claims[0], 1), finished(claims[0], 2)}));
}

TEST_F(Copy, IsOverIfTheOriginalIs) {
    const auto file = sqlite();
    play_all(*file);
    fill(*original);
    PostgresServer& server = PostgresServer::instance();
    for (Store* from : {file.get(), original.get()}) {
        const auto copy = server.store(server.empty_database());
        ASSERT_TRUE(copy_record(*from, *copy, kNames, kUnwatched));
        EXPECT_EQ(*copy->sharing()->finished(), from == file.get());
    }
}

TEST_F(Copy, RefusesATargetThatIsNotEmpty) {
    fill(*original);
    const auto copy = make_memory_store();
    ASSERT_TRUE(copy->open({{"format", "swiss"}}));
    EXPECT_EQ(copy_record(*original, *copy, kNames, kUnwatched).error().text,
              "the second: it is not empty, expected a new record");
    EXPECT_TRUE(events_of(*copy).empty());
}

TEST_F(Copy, RefusesAnOriginalWithoutAContest) {
    EXPECT_EQ(copy_record(*original, *sqlite(), kNames, kUnwatched).error().text,
              "the first: nothing is recorded there");
}

TEST_F(Copy, ThatWasInterruptedIsRefused) {
    fill(*original);
    const auto copy = sqlite();
    const auto interrupt = [](const Copied&) { throw std::runtime_error("interrupted"); };
    EXPECT_THROW(copy_record(*original, *copy, kNames, interrupt), std::runtime_error);
    const std::string refused =
        "this is an unfinished copy of a record: remove it and copy again";
    EXPECT_EQ(read_head(*copy).error().text, refused);
    EXPECT_EQ(copy_record(*original, *copy, kNames, kUnwatched).error().text,
              "the second: " + refused);
    EXPECT_EQ(copy_record(*copy, *sqlite(), kNames, kUnwatched).error().text,
              "the first: " + refused);
}

TEST_F(Copy, NoticesAnotherWriter) {
    fill(*original);
    const auto copy = make_memory_store();
    int calls = 0;
    const auto meddle = [&](const Copied&) {
        if (calls++ == 0) {
            EXPECT_TRUE(copy->join({{"Uwe", "cmd=uwe", 9}}));
        }
    };
    EXPECT_EQ(copy_record(*original, *copy, kNames, meddle).error().text,
              "the second: another process has written into it");
    EXPECT_TRUE(copy->configuration()->empty());
}

}  // namespace arena::copy_test
