// Several directors on one record, each as a process of its own.
#include <boost/asio/awaitable.hpp>

#include "arena/commands/tournament.hpp"
#include "arena/play/director.hpp"
#include "arena/play/scoreboard.hpp"
#include "tests/arena/game_records.hpp"
#include "tests/arena/loop.hpp"
#include "tests/arena/postgres_server.hpp"
#include "tests/arena/stand_in_analyst.hpp"

namespace arena::director_sharing_test {

using namespace testing;
using namespace std::chrono_literals;
using Games = std::vector<GameTask>;

TournamentOptions options_of(int players, std::vector<std::string> words) {
    for (int i = 0; i < players; ++i) {
        words.insert(words.end(), {"--player", "cmd=bot name=P" + std::to_string(i)});
    }
    return std::get<TournamentOptions>(parse_tournament_options(words, 1));
}

// The better player wins, that with the lower number, but for a game in five.
int winner_of(const GameTask& task) {
    const int better = task.players[0] < task.players[1] ? 0 : 1;
    const bool upset =
        (task.key.pair.position * 7 + task.key.pair.round + task.key.leg) % 5 == 0;
    return upset ? 1 - better : better;
}

// A process that plays a tournament.
class Process {
  public:
    Process(const std::string& database, const TournamentOptions& options)
        : options_(options),
          store_(PostgresServer::instance().store(database, {.lease = 1h})),
          names_(options_.players),
          board_(options_, names_),
          positions_(options_.positions, options_.suite, 1, analyst_),
          format_(*make_format(options_.format)) {
        EXPECT_TRUE(store_->open(options_.configuration));
        join_players();
        worker_ = *store_->sharing()->enlist({});
        director_ = std::make_unique<Director>(
            options_, *store_, *format_, positions_, 2, stop_.get_token(),
            DirectorEvents{[this](const Entrant& entrant) {
                               board_.add(entrant);
                               told.push_back("joined " + entrant.name);
                           },
                           [this](const RoundPlan& plan) {
                               board_.add(plan);
                               told.push_back("round " + std::to_string(plan.round) + "." +
                                              std::to_string(plan.attempt));
                           },
                           [this](const GameResult& result, bool) {
                               told.push_back("game " + to_string(result.key));
                               return board_.add(result, std::nullopt);
                           },
                           [](const protocol::Error& error) { ADD_FAILURE() << error.text; }});
        EXPECT_TRUE(director_->replay());
        director_->begin();
    }
    ~Process() { end(); }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // Its connections are closed, too: another process may lead.
    void end() {
        if (!store_) return;
        stop_.request_stop();
        director_->stop();
        director_->join();
        director_.reset();
        EXPECT_TRUE(store_->sharing()->leave());
        store_.reset();
    }

    Director& director() { return *director_; }
    Store& store() { return *store_; }
    int worker() const { return worker_; }
    const Scoreboard& board() const { return board_; }

    std::shared_ptr<std::optional<Games>> ask() { return loop_.start(director_->next()); }
    Games wait_for(const std::shared_ptr<std::optional<Games>>& asked) {
        return loop_.finish(asked);
    }
    Games next() { return wait_for(ask()); }

    std::vector<Recorded> record(const Games& games) {
        std::vector<GameRecord> finished;
        for (const GameTask& task : games) finished.push_back(won_by(winner_of(task), task));
        const auto recorded = store_->record(finished);
        EXPECT_TRUE(recorded) << recorded.error().text;
        director_->tell_of_news();
        director_->again(games);
        for (const int player : games.front().players) director_->player_closed(player);
        return recorded ? *recorded : std::vector<Recorded>{};
    }
    // Plays until there are no more games.
    void play_on(Recorded expected = Recorded::New) {
        for (Games games = next(); !games.empty(); games = next()) {
            EXPECT_THAT(record(games), Each(expected));
            ++pairs;
        }
    }

    std::vector<std::string> told;  // on the director's thread, until its end
    int pairs = 0;

  private:
    void join_players() {
        const auto there = store_->entrants();
        if (!there || !there->empty()) return;
        std::vector<Entrant> entrants;
        for (const PlayerSpec& player : options_.players) {
            entrants.push_back({player.name, to_string(player), 1});
        }
        EXPECT_TRUE(store_->join(entrants));
    }

    TournamentOptions options_;
    std::unique_ptr<Store> store_;
    int worker_ = 0;
    StandInAnalyst analyst_;
    Names names_;
    Scoreboard board_;
    PositionSource positions_;
    std::unique_ptr<Format> format_;
    std::stop_source stop_;
    Loop loop_;
    std::unique_ptr<Director> director_;
};

// What the record has, each round and each game once.
struct Contents {
    std::set<std::string> rounds;
    std::set<std::string> games;
    std::int64_t planned = 0;  // games
};

Contents contents_of(Store& store) {
    Contents contents;
    const auto read = for_each_event(store, [&](const Event& event) {
        if (const auto* plan = std::get_if<RoundPlan>(&event.what)) {
            const auto key = std::to_string(plan->stage) + "." + std::to_string(plan->round) +
                             "." + std::to_string(plan->attempt);
            EXPECT_TRUE(contents.rounds.insert(key).second) << key << " is planned twice";
            contents.planned += 2 * static_cast<std::int64_t>(plan->pairs.size());
        } else if (const auto* result = std::get_if<GameResult>(&event.what)) {
            EXPECT_TRUE(contents.games.insert(to_string(result->key)).second);
        }
    });
    EXPECT_TRUE(read);
    return contents;
}

void play_at_once(Process& one, Process& other) {
    std::thread thread([&] { other.play_on(); });
    one.play_on();
    thread.join();
}

class SharedDirector : public ::testing::Test {
  protected:
    PostgresServer& server = PostgresServer::instance();
    std::string database = server.empty_database();
};

TEST_F(SharedDirector, TwoThreadsPlanEachRoundOnceInEveryFormat) {
    const std::vector<std::vector<std::string>> formats{
        {"--format", "round-robin", "--games", "2", "--cycles", "2"},
        {"--format", "gauntlet", "--games", "2"},
        {"--format", "swiss", "--rounds", "4", "--games", "2"},
        {"--format", "knockout", "--games", "2"},
        {"--format", "ladder", "--budget", "300ms", "--games", "2"}};
    for (const auto& words : formats) {
        const auto options = options_of(7, words);
        server.empty_database();
        Process one(database, options);
        Process other(database, options);
        play_at_once(one, other);
        const Contents contents = contents_of(one.store());
        EXPECT_EQ(contents.games.size(), static_cast<std::size_t>(contents.planned))
            << words[1];
        EXPECT_EQ(contents.games.size(), 2u * static_cast<unsigned>(one.pairs + other.pairs));
        EXPECT_GE(contents.games.size(), 12u) << words[1];
        one.end();
        other.end();
        EXPECT_EQ(one.told, other.told) << words[1];
        EXPECT_EQ(one.board().table(), other.board().table()) << words[1];
    }
}

// As many rounds and games as if one process had played.
TEST_F(SharedDirector, PlaysWhatOneProcessPlays) {
    for (const char* format : {"round-robin", "swiss", "knockout"}) {
        const auto options = options_of(6, {"--format", format, "--games", "2"});
        const auto contents_after = [&](bool together) {
            server.empty_database();
            Process one(database, options);
            if (!together) {
                one.play_on();
                return contents_of(one.store());
            }
            Process other(database, options);
            play_at_once(one, other);
            return contents_of(one.store());
        };
        const Contents expected = contents_after(false);
        const Contents contents = contents_after(true);
        EXPECT_EQ(contents.rounds, expected.rounds) << format;
        EXPECT_EQ(contents.games, expected.games) << format;
    }
}

TEST_F(SharedDirector, GoesOnWhereTheOneThatLedLosesItsConnection) {
    const auto options = options_of(8, {"--format", "swiss", "--rounds", "3"});
    Process leader(database, options);
    const int worker = leader.worker();
    const Games begun = leader.next();
    ASSERT_THAT(begun, Not(IsEmpty()));
    server.lapse(database, worker);
    server.cut(database);
    Process other(database, options);
    other.play_on();
    EXPECT_EQ(contents_of(other.store()).games.size(), 3u * 8);
    EXPECT_THAT(leader.record(begun), Each(Recorded::Late));
    leader.play_on(Recorded::Late);
    leader.end();
    other.end();
    EXPECT_EQ(leader.told, other.told);
}

TEST_F(SharedDirector, EndsWhereAnotherLedForAMomentWhenAllIsOver) {
    for (const bool has_said_so : {false, true}) {
        server.empty_database();
        Process process(database, options_of(4, {"--format", "swiss", "--rounds", "2"}));
        for (int pairs = 1; pairs < 4; ++pairs) process.record(process.next());
        const Games last = process.next();
        server.admin(database, "UPDATE nimarena.planner SET term = term + 1");
        if (has_said_so) {
            server.admin(database, "UPDATE nimarena.counter SET is_finished = true");
        }
        process.record(last);
        EXPECT_THAT(process.next(), IsEmpty());
        EXPECT_TRUE(*process.store().finished());
    }
}

// Results are recorded later than their games end.
TEST_F(SharedDirector, SaysAfterTheMostGamesThatAllIsOver) {
    Process process(database, options_of(4, {"--games", "10", "--max-games", "4"}));
    const std::array<Games, 2> played{process.next(), process.next()};
    for (const Games& games : played) process.director().again(games);
    EXPECT_THAT(process.next(), IsEmpty());
    for (const Games& games : played)
        ASSERT_TRUE(process.store().record({won_by(0, games.at(0)), won_by(0, games.at(1))}));
    process.director().tell_of_news();
    process.end();
    EXPECT_TRUE(*server.store(database)->finished());
}

TEST_F(SharedDirector, PlaysThePairsOfAProcessThatDiedWhenItsLeaseEnds) {
    const auto options = options_of(10, {"--games", "2"});
    Process process(database, options);
    const Games first = process.next();
    auto dying = server.store(database, {.lease = 1h});
    const int worker = *dying->sharing()->enlist({});
    ASSERT_EQ(dying->claim(2)->size(), 2u);
    dying.reset();
    process.record(first);
    for (int pairs = 1; pairs < 45 - 2; ++pairs) {
        const Games games = process.next();
        ASSERT_THAT(games, Not(IsEmpty()));
        process.record(games);
    }
    const auto waiting = process.ask();
    EXPECT_FALSE(waiting->has_value());
    server.lapse(database, worker);
    process.record(process.wait_for(waiting));
    process.play_on();
    EXPECT_EQ(contents_of(process.store()).games.size(), 90u);
}

TEST_F(SharedDirector, GivesBackWhatItHasNotBegunWhenItIsDrained) {
    const auto options = options_of(10, {"--games", "2"});
    Process one(database, options);
    const Games begun = one.next();
    ASSERT_THAT(begun, Not(IsEmpty()));
    one.director().drain();
    Process other(database, options);
    std::thread thread([&] { other.play_on(); });
    one.record(begun);
    EXPECT_THAT(one.next(), IsEmpty());
    one.end();
    thread.join();
    EXPECT_EQ(contents_of(other.store()).games.size(), 90u);
}

TEST_F(SharedDirector, GivesBackWhatItClaimedAtAPaceThatHasFallen) {
    for (const int players : {2, 20}) {
        server.empty_database();
        auto options =
            options_of(players, {"--games", players == 2 ? "300" : "2", "--position", "nim:3"});
        if (players == 2) options.format.kind = FormatKind::Match;  // leg by leg
        Process one(database, options);
        for (int pairs = 0; pairs < 100; ++pairs) one.record(one.next());
        const Games begun = one.next();
        const auto held = [&] { return one.store().sharing()->workers()->front().leases; };
        const auto deadline = Clock::now() + protocol::test::kPatience;
        while (held() > 3 && Clock::now() < deadline) one.director().tell_of_news();
        EXPECT_LE(held(), 3u);
        one.record(begun);
        Process other(database, options);
        play_at_once(one, other);
        const Contents contents = contents_of(other.store());
        EXPECT_EQ(contents.games.size(), static_cast<std::size_t>(contents.planned));
    }
}

// It plans for the others while its last games go on, and no longer.
TEST_F(SharedDirector, LeavesAfterItsLastGamesAlsoWhereItPlans) {
    const auto options = options_of(4, {"--format", "swiss", "--rounds", "3"});
    Process leader(database, options);
    const Games one = leader.next();
    const Games two = leader.next();
    leader.director().drain();
    Process other(database, options);
    leader.record(one);
    leader.record(two);
    EXPECT_THAT(leader.next(), IsEmpty());
    leader.end();
    other.play_on();
    EXPECT_EQ(contents_of(other.store()).games.size(), 3u * 4);
}

TEST_F(SharedDirector, DecidesASequentialTestAlikeEverywhere) {
    const auto options = options_of(
        2, {"--sprt", "0,10,0.05,0.05", "--max-games", "100000", "--position", "nim:3"});
    Process one(database, options);
    Process other(database, options);
    play_at_once(one, other);
    one.end();
    other.end();
    ASSERT_TRUE(one.board().test_exit());
    EXPECT_EQ(one.board().test_exit(), other.board().test_exit());
    // The tables may differ by pairs that were begun before the decision: the one that ends
    // first does not wait for those of the other.
    const auto decision = [](Process& process) {
        const std::string table = process.board().table();
        const std::size_t at = table.find("LLR ");
        return table.substr(at, table.find('\n', at) - at);
    };
    EXPECT_THAT(decision(one), HasSubstr("accepted after"));
    EXPECT_EQ(decision(one), decision(other));
    EXPECT_LT(one.board().games(), 100'000u);
}

TEST_F(SharedDirector, EndsWhereItFindsNothingForSoLong) {
    auto options = options_of(4, {"--games", "2"});
    Process busy(database, options);
    std::vector<Games> begun;
    for (int i = 0; i < 6; ++i) begun.push_back(busy.next());
    options.idle = Milliseconds(1);
    Process idle(database, options);
    EXPECT_THAT(idle.next(), IsEmpty());
    for (const Games& games : begun) busy.record(games);
    busy.play_on();
    EXPECT_EQ(contents_of(busy.store()).games.size(), 12u);
}

}  // namespace arena::director_sharing_test
