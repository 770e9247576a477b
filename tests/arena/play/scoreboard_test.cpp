#include "arena/play/scoreboard.hpp"

#include <fmt/format.h>

#include "tests/arena/game_records.hpp"

namespace arena::scoreboard_test {

using namespace std::chrono_literals;
using namespace testing;

// A match of ann and bob, whose games the test ends.
class ScoreboardTest : public ::testing::Test {
  protected:
    ScoreboardTest() {
        options.format.kind = FormatKind::Match;
        options.players.resize(2);
        options.players[0].name = "ann";
        options.players[1].name = "bob";
    }

    // Odd games have ann in seat 0.
    static GameRecord game(int number, std::optional<int> winner, Reason reason) {
        return in_match(number, game_record("nim:1", {}, winner, reason));
    }
    static GameRecord faulty_game(int number, int seat, Reason reason) {
        GameRecord record = game(number, 1 - seat, reason);
        record.detail = "p" + std::to_string(seat + 1) + " did wrong";
        return record;
    }

    void play(const std::vector<GameRecord>& games) {
        board.emplace(options, names);
        for (const PlayerSpec& player : options.players) board->add({player.name, "", 1});
        for (const GameRecord& record : games) {
            board->add(result_of(record), std::nullopt);
            played[record.task.key] = record;
            played[record.task.key].task.game = 0;  // a store does not keep it
        }
    }
    std::string faults() const {
        return board->faults([&](const GameKey& key) { return played.at(key); });
    }

    TournamentOptions options;
    Names names{[] {
        std::vector<PlayerSpec> players(2);
        players[0].name = "ann";
        players[1].name = "bob";
        return players;
    }()};
    std::optional<Scoreboard> board;
    std::map<GameKey, GameRecord> played;
};

TEST_F(ScoreboardTest, IsATableAndHowGamesEnded) {
    play({game(1, 0, Reason::NoMoves), game(2, 1, Reason::NoMoves),
          game(3, std::nullopt, Reason::Repetition), game(4, 0, Reason::Adjudicated)});
    EXPECT_THAT(board->table(), HasSubstr("1 ann        4   2     1    1    2.5"));
    EXPECT_THAT(board->table(), HasSubstr("2 bob        4   1     1    2    1.5"));
    EXPECT_THAT(board->table(),
                EndsWith("\nLOS: likelihood to be better than the next\n"
                         "think: average thinking time of a move, in ms\n"
                         "pairs: how many gave 0-½-1-1½-2 points\n"
                         "games ended by: no-moves 2, repetition 1, adjudicated 1"));
    EXPECT_FALSE(board->has_faults());
    EXPECT_FALSE(board->has_startup_failure());
}

TEST_F(ScoreboardTest, KnowsNoLikelihoodAgainstAPlayerWithoutGames) {
    options.players.resize(3);
    options.players[2].name = "cat";
    names.append("cat");
    play({game(1, 0, Reason::NoMoves), game(2, 1, Reason::NoMoves), game(3, 0, Reason::NoMoves),
          game(4, 0, Reason::NoMoves)});
    EXPECT_EQ(std::ranges::count(board->table(), '%'), 1) << board->table();  // ann over bob
}

TEST_F(ScoreboardTest, SaysWhatTieBreaksMean) {
    options.format.kind = FormatKind::Swiss;
    play({game(1, 0, Reason::NoMoves)});
    EXPECT_THAT(board->table(), HasSubstr("\nBH: Buchholz, where points are equal\n"
                                          "SB: Sonneborn-Berger, where BH is equal too\n"));
}

TEST_F(ScoreboardTest, CountsVoidGamesForNobody) {
    play({game(1, std::nullopt, Reason::Void)});
    EXPECT_EQ(board->games(), 1u);
    EXPECT_THAT(board->table(), HasSubstr("1 ann        0"));
    EXPECT_THAT(board->table(),
                EndsWith("games ended by: void 1\n"
                         "1 game void, not counted: neither player started, or the "
                         "arena failed"));
}

TEST_F(ScoreboardTest, HasASentenceForEachKindOfFault) {
    GameRecord illegal = faulty_game(3, 1, Reason::IllegalMove);
    illegal.detail = "p2 played '2=9' in nim:3,4: heap 2 is '4'";
    illegal.received = "bestmove 2=9\x1b";
    illegal.expected = "a legal move such as 1=0";
    illegal.stderr_tail = "thinking\r\nTraceback:\n\tline 3\n";
    play({faulty_game(5, 1, Reason::IllegalMove), illegal,
          faulty_game(7, 1, Reason::IllegalMove), faulty_game(1, 0, Reason::Disconnected),
          faulty_game(2, 0, Reason::Disconnected), faulty_game(9, 0, Reason::Startup)});
    EXPECT_TRUE(board->has_faults());
    EXPECT_TRUE(board->has_startup_failure());
    EXPECT_EQ(faults(),
              "ann lost 1 game by disconnected; game 1: p1 did wrong\n"
              "ann lost 1 game by startup; game 9: p1 did wrong\n"
              "bob lost 3 games by illegal-move; game 3: p2 played '2=9' in nim:3,4: heap 2 is "
              "'4'\n"
              "    received: 'bestmove 2=9\\x1b'\n"
              "    expected: a legal move such as 1=0\n"
              "    its last lines on stderr:\n"
              "      | thinking\n"
              "      | Traceback:\n"
              "      |     line 3\n"
              "bob lost 1 game by disconnected; game 2: p1 did wrong");
}

TEST_F(ScoreboardTest, ShortensWhatAFaultyPlayerWrote) {
    GameRecord record = faulty_game(1, 0, Reason::Protocol);
    record.received = std::string(1 << 20, 'x');
    for (int i = 1; i <= 30; ++i) record.stderr_tail += "line " + std::to_string(i) + "\n";
    record.stderr_tail += std::string(5000, 'y');
    play({record});
    EXPECT_THAT(faults(), HasSubstr("    received: '" + std::string(200, 'x') + "…'\n"));
    EXPECT_THAT(faults(), HasSubstr("on stderr:\n      | line 22\n"));
    EXPECT_THAT(faults(), EndsWith("      | line 30\n      | " + std::string(200, 'y') + "…"));
}

TEST_F(ScoreboardTest, NamesWhoBurnsTimeOffItsTurn) {
    GameRecord burning = game(1, 0, Reason::NoMoves);
    burning.off_turn_cpu = {1500ms, 1ms};
    play({burning, game(3, 0, Reason::NoMoves)});
    EXPECT_EQ(faults(),
              "ann used 1.5 s of CPU time while its opponent was to move, in 1 of 2 games: it "
              "takes time from whom it shares a core with; --fair stops it while it is off "
              "turn");
}

TEST_F(ScoreboardTest, IsTheSameInWhateverOrderGamesEnd) {
    std::vector<GameRecord> games;
    for (int number = 1; number <= 60; ++number) {
        const Reason reason = number % 3 == 0 ? Reason::Timeout : Reason::IllegalMove;
        games.push_back(faulty_game(number, number % 2, reason));
        games.back().detail += " in game " + std::to_string(number);
    }
    play(games);
    const std::string table = board->table();
    const std::string in_order = faults();
    EXPECT_THAT(in_order, HasSubstr("; game 1: p2 did wrong in game 1\n"));
    std::mt19937 random(1);
    for (int i = 0; i < 20; ++i) {
        std::ranges::shuffle(games, random);
        play(games);
        EXPECT_EQ(board->table(), table);
        EXPECT_EQ(faults(), in_order);
    }
}

TEST_F(ScoreboardTest, SaysWhichGamesATestDidNotRead) {
    options.sprt = "0,200,0.05,0.05";
    board.emplace(options, names);
    for (const PlayerSpec& player : options.players) board->add({player.name, "", 1});
    RoundPlan plan;
    for (int number = 1; number <= 200; ++number) {
        plan.pairs.push_back({{1, 1, 1, number, 1}, {0, 1}, position("nim:3,4,5")});
    }
    board->add(plan);
    int games = 0;
    const auto play_one = [&] {
        ++games;
        const int ann = games % 2 == 1 ? 0 : 1;  // wins all
        return board->add(result_of(game(games, ann, Reason::NoMoves)), std::nullopt);
    };
    while (play_one()) ASSERT_LT(games, 400);
    EXPECT_THAT(board->table(),
                HasSubstr(fmt::format("H1 accepted after {} pairs\ngames ended", games / 2)));
    const int decided = games;
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(play_one());
    EXPECT_THAT(
        board->table(),
        HasSubstr(fmt::format("H1 accepted after {} pairs\nthe table has {} games: 10 had "
                              "begun before that decision, and were played to their end\n",
                              decided / 2, decided + 10)));
}

TEST_F(ScoreboardTest, TellsPointsByRulesetWhereThereAreSeveral) {
    play({});
    RoundPlan plan;
    plan.pairs = {{{1, 1, 1, 1, 1}, {0, 1}, position("nim:3,4,5")},
                  {{1, 1, 1, 2, 1}, {0, 1}, position("kayles:5")}};
    board->add(plan);
    for (int number = 1; number <= 4; ++number) {
        board->add(result_of(game(number, 0, Reason::NoMoves)), std::nullopt);
    }
    EXPECT_EQ(board->starts(),
              "points by ruleset, and of how many games:\n"
              "player nim kayles\n"
              "ann    1/2    1/2\n"
              "bob    1/2    1/2");
}

TEST_F(ScoreboardTest, TellsWatchersOfTheRoundThatIsPlayed) {
    options.format.kind = FormatKind::RoundRobin;
    play({});
    EXPECT_EQ(board->contest_progress().round, std::nullopt);
    for (const int round : {1, 2, 3}) {
        RoundPlan plan;
        plan.round = round;
        plan.pairs = {{{1, round, 1, 1, 1}, {0, 1}, position("nim:3")}};
        board->add(plan);
    }
    std::vector<int> rounds{*board->contest_progress().round};
    for (const int round : {1, 2, 1, 2, 3, 3}) {
        GameRecord record = game(1, 0, Reason::NoMoves);
        record.task.key.pair.round = round;
        board->add(result_of(record), std::nullopt);
        rounds.push_back(*board->contest_progress().round);
    }
    EXPECT_THAT(rounds, ElementsAre(1, 1, 1, 2, 3, 3, 3));
}

TEST_F(ScoreboardTest, RanksAKnockoutByTheRoundReachedWhileItIsPlayed) {
    options.format.kind = FormatKind::Knockout;
    play({game(1, 0, Reason::NoMoves)});
    board->set_reached({1, 2});
    EXPECT_EQ(board->standings()[0].player, 1);
    EXPECT_THAT(board->summary(), HasSubstr(", bob 0, ann 1"));
    const std::string live = board->live(24, 79);
    EXPECT_LT(live.find("bob"), live.find("ann"));
}

TEST_F(ScoreboardTest, CutsNamesOnlyWhereColumnsAreMissing) {
    const std::string name(35, 'x');
    names.append(name);
    play({});
    board->add({name, "", 1});
    EXPECT_THAT(board->live(24, 120), HasSubstr(" " + name + " "));
    const std::string narrow = board->live(24, 79);
    EXPECT_THAT(narrow, HasSubstr(" " + name.substr(0, 29) + "… "));
    EXPECT_EQ(narrow.find('\n'), 79u);
    const std::string very_narrow = board->live(24, 58);
    EXPECT_THAT(very_narrow, HasSubstr(" " + name.substr(0, 29) + "… "));
    EXPECT_THAT(very_narrow, HasSubstr("  games points faults\n"));
    EXPECT_EQ(very_narrow.find('\n'), 58u);
    EXPECT_THAT(board->live(24, 20), HasSubstr(" " + name.substr(0, 9) + "… "));
}

TEST_F(ScoreboardTest, TellsScoreAndTotalOnceATenth) {
    play({});
    board->set_total(20);
    const auto begun = Clock::now();
    board->begin();
    const auto later = Clock::now() + Milliseconds(1000);
    EXPECT_EQ(board->milestone(later), std::nullopt);
    board->add(result_of(game(1, 0, Reason::NoMoves)), std::nullopt);
    EXPECT_EQ(board->milestone(later), std::nullopt);
    board->add(result_of(game(2, std::nullopt, Reason::Repetition)), std::nullopt);
    EXPECT_EQ(board->milestone(begun), std::nullopt) << "in the first second";
    const auto line = board->milestone(later);
    ASSERT_TRUE(line);
    EXPECT_THAT(*line, HasSubstr("2/20 games, "));
    EXPECT_THAT(*line, HasSubstr(" games/s, ann 1.5, bob 0.5, "));
    EXPECT_THAT(*line, EndsWith(" left"));
    EXPECT_THAT(*line, Not(HasSubstr("fault")));
}

}  // namespace arena::scoreboard_test
