#include "arena/play/director.hpp"

#include <boost/asio/awaitable.hpp>

#include <future>
#include <thread>

#include "arena/commands/tournament.hpp"
#include "arena/game/seeds.hpp"
#include "arena/record/open_store.hpp"
#include "tests/arena/game_records.hpp"
#include "tests/arena/loop.hpp"
#include "tests/arena/stand_in_analyst.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::director_test {

using namespace testing;
using Games = std::vector<GameTask>;

// Does not answer until it is stopped, and reports that it was asked.
class SlowAnalyst : public StandInAnalyst {
  public:
    engine::Outcome outcome(const engine::Game&, const engine::Budget& budget) const override {
        if (!std::exchange(was_asked_, true)) asked_.set_value();
        while (!budget.stop.stop_requested()) std::this_thread::yield();
        return engine::Outcome::Unknown;
    }
    void wait_until_asked() { asked_.get_future().wait(); }

  private:
    mutable bool was_asked_ = false;
    mutable std::promise<void> asked_;
};

// A tournament whose games end when the test says so.
class Field {
  public:
    // `words`: the command line.
    explicit Field(const std::vector<std::string>& players, std::vector<std::string> words = {},
                   int at_once = 2, std::unique_ptr<engine::Analyst> analyst = nullptr,
                   const std::string& file = "")
        : at_once_(at_once),
          analyst_(analyst ? std::move(analyst) : std::make_unique<StandInAnalyst>()),
          record_(file.empty() ? "" : folder_.file(file)),
          store_(make_memory_store()) {
        open_record();
        for (const std::string& player : players) {
            words.push_back("--player");
            words.push_back(player);
        }
        options_ = std::get<TournamentOptions>(parse_tournament_options(words, 1));
        EXPECT_TRUE(store_->open(options_.configuration));
        std::vector<Entrant> entrants;
        for (const PlayerSpec& player : options_.players) {
            entrants.push_back({player.name, to_string(player), 1});
        }
        EXPECT_TRUE(store_->join(entrants));
        begin();
    }
    ~Field() { end(); }
    Field(const Field&) = delete;
    Field& operator=(const Field&) = delete;

    // Like another run on the same record.
    void begin_again() {
        end();
        open_record();
        begin();
    }
    void join_late() {
        options_.players.push_back(*parse_player_keys("cmd=late name=Late"));
        EXPECT_TRUE(store_->join({{"Late", to_string(options_.players.back()), planned + 1}}));
    }
    void end() {
        stop_.request_stop();
        director_.reset();
    }

    Director& director() { return *director_; }
    Store& store() { return *store_; }
    std::stop_source& stop() { return stop_; }

    // The games that a slot gets; a slot that has to wait gets them later.
    std::shared_ptr<std::optional<Games>> ask() { return loop_.start(director_->next()); }
    Games wait_for(const std::shared_ptr<std::optional<Games>>& asked) {
        return loop_.finish(asked);
    }
    Games next() { return wait_for(ask()); }

    // Records these games as won by their first mover.
    void play(const Games& games) {
        std::vector<GameRecord> finished;
        for (const GameTask& task : games) finished.push_back(won_by(0, task));
        const auto recorded = store_->record(finished);
        EXPECT_TRUE(recorded) << recorded.error().text;
        for (const Recorded how : *recorded) EXPECT_EQ(how, Recorded::New);
        director_->tell_of_news();
    }
    void leave(const Games& games) {
        for (const int player : games.front().players) director_->player_closed(player);
    }
    // Plays at most this many pairs, in sequence; returns how many there were.
    int play_on(int most = 1 << 30) {
        for (int pairs = 0; pairs < most; ++pairs) {
            const Games games = next();
            if (games.empty()) return pairs;
            play(games);
            EXPECT_THAT(director_->again(games), IsEmpty());
            leave(games);
        }
        return most;
    }

    std::size_t games_recorded() {
        std::set<std::string> keys;
        EXPECT_TRUE(store_->for_each_game([&](const GameRecord& game) {
            keys.insert(to_string(game.task.key));
            return true;
        }));
        return keys.size();
    }

    std::atomic<int> failures = 0;
    std::string failure;
    std::vector<std::string> joined;
    std::atomic<int> planned = 0;  // set on the director's thread
    std::atomic<int> counted = 0;
    int wanted = 1 << 30;  // games, then no more

  private:
    void open_record() {
        if (record_.empty()) return;
        store_.reset();  // one at a time
        store_ = *open_sqlite_store(record_);
    }
    void begin() {
        joined.clear();
        planned = counted = 0;
        stop_ = {};
        positions_ =
            std::make_unique<PositionSource>(options_.positions, options_.suite, 1, *analyst_);
        format_ = *make_format(options_.format);
        director_ = std::make_unique<Director>(
            options_, *store_, *format_, *positions_, at_once_, stop_.get_token(),
            DirectorEvents{[this](const Entrant& entrant) { joined.push_back(entrant.name); },
                           [this](const RoundPlan&) { ++planned; },
                           [this](const GameResult&, bool) { return ++counted < wanted; },
                           [this](const protocol::Error& error) {
                               failure = error.text;
                               ++failures;
                           }});
        EXPECT_TRUE(director_->replay());
        director_->begin();
    }

    int at_once_;
    std::unique_ptr<engine::Analyst> analyst_;
    TournamentOptions options_;
    ::test::TemporaryFolder folder_;
    std::string record_;  // empty: in memory
    std::unique_ptr<Store> store_;
    std::stop_source stop_;
    std::unique_ptr<PositionSource> positions_;
    std::unique_ptr<Format> format_;
    Loop loop_;
    std::unique_ptr<Director> director_;
};

std::vector<std::string> players(int count, const std::string& keys = "") {
    std::vector<std::string> texts;
    for (int i = 0; i < count; ++i) {
        texts.push_back("cmd=bot name=P" + std::to_string(i) + keys);
    }
    return texts;
}

std::vector<int> numbers(const Games& games) {
    return {games.front().players.begin(), games.front().players.end()};
}

TEST(Director, HandsOutEachPlannedPairOnce) {
    for (const char* format : {"round-robin", "gauntlet", "swiss", "knockout"}) {
        Field field(players(6), {"--format", format, "--games", "4"});
        const int pairs = field.play_on();
        EXPECT_EQ(field.games_recorded(), 2u * static_cast<unsigned>(pairs)) << format;
        EXPECT_GE(pairs, 2 * 5) << format;
        EXPECT_EQ(field.failures, 0) << field.failure;
    }
}

TEST(Director, GivesAPairBothLegsFromOnePosition) {
    Field field(players(2), {"--position", "nim:3,4,5"});
    const Games games = field.next();
    ASSERT_EQ(games.size(), 2u);
    EXPECT_EQ(games[0].key.leg, 1);
    EXPECT_EQ(games[1].key.leg, 2);
    EXPECT_THAT(games[1].players, ElementsAre(games[0].players[1], games[0].players[0]));
    EXPECT_EQ(games[0].position.text(), "nim:3,4,5");
    EXPECT_EQ(games[0].position, games[1].position);
}

TEST(Director, HandsOutTheGamesOfAMatchByNumber) {
    Field field(players(2), {"--format", "match", "--games", "1100", "--position", "nim:3",
                             "--position", "nim:4", "--position", "nim:5"});
    for (std::uint64_t number = 1; number <= 1100; ++number) {
        const Games games = field.next();
        ASSERT_EQ(games.size(), 1u);
        const GameTask& task = games.front();
        EXPECT_EQ(task.game, number);
        const int first = number % 2 == 1 ? 0 : 1;
        EXPECT_THAT(task.players, ElementsAre(first, 1 - first));
        EXPECT_THAT(task.seeds,
                    ElementsAre(Seeds(1).of_game(number, 0), Seeds(1).of_game(number, 1)));
        EXPECT_EQ(task.position.text(), "nim:" + std::to_string(3 + (number - 1) / 2 % 3));
        field.play(games);
        EXPECT_THAT(field.director().again(games), IsEmpty());
        field.leave(games);
    }
    EXPECT_THAT(field.next(), IsEmpty());
}

TEST(Director, PlaysBothGamesOfAPairOfAMatchAtOnce) {
    Field field(players(2, " instances=2"), {"--format", "match", "--games", "2"});
    const Games first = field.next();
    const Games second = field.next();
    ASSERT_FALSE(first.empty() || second.empty());
    EXPECT_EQ(first.front().game, 1u);
    EXPECT_EQ(second.front().game, 2u);
}

TEST(Director, WakesAWaitingSlotWhenARoundIsDecided) {
    Field field(players(4), {"--format", "knockout"});
    const Games first = field.next();
    const Games second = field.next();
    const auto final = field.ask();
    EXPECT_FALSE(final->has_value());
    for (const Games& games : {first, second}) {
        // The player who is first in leg 1 wins both games, so no meeting is replayed.
        for (const GameTask& task : games) {
            const int winner = task.players[0] == games[0].players[0] ? 0 : 1;
            ASSERT_TRUE(field.store().record({won_by(winner, task)}));
        }
        field.director().tell_of_news();
        field.director().again(games);
        field.leave(games);
    }
    const Games games = field.wait_for(final);
    ASSERT_FALSE(games.empty());
    EXPECT_THAT(numbers(games),
                UnorderedElementsAre(first[0].players[0], second[0].players[0]));
}

TEST(Director, ResumesARecord) {
    Field field(players(5), {"--games", "4"}, 2, nullptr, "record.db");
    ASSERT_EQ(field.play_on(7), 7);
    const Games begun = field.next();  // returned when the run ends
    ASSERT_FALSE(begun.empty());
    field.begin_again();
    EXPECT_THAT(field.joined, ElementsAre("P0", "P1", "P2", "P3", "P4"));
    EXPECT_EQ(field.counted, 14);
    EXPECT_GT(field.planned, 0);
    EXPECT_EQ(field.play_on(), 13) << "the pair handed out comes again";
    EXPECT_EQ(field.games_recorded(), 40u);
}

TEST(Director, LetsALateJoinerMeetTheOthers) {
    Field field(players(3));
    EXPECT_EQ(field.play_on(), 3);
    field.end();
    field.join_late();
    field.begin_again();
    EXPECT_THAT(field.joined, ElementsAre("P0", "P1", "P2", "Late"));
    EXPECT_EQ(field.play_on(), 3);
    EXPECT_EQ(field.games_recorded(), 12u);
}

TEST(Director, StopsWhenNoMoreAreWanted) {
    Field field(players(4), {"--games", "1000"});
    field.wanted = 6;
    const int pairs = field.play_on();
    EXPECT_GE(pairs, 3);
    EXPECT_LE(pairs, 3 + 2 * 128);  // the pairs that were ready by then
}

TEST(Director, HandsOutNoMoreThanTheMostGames) {
    Field field(players(4), {"--games", "100", "--max-games", "10"});
    EXPECT_EQ(field.play_on(), 5);
}

// Results are read in the order of the pairs: whatever else has ended, the first is waited for.
TEST(Director, HoldsBackWhereATestHasYetToReadResults) {
    for (const bool others_end : {false, true}) {
        Field field(players(2), {"--sprt", "0,10,0.05,0.05", "--max-games", "100000"});
        const auto end = [&](const Games& games) {
            field.play(games);
            field.director().again(games);
        };
        const Games slow = field.next();
        for (int i = 1; i < 64; ++i) {
            const Games games = field.next();
            ASSERT_EQ(games.size(), 2u);
            if (others_end) end(games);
        }
        const auto waiting = field.ask();
        EXPECT_FALSE(waiting->has_value());
        const auto next = field.store().claim(1);
        ASSERT_TRUE(next && next->size() == 1);
        EXPECT_EQ(next->front().pair.key.position, 65) << "the director has claimed more";

        end(slow);
        EXPECT_EQ(field.wait_for(waiting).size(), 2u);
    }
}

TEST(Director, CompletesForATestThePairsThatHaveBegun) {
    Field field(players(2),
                {"--format", "match", "--sprt", "0,10,0.05,0.05", "--max-games", "100"});
    field.wanted = 3;
    for (int i = 0; i < 3; ++i) field.play(field.next());
    while (field.counted < 3) std::this_thread::yield();
    const Games fourth = field.next();
    ASSERT_EQ(fourth.size(), 1u);
    EXPECT_EQ(fourth.front().game, 4u);
}

TEST(Director, WakesAllWhenItIsStopped) {
    Field field(players(2));
    const Games games = field.next();
    const auto waiting = field.ask();
    ASSERT_FALSE(waiting->has_value());
    field.director().stop();
    EXPECT_THAT(field.next(), IsEmpty());
    EXPECT_TRUE(waiting->has_value());
    EXPECT_EQ(field.failures, 0);
}

TEST(Director, FindsPairsAfterThoseThatWaitForAPlayer) {
    // Players 0 and 1 meet all others fifty times each, and 0 is always busy.
    auto field_of = players(6);
    field_of[0] += " instances=1";
    Field field(field_of, {"--format", "gauntlet", "--games", "100", "--seeds", "2"});
    Games busy = field.next();
    while (busy[0].players[0] != 0 && busy[0].players[1] != 0) busy = field.next();
    for (int i = 0; i < 100; ++i) {
        const Games other = field.next();
        ASSERT_FALSE(other.empty());
        EXPECT_THAT(numbers(other), Not(Contains(0)));
        field.play(other);
        field.director().again(other);
        field.leave(other);
    }
}

TEST(Director, LetsAPlayerOfWhomThereIsOneStayAtItsTable) {
    auto field_of = players(4);
    field_of[0] += " instances=1";
    // The first round is three pairs of 0 and 2, and three of 1 and 3.
    Field field(field_of, {"--format", "gauntlet", "--seeds", "2", "--games", "6"});
    Games games = field.next();
    EXPECT_THAT(numbers(games), Contains(0));
    const Games others = field.next();
    EXPECT_THAT(numbers(others), Not(Contains(0)));
    field.play(others);
    EXPECT_THAT(field.director().again(others), IsEmpty()) << "nobody has to stay";
    for (int i = 0; i < 2; ++i) {
        field.play(games);
        games = field.director().again(games);
        ASSERT_FALSE(games.empty());
        EXPECT_THAT(numbers(games), Contains(0));
    }
    for (; !games.empty(); games = field.next()) {
        Games played;
        for (; !games.empty(); games = field.director().again(played)) {
            field.play(games);
            played = games;
        }
        field.leave(played);
    }
    EXPECT_EQ(field.games_recorded(), 24u);
}

TEST(Director, StopsWhilePositionsAreDrawn) {
    auto slow = std::make_unique<SlowAnalyst>();
    SlowAnalyst& analyst = *slow;
    Field field(players(2), {"--suite", "nim"}, 2, std::move(slow));
    const auto waiting = field.ask();
    analyst.wait_until_asked();
    field.stop().request_stop();
    field.director().stop();
    field.director().join();
    EXPECT_THAT(field.next(), IsEmpty());
    EXPECT_EQ(field.failures, 0) << field.failure;
    EXPECT_EQ(field.planned, 0);
}

TEST(Director, SaysOnceThatThereIsNoSuchPosition) {
    Field field(players(2), {"--suite", "nim;heaps=1;size=3..3;winning=2..2"});
    EXPECT_THAT(field.next(), IsEmpty());
    field.director().stop();
    field.director().join();
    EXPECT_EQ(field.failures, 1);
    EXPECT_THAT(field.failure, HasSubstr("found no position of outcome N"));
}

}  // namespace arena::director_test
