#include "arena/web/live_feed.hpp"

#include <boost/json.hpp>

#include "protocol/move.hpp"

namespace arena::web::live_feed_test {

namespace json = boost::json;
using protocol::Position;
using namespace testing;

Standing standing(int rank, int player, double points, std::int64_t games) {
    Standing row;
    row.rank = rank;
    row.player = player;
    row.points = points;
    row.games = games;
    return row;
}

// A snapshot, its lists by number.
struct Watcher {
    explicit Watcher(const LiveState& state)
        : version(state.version), parts(json::parse(*state.text).as_object()) {
        for (const json::value& player : parts["players"].as_array())
            players[player.at("player").as_int64()] = player;
        for (const json::value& board : parts["boards"].as_array())
            boards[board.at("board").as_int64()] = board;
        finished = parts["finished"].as_array();
    }

    json::value board(std::int64_t number) const {
        const auto found = boards.find(number);
        return found == boards.end() ? json::value() : found->second;
    }

    std::uint64_t version;
    json::object parts;
    std::map<std::int64_t, json::value> players, boards;
    json::array finished;
};

// A game of nim, reported as a slot reports it.
class Play {
  public:
    Play(LiveFeed& feed, std::uint64_t number, const char* position = "nim:5,6,7")
        : position_(*protocol::parse_position(position)) {
        record.task.game = number;
        record.task.players = {static_cast<int>(number % 3), static_cast<int>(number % 3) + 1};
        record.task.position = StartPosition(position_);
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

std::shared_ptr<const GameRecord> noted(GameRecord record, const char* note) {
    record.annotation = note;
    return std::make_shared<GameRecord>(std::move(record));
}

class LiveFeedTest : public ::testing::Test {
  protected:
    void begin(int at_once) {
        ContestSource source;
        source.progress = [this] { return progress; };
        source.standings = [this] { return standings; };
        source.names = [this] { return std::exchange(names, std::nullopt); };
        source.bracket = [this] { return bracket; };
        feed.begin({"Spring", "swiss", 7, at_once}, std::move(source));
    }
    Watcher look() { return Watcher(feed.snapshot()); }

    ContestProgress progress;
    std::vector<Standing> standings;
    Bracket bracket;
    std::optional<std::vector<std::string>> names{{"Ann", "Bob", "Cy", "Dora"}};
    std::vector<std::shared_ptr<const GameRecord>> asked;
    Clock::time_point time = Clock::now();
    LiveFeed feed{[this](auto record) { asked.push_back(std::move(record)); },
                  [this] { return time; }};
};

TEST_F(LiveFeedTest, TellsOfTheContest) {
    EXPECT_EQ(look().parts["tournament"],
              json::parse(R"({"name":"","format":null,"state":"waiting","seed":null,
                              "players":0,"here":null})"));
    begin(1);
    progress = {3, 10, 1.26, 1, 5.5, 2};
    standings = {standing(1, 2, 2.5, 3), standing(2, 0, 0.5, 3)};
    standings[1].faults[Reason::Timeout].games = 1;
    standings[0].thought = Microseconds(10'000);
    standings[0].moves = 4;
    time += std::chrono::seconds(5);
    Watcher watcher = look();
    EXPECT_EQ(watcher.parts["tournament"],
              json::parse(R"({"name":"Spring","format":"swiss","state":"playing","seed":null,
                              "players":4,"here":null})"));
    EXPECT_EQ(watcher.parts["progress"],
              json::parse(R"({"games":3,"total":10,"rate":1.3,"faults":1,"seconds_left":6,
                              "round":2})"));
    EXPECT_EQ(watcher.parts["standings"],
              json::parse(
                  R"([{"rank":1,"player":2,"points":2.5,"games":3,"faults":0,"think_ms":2.5},
                {"rank":2,"player":0,"points":0.5,"games":3,"faults":1,"think_ms":null}])"));
    EXPECT_EQ(watcher.parts["columns"].as_array().back(),
              json::parse(R"({"key":"think_ms","head":"think",
                              "meaning":"average thinking time of a move","unit":"ms"})"));
    EXPECT_EQ(watcher.players[1],
              json::parse(R"({"player":1,"name":"Bob","here":null,"out":false})"));
    std::ranges::reverse(standings);
    EXPECT_EQ(look().parts["standings"].at(0).at("player"), 0) << "by a round that was planned";
    feed.over({10, 10, 2, 1, {}, 2}, {standing(1, 3, 10, 10)});
    watcher = look();
    EXPECT_EQ(watcher.parts["tournament"].at("state"), "over");
    EXPECT_EQ(watcher.parts["tournament"].at("seed"), 7) << "it is told at the end";
    EXPECT_EQ(watcher.parts["standings"].at(0).at("player"), 3);
    EXPECT_EQ(watcher.parts["progress"].at("games"), 10);
}

TEST_F(LiveFeedTest, TellsOfTheBracketOfAKnockout) {
    begin(1);
    EXPECT_FALSE(look().parts.contains("bracket")) << "there is none";
    BracketMeeting bye, met, last;
    bye.players = {2, std::nullopt};
    bye.winner = 2;
    met.players = {0, 1};
    met.halves = {7, 1};
    met.attempts = 2;
    met.winner = 0;
    last.round = 2;
    last.players = {2, 0};
    bracket = {bye, met, last};
    const std::string expected =
        R"([{"round":"round 1","players":[2,null],"points":null,"winner":2,"decided":null},
            {"round":"round 1","players":[0,1],"points":[3.5,0.5],"winner":0,
             "decided":"in 2 attempts"},
            {"round":"final","players":[2,0],"points":null,"winner":null,"decided":null}])";
    EXPECT_EQ(look().parts["bracket"], json::parse(expected));
    bracket.back().winner = 0;
    feed.over({}, {});
    EXPECT_EQ(look().parts["bracket"].at(2).at("winner"), 0) << "the last one stays";
}

TEST_F(LiveFeedTest, ShowsAGameAsItIsPlayed) {
    begin(1);
    Play play(feed, 4, "nim:5+kayles:3");
    play.move(1, 2);
    EXPECT_EQ(look().board(0), json::parse(R"({"board":0,"game":"4","players":[1,2],
        "ply":1,"last":"1=2","last_words":"take 3 from pile 1, leaving 2","position":"nim:2+kayles:3","pile_count":2,
        "piles":[{"pile":1,"ruleset":"nim","heap":"2","drawing":{"kind":"pile","count":2}},
                 {"pile":2,"ruleset":"kayles","heap":"3","drawing":{"kind":"row","count":3}}],
        "to_move":1,"clocks":[1000,null],"over":null})"));
    time += Milliseconds(120);
    EXPECT_EQ(look().parts["ages"], json::array{120});
    play.end(0);
    Watcher watcher = look();
    EXPECT_EQ(watcher.parts["ages"], json::array{0});
    EXPECT_EQ(watcher.board(0).at("to_move"), nullptr);
    EXPECT_EQ(watcher.board(0).at("last_words"), "take 3 from pile 1, leaving 2");
    EXPECT_EQ(watcher.board(0).at("over"), json::parse(R"({"winner":0,"reason":"no-moves"})"));
    time += kEndCleared;
    watcher = look();
    EXPECT_THAT(watcher.boards, IsEmpty());
}

TEST_F(LiveFeedTest, HasANewVersionWhereMoreHasChangedThanAges) {
    begin(1);
    Play play(feed, 1);
    const std::uint64_t first = look().version;
    time += Milliseconds(300);
    EXPECT_EQ(look().version, first);
    for (protocol::Number i = 0; i < 1000; ++i) play.move(1 + i % 3, i);
    const Watcher watcher = look();
    EXPECT_GT(watcher.version, first);
    EXPECT_EQ(watcher.board(0).at("position"), play.position());
    EXPECT_EQ(watcher.board(0).at("ply"), 1000);
}

TEST_F(LiveFeedTest, ShowsAGameOnceABoardIsFree) {
    begin(1);  // two boards
    std::deque<Play> plays;
    for (std::uint64_t number = 1; number <= 3; ++number) plays.emplace_back(feed, number);
    for (Play& play : plays) play.move(1, 1);
    EXPECT_THAT(look().boards, SizeIs(2));
    plays[0].end(1);
    plays[2].move(2, 2);
    EXPECT_EQ(look().board(0).at("game"), "1") << "its end is shown for a while";
    time += kEndShown;
    look();
    plays[2].move(3, 3);
    EXPECT_EQ(look().board(0).at("game"), "3");
    EXPECT_EQ(look().board(0).at("position"), "nim:1,2,3");
}

TEST_F(LiveFeedTest, ClearsTheBoardOfAGameThatIsDropped) {
    begin(1);
    Play play(feed, 1);
    EXPECT_THAT(look().boards, SizeIs(1));
    play.view.reset();
    EXPECT_THAT(look().boards, IsEmpty());
}

TEST_F(LiveFeedTest, ShowsNoPilesOfAPositionThatIsTooLarge) {
    begin(1);
    std::string large = "nim:1";
    for (int i = 0; i < 600; ++i) large += ",2";
    Play play(feed, 1, large.c_str());
    look();
    play.move(1, 0);
    const json::value board = look().board(0);
    EXPECT_EQ(board.at("position"), nullptr);
    EXPECT_EQ(board.at("ply"), 1);
    EXPECT_THAT(board.at("piles").as_array(), IsEmpty());
}

TEST_F(LiveFeedTest, ListsTheLastGames) {
    begin(1);
    Play play(feed, 12);
    play.move(2, 0);
    play.move(1, 6);
    play.end(0);
    play.record.detail = "p2 has no move and loses";
    feed.finished(play.record);
    Watcher watcher = look();
    ASSERT_THAT(asked, SizeIs(1));
    feed.reviewed(noted(*asked[0], "1 Pu N 2:3=5"));
    watcher = look();
    EXPECT_THAT(watcher.finished, ElementsAre(json::parse(R"({"game":"12","players":[0,1],
        "winner":0,"reason":"no-moves","detail":"p2 has no move and loses","plies":2,
        "position":"nim:5,6,7","moves":["2=0","1=6"],
        "thrown":[{"seat":1,"ply":2,"move":"1=6","words":"turn pile 1 into 6",
                   "right":"3=5","right_words":"take 2 from pile 3, leaving 5"}]})")));
}

TEST_F(LiveFeedTest, AsksForReviewsOfGamesThatAreShown) {
    begin(1);
    Play play(feed, 12);
    play.end(0);
    feed.finished(play.record);
    Watcher watcher = look();
    EXPECT_EQ(watcher.finished.front().at("thrown"), nullptr);
    ASSERT_THAT(asked, SizeIs(1));
    feed.reviewed(noted(*asked[0], "1 - P"));
    watcher = look();
    EXPECT_EQ(watcher.finished.front().at("thrown"), json::array());
    EXPECT_THAT(asked, SizeIs(1)) << "once";
}

TEST_F(LiveFeedTest, KeepsFewGamesAndNoLongOnes) {
    begin(1);
    Play play(feed, 1);
    for (int i = 0; i < 300; ++i) play.move(1, 1);
    for (std::uint64_t number = 1; number <= 1000; ++number) {
        play.record.task.game = number;
        feed.finished(play.record);
    }
    EXPECT_THAT(look().finished, SizeIs(kMostFinished));  // nobody watched before
    EXPECT_EQ(look().finished.back().at("game"), "1000");
    EXPECT_EQ(look().finished.back().at("moves"), nullptr);
    EXPECT_EQ(look().finished.back().at("plies"), 300);
    feed.watched_by(1);
    for (std::uint64_t number = 1001; number <= 1100; ++number) {
        play.record.task.game = number;
        feed.finished(play.record);
        look();
    }
    EXPECT_THAT(look().finished, SizeIs(kMostFinished));
    for (std::uint64_t number = 1101; number <= 1200; ++number) {
        play.record.task.game = number;
        feed.finished(play.record);
    }
    const json::array finished = look().finished;
    EXPECT_THAT(finished, SizeIs(kMostFinished));
    EXPECT_EQ(finished[kMostFinished - kMostNewlyEnded - 1].at("game"), "1100")
        << "games stay until they have been reviewed";
    EXPECT_EQ(finished.back().at("game"), "1200");
}

TEST_F(LiveFeedTest, ReportsPresentPlayersAndThoseThatAreOut) {
    feed.player(0, "Ann\n");
    feed.present(0, true);
    feed.player(1, "Bob");
    feed.out(1);
    feed.player(1'000'000, "too many");
    Watcher watcher = look();
    EXPECT_EQ(watcher.players[0],
              json::parse(R"({"player":0,"name":"Ann\\n","here":true,"out":false})"));
    EXPECT_EQ(watcher.players[1].at("out"), true);
    EXPECT_THAT(watcher.players, SizeIs(2));
    feed.present(1, true);
    watcher = look();
    EXPECT_EQ(watcher.players[1].at("out"), false) << "it may try again";
}

TEST_F(LiveFeedTest, EndsTheStandingsAtThePlayersThatFit) {
    begin(1);
    for (int i = 0; i < 3000; ++i) standings.push_back(standing(i + 1, i, 0, 0));
    time += std::chrono::seconds(5);
    EXPECT_THAT(look().parts["standings"].as_array(), SizeIs(kMostRows));
}

TEST_F(LiveFeedTest, CountsPlayersThatItDoesNotList) {
    for (int i = 0; i < 5000; ++i) feed.present(i, i % 2 == 0);
    const Watcher watcher = look();
    EXPECT_THAT(watcher.players, SizeIs(1000));
    EXPECT_EQ(watcher.parts.at("tournament").at("players"), 5000);
    EXPECT_EQ(watcher.parts.at("tournament").at("here"), 2500);
}

}  // namespace arena::web::live_feed_test
