#include "arena/web/live_feed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "protocol/move.hpp"

namespace arena::web::live_feed_test {

namespace json = boost::json;
using protocol::Position;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Standing standing(int rank, int player, double points, std::int64_t games) {
    Standing row;
    row.rank = rank;
    row.player = player;
    row.points = points;
    row.games = games;
    return row;
}

// The state that a watcher builds from events, as the page does.
class Watcher {
  public:
    void take(const std::shared_ptr<const std::string>& event) {
        if (!event) return;
        const json::object told = json::parse(*event).as_object();
        if (told.contains("whole")) *this = {};
        for (const char* key : {"tournament", "progress", "standings"}) {
            if (told.contains(key)) parts[key] = told.at(key);
        }
        for (const json::value& player : list(told, "players")) {
            players[player.at("player").as_int64()] = player;
        }
        for (const json::value& board : list(told, "boards")) take_board(board.as_object());
        for (const json::value& game : list(told, "finished")) take_finished(game);
    }

    json::value board(std::int64_t number) const {
        const auto found = boards.find(number);
        return found == boards.end() ? json::value() : found->second;
    }

    std::map<std::string, json::value> parts;
    std::map<std::int64_t, json::value> players, boards;
    std::deque<json::value> finished;

    friend bool operator==(const Watcher&, const Watcher&) = default;

  private:
    static json::array list(const json::object& told, const char* key) {
        return told.contains(key) ? told.at(key).as_array() : json::array();
    }
    // The time for which a game has waited for its move differs in each event.
    void take_board(json::object board) {
        board.erase("elapsed");
        const auto number = board.at("board").as_int64();
        if (board.at("game").is_null())
            boards.erase(number);
        else
            boards[number] = board;
    }
    void take_finished(const json::value& game) {
        const auto same = std::ranges::find_if(
            finished, [&](const auto& known) { return known.at("game") == game.at("game"); });
        if (same == finished.end())
            finished.push_back(game);
        else
            *same = game;
        if (finished.size() > kMostFinished) finished.pop_front();
    }
};

// A game of nim, reported as a slot reports it.
class Play {
  public:
    Play(LiveFeed& feed, std::uint64_t number, const char* position = "nim:5,6,7")
        : position_(*protocol::parse_position(position)) {
        record.task.game = number;
        record.task.players = {static_cast<int>(number % 3), static_cast<int>(number % 3) + 1};
        record.task.position = std::make_shared<Position>(position_);
        view = feed.begin_game(record.task, now());
    }

    // The view refers to the record.
    Play(const Play&) = delete;
    Play& operator=(const Play&) = delete;

    // Takes stones from a heap or adds some: the feed knows no rules.
    void move(std::size_t heap, protocol::Number left) {
        const protocol::Move move{heap, {left}};
        apply(position_, move);
        record.moves.push_back(to_string(move));
        record.times.emplace_back(1);
        last_ = record.moves.back();
        view->moved(now());
    }
    void end(int winner) {
        record.winner = winner;
        record.reason = Reason::NoMoves;
        view->over(now(), record);
    }
    json::value position() const { return json::string(to_string(position_)); }

    GameRecord record;
    std::unique_ptr<GameView> view;

  private:
    GameNow now() const {
        return {record.moves.size(), position_, last_, {Milliseconds(1000), std::nullopt}};
    }

    Position position_;
    std::string last_;
};

class LiveFeedTest : public ::testing::Test {
  protected:
    void begin(int at_once) {
        ContestSource source;
        source.progress = [this] { return progress; };
        source.standings = [this] { return standings; };
        source.names = [this] { return std::exchange(names, std::nullopt); };
        feed.begin({"Spring", "swiss", 7, at_once}, std::move(source));
    }
    Watcher look() {
        Watcher watcher;
        watcher.take(feed.snapshot());
        return watcher;
    }
    // as the server does
    Watcher look_again() {
        feed.changes();
        return look();
    }

    ContestProgress progress;
    std::vector<Standing> standings;
    std::optional<std::vector<std::string>> names{{"Ann", "Bob", "Cy", "Dora"}};
    std::vector<std::shared_ptr<const GameRecord>> asked;
    Clock::time_point time = Clock::now();
    LiveFeed feed{[this](auto record) { asked.push_back(std::move(record)); },
                  [this] { return time; }};
};

TEST_F(LiveFeedTest, TellsOfTheContest) {
    EXPECT_EQ(look().parts["tournament"],
              json::parse(R"({"name":"","format":null,"state":"waiting","seed":null})"));
    begin(1);
    progress = {3, 10, 1.26, 1, 5.5, 2};
    standings = {standing(1, 2, 2.5, 3), standing(2, 0, 0.5, 3)};
    standings[1].faults[Reason::Timeout] = 1;
    time += std::chrono::seconds(5);
    Watcher watcher = look_again();
    EXPECT_EQ(
        watcher.parts["tournament"],
        json::parse(R"({"name":"Spring","format":"swiss","state":"playing","seed":null})"));
    EXPECT_EQ(watcher.parts["progress"],
              json::parse(R"({"games":3,"total":10,"rate":1.3,"faults":1,"seconds_left":6,
                              "round":2})"));
    EXPECT_EQ(watcher.parts["standings"],
              json::parse(R"([{"rank":1,"player":2,"points":2.5,"games":3,"faults":0},
                              {"rank":2,"player":0,"points":0.5,"games":3,"faults":1}])"));
    EXPECT_EQ(watcher.players[1],
              json::parse(R"({"player":1,"name":"Bob","here":null,"out":false})"));
    feed.over({10, 10, 2, 1, {}, 2}, {standing(1, 3, 10, 10)});
    watcher.take(feed.changes());
    EXPECT_EQ(watcher.parts["tournament"].at("state"), "over");
    EXPECT_EQ(watcher.parts["tournament"].at("seed"), 7) << "it is told at the end";
    EXPECT_EQ(watcher.parts["standings"].at(0).at("player"), 3);
    EXPECT_EQ(watcher.parts["progress"].at("games"), 10);
}

TEST_F(LiveFeedTest, ShowsAGameAsItIsPlayed) {
    begin(1);
    Play play(feed, 4, "nim:5+kayles:3");
    play.move(1, 2);
    EXPECT_EQ(look_again().board(0), json::parse(R"({"board":0,"game":"4","players":[1,2],
        "ply":1,"last":"1=2","position":"nim:2+kayles:3","pile_count":2,
        "piles":[{"pile":1,"ruleset":"nim","heap":"2","drawing":{"kind":"pile","count":2}},
                 {"pile":2,"ruleset":"kayles","heap":"3","drawing":{"kind":"row","count":3}}],
        "to_move":1,"clocks":[1000,null],"over":null})"));
    play.end(0);
    Watcher watcher = look_again();
    EXPECT_EQ(watcher.board(0).at("to_move"), nullptr);
    EXPECT_EQ(watcher.board(0).at("over"), json::parse(R"({"winner":0,"reason":"no-moves"})"));
    time += kEndCleared;
    watcher.take(feed.changes());
    EXPECT_THAT(watcher.boards, IsEmpty());
}

TEST_F(LiveFeedTest, GivesTheWholeStateOfABoardOnceHoweverManyMovesWereMade) {
    begin(1);
    Play play(feed, 1);
    look_again();
    for (protocol::Number i = 0; i < 1000; ++i) play.move(1 + i % 3, i);
    const auto event = json::parse(*feed.changes()).as_object();
    ASSERT_THAT(event.at("boards").as_array(), SizeIs(1));
    EXPECT_EQ(event.at("boards").at(0).at("position"), play.position());
    EXPECT_EQ(event.at("boards").at(0).at("ply"), 1000);
    EXPECT_EQ(feed.changes(), nullptr);
}

TEST_F(LiveFeedTest, ShowsAGameOnceABoardIsFree) {
    begin(1);  // two boards
    std::deque<Play> plays;
    for (std::uint64_t number = 1; number <= 3; ++number) plays.emplace_back(feed, number);
    for (Play& play : plays) play.move(1, 1);
    EXPECT_THAT(look_again().boards, SizeIs(2));
    plays[0].end(1);
    plays[2].move(2, 2);
    EXPECT_EQ(look_again().board(0).at("game"), "1") << "its end is shown for a while";
    time += kEndShown;
    look_again();
    plays[2].move(3, 3);
    EXPECT_EQ(look_again().board(0).at("game"), "3");
    EXPECT_EQ(look().board(0).at("position"), "nim:1,2,3");
}

TEST_F(LiveFeedTest, ClearsTheBoardOfAGameThatIsDropped) {
    begin(1);
    Play play(feed, 1);
    EXPECT_THAT(look_again().boards, SizeIs(1));
    play.view.reset();
    EXPECT_THAT(look_again().boards, IsEmpty());
}

TEST_F(LiveFeedTest, ShowsNoPilesOfAPositionThatIsTooLarge) {
    begin(1);
    std::string large = "nim:1";
    for (int i = 0; i < 600; ++i) large += ",2";
    Play play(feed, 1, large.c_str());
    look_again();
    play.move(1, 0);
    const json::value board = look_again().board(0);
    EXPECT_EQ(board.at("position"), nullptr);
    EXPECT_EQ(board.at("ply"), 1);
    EXPECT_THAT(board.at("piles").as_array(), IsEmpty());
}

TEST_F(LiveFeedTest, ListsTheLastGames) {
    begin(1);
    Play play(feed, 12);
    play.move(2, 0);
    play.end(0);
    play.record.detail = "p2 has no move and loses";
    feed.finished(play.record);
    Watcher watcher = look_again();
    ASSERT_THAT(asked, SizeIs(1));
    GameReview review;
    review.thrown[1] = LosingMove{2, "nim:5,0,7", "1=5", "3=5"};
    feed.reviewed(*asked[0], review);
    watcher.take(feed.changes());
    EXPECT_THAT(watcher.finished, ElementsAre(json::parse(R"({"game":"12","players":[0,1],
        "winner":0,"reason":"no-moves","detail":"p2 has no move and loses","plies":1,
        "position":"nim:5,6,7","moves":["2=0"],
        "thrown":[{"seat":1,"ply":2,"move":"1=5","right":"3=5"}]})")));
}

TEST_F(LiveFeedTest, AsksForReviewsOfGamesThatAreShown) {
    begin(1);
    Play play(feed, 12);
    play.end(0);
    feed.finished(play.record);
    Watcher watcher = look_again();
    EXPECT_EQ(watcher.finished.front().at("thrown"), nullptr);
    ASSERT_THAT(asked, SizeIs(1));
    GameReview review;
    review.start = engine::Outcome::P;
    feed.reviewed(*asked[0], review);
    watcher.take(feed.changes());
    EXPECT_EQ(watcher.finished.front().at("thrown"), json::array());
}

TEST_F(LiveFeedTest, KeepsFewGamesAndNoLongOnes) {
    begin(1);
    Play play(feed, 1);
    for (int i = 0; i < 300; ++i) play.move(1, 1);
    for (std::uint64_t number = 1; number <= 1000; ++number) {
        play.record.task.game = number;
        feed.finished(play.record);
    }
    EXPECT_THAT(look_again().finished, SizeIs(kMostFinished));  // nobody watched before
    EXPECT_EQ(look().finished.back().at("game"), "1000");
    EXPECT_EQ(look().finished.back().at("moves"), nullptr);
    EXPECT_EQ(look().finished.back().at("plies"), 300);
    for (std::uint64_t number = 1001; number <= 1100; ++number) {
        play.record.task.game = number;
        feed.finished(play.record);
        feed.changes();
    }
    EXPECT_THAT(look().finished, SizeIs(kMostFinished));
    for (std::uint64_t number = 1101; number <= 1200; ++number) {
        play.record.task.game = number;
        feed.finished(play.record);
    }
    const json::value event = json::parse(*feed.changes());
    EXPECT_THAT(event.at("finished").as_array(), SizeIs(kMostNewlyEnded));
}

TEST_F(LiveFeedTest, ReportsPresentPlayersAndThoseThatAreOut) {
    feed.player(0, "Ann\n");
    feed.present(0, true);
    feed.player(1, "Bob");
    feed.out(1);
    feed.player(1'000'000, "too many");
    Watcher watcher = look_again();
    EXPECT_EQ(watcher.players[0],
              json::parse(R"({"player":0,"name":"Ann\\n","here":true,"out":false})"));
    EXPECT_EQ(watcher.players[1].at("out"), true);
    EXPECT_THAT(watcher.players, SizeIs(2));
    feed.present(1, true);
    watcher.take(feed.changes());
    EXPECT_EQ(watcher.players[1].at("out"), false) << "it may try again";
}

TEST_F(LiveFeedTest, EndsTheStandingsAtThePlayersThatFit) {
    begin(1);
    for (int i = 0; i < 3000; ++i) standings.push_back(standing(i + 1, i, 0, 0));
    time += std::chrono::seconds(5);
    EXPECT_THAT(look_again().parts["standings"].as_array(), SizeIs(kMostRows));
}

// Events in any order: a snapshot with all later changes applied equals a new
// snapshot.
TEST_F(LiveFeedTest, GivesTheSameByChangesAsByASnapshot) {
    std::mt19937_64 random(5);
    const auto below = [&](std::uint64_t bound) { return random() % bound; };
    begin(8);
    std::vector<std::unique_ptr<Play>> plays;
    std::uint64_t number = 0;
    std::vector<Watcher> watchers;
    for (int step = 0; step < 20'000; ++step) {
        time += Milliseconds(below(30));
        const auto which = below(100);
        const std::size_t index = plays.empty() ? 0 : below(plays.size());
        const bool has_game = !plays.empty();
        if (which < 10 && plays.size() < 40) {
            plays.push_back(std::make_unique<Play>(feed, ++number));
        } else if (which < 70 && has_game) {
            plays[index]->move(1 + below(3), below(9));
        } else if (which < 77 && has_game) {
            plays[index]->end(static_cast<int>(below(2)));
            feed.finished(plays[index]->record);
            ++progress.games;
            plays.erase(plays.begin() + static_cast<std::ptrdiff_t>(index));
        } else if (which < 78 && has_game) {
            plays.erase(plays.begin() + static_cast<std::ptrdiff_t>(index));
        } else if (which < 80) {
            feed.present(static_cast<int>(below(8)), below(2) == 0);
        } else if (which < 81) {
            feed.out(static_cast<int>(below(8)));
        } else if (which < 83) {
            standings = {standing(1, static_cast<int>(below(4)), 3, 5)};
        } else if (which < 85 && !asked.empty()) {
            GameReview review;
            review.start = engine::Outcome::N;
            feed.reviewed(*asked[below(asked.size())], review);
        } else if (which < 87) {
            feed.snapshot();
        } else if (which < 92) {
            const auto changes = feed.changes();
            for (Watcher& watcher : watchers) watcher.take(changes);
            const Watcher fresh = look();
            for (const Watcher& watcher : watchers) ASSERT_EQ(watcher, fresh) << step;
            if (watchers.size() < 5) watchers.push_back(fresh);
        }
    }
    EXPECT_GT(number, 500u);
    EXPECT_THAT(watchers, SizeIs(5));
}

}  // namespace arena::web::live_feed_test
