#include "arena/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <random>
#include <string>
#include <vector>

namespace arena {
namespace {

using namespace std::chrono_literals;
using engine::Outcome;
using testing::EndsWith;
using testing::HasSubstr;

const std::vector<std::string> kNames{"ann", "bob"};

// Odd games have ann in seat 0.
GameRecord game(std::uint64_t number, std::optional<int> winner, Reason reason) {
    GameRecord record;
    record.task.game = number;
    record.task.pair = (number + 1) / 2;
    if (number % 2 == 0) record.task.players = {1, 0};
    record.winner = winner;
    record.reason = reason;
    return record;
}

GameRecord faulty_game(std::uint64_t number, int seat, Reason reason) {
    GameRecord record = game(number, 1 - seat, reason);
    record.faulty_seat = seat;
    record.detail = "p" + std::to_string(seat + 1) + " did wrong";
    return record;
}

GameReview reviewed(Outcome start) {
    GameReview review;
    review.start = start;
    return review;
}

GameReview thrown_by(int seat, LosingMove move) {
    GameReview review = reviewed(Outcome::N);
    review.thrown[static_cast<std::size_t>(seat)] = move;
    return review;
}

std::string last_of(const std::string& report, const std::string& start) {
    const auto at = report.find(start);
    return at == report.npos ? "no '" + start + "' in:\n" + report : report.substr(at);
}

TEST(FinalReport, IsATableAndHowGamesEnded) {
    Tally tally(2);
    tally.add(game(1, 0, Reason::NoMoves), reviewed(Outcome::N));
    tally.add(game(2, 1, Reason::NoMoves), reviewed(Outcome::N));
    tally.add(game(3, std::nullopt, Reason::Repetition), reviewed(Outcome::D));
    tally.add(game(4, 0, Reason::Adjudicated), reviewed(Outcome::P));
    EXPECT_EQ(final_report(tally, {"ann", "bob the builder"}),
              "player              games     wins   losses    draws     points     theory\n"
              "ann                     4        2        1        1        2.5        2.5\n"
              "bob the builder         4        1        2        1        1.5        1.5\n"
              "games ended by: no-moves 2, repetition 1, adjudicated 1\n");
}

TEST(FinalReport, AlignsNamesByWhatIsSeen) {
    Tally tally(2);
    EXPECT_EQ(final_report(tally, {"jürgen-ö", "b"}),
              "player       games     wins   losses    draws     points     theory\n"
              "jürgen-ö         0        0        0        0        0.0        0.0\n"
              "b                0        0        0        0        0.0        0.0\n");
}

TEST(FinalReport, CountsWhatTheoryAllowedByTheSeats) {
    Tally tally(2);
    tally.add(game(1, 1, Reason::NoMoves), reviewed(Outcome::N));  // ann's to win
    tally.add(game(2, 1, Reason::NoMoves), reviewed(Outcome::N));  // bob's
    tally.add(game(3, 1, Reason::NoMoves), reviewed(Outcome::P));  // bob's
    tally.add(game(4, 1, Reason::NoMoves), reviewed(Outcome::Unknown));
    EXPECT_EQ(tally.players()[0].theory_halves, 2u);
    EXPECT_EQ(tally.players()[1].theory_halves, 4u);
    EXPECT_EQ(final_report(tally, kNames),
              "player     games     wins   losses    draws     points     theory\n"
              "ann            4        2        2        0        2.0      1.0+?\n"
              "bob            4        2        2        0        2.0      2.0+?\n"
              "theory: without 1 game, whose outcome is not known\n"
              "games ended by: no-moves 4\n");
}

TEST(FinalReport, CountsVoidGamesForNobody) {
    Tally tally(2);
    tally.add(game(1, std::nullopt, Reason::Void), reviewed(Outcome::N));
    EXPECT_EQ(tally.finished(), 1u);
    EXPECT_EQ(tally.players()[0].games, 0u);
    EXPECT_EQ(tally.players()[0].theory_halves, 0u);
    EXPECT_THAT(final_report(tally, kNames),
                EndsWith("games ended by: void 1\n"
                         "1 game void by the arena's own fault, counted for nobody\n"));
}

TEST(FinalReport, HasASentenceForEachKindOfFault) {
    Tally tally(2);
    GameRecord illegal = faulty_game(3, 1, Reason::IllegalMove);
    illegal.detail = "p2 played '2=9' in nim:3,4: heap 2 is '4'";
    illegal.fault.received = "bestmove 2=9\x1b";
    illegal.fault.expected = "a legal move such as 1=0";
    illegal.fault.stderr_tail = "thinking\r\nTraceback:\n\tline 3\n";
    tally.add(faulty_game(5, 1, Reason::IllegalMove), {});
    tally.add(illegal, {});
    tally.add(faulty_game(7, 1, Reason::IllegalMove), {});

    GameRecord crashed = faulty_game(1, 0, Reason::Disconnected);
    crashed.fault.exit = ExitStatus{std::nullopt, SIGSEGV};
    tally.add(crashed, {});
    GameRecord left = faulty_game(2, 0, Reason::Disconnected);
    left.fault.exit = ExitStatus{3, std::nullopt};
    tally.add(left, {});

    EXPECT_TRUE(tally.has_faults());
    EXPECT_EQ(last_of(final_report(tally, kNames), "games ended"),
              "games ended by: illegal-move 3, disconnected 2\n"
              "ann lost 1 game by disconnected; game 1: p1 did wrong\n"
              "    the process was ended by SIGSEGV\n"
              "bob lost 3 games by illegal-move; game 3: p2 played '2=9' in nim:3,4: heap 2 is "
              "'4'\n"
              "    received: 'bestmove 2=9\\x1b'\n"
              "    expected: a legal move such as 1=0\n"
              "    its last lines on stderr:\n"
              "      | thinking\n"
              "      | Traceback:\n"
              "      | \\tline 3\n"
              "bob lost 1 game by disconnected; game 2: p1 did wrong\n"
              "    the process exited with status 3\n");
}

TEST(FinalReport, ShortensWhatAFaultyPlayerWrote) {
    Tally tally(2);
    GameRecord record = faulty_game(1, 0, Reason::Protocol);
    record.fault.received = std::string(1 << 20, 'x');
    for (int i = 1; i <= 30; ++i)
        record.fault.stderr_tail += "line " + std::to_string(i) + "\n";
    record.fault.stderr_tail += std::string(5000, 'y');
    tally.add(record, {});
    const std::string report = final_report(tally, kNames);
    EXPECT_THAT(report, HasSubstr("    received: '" + std::string(200, 'x') + "…'\n"));
    EXPECT_THAT(report, HasSubstr("on stderr:\n      | line 22\n"));
    EXPECT_THAT(report, EndsWith("      | line 30\n      | " + std::string(200, 'y') + "…\n"));
}

TEST(FinalReport, ListsTheGamesThatEachPlayerThrew) {
    Tally tally(2);
    tally.add(game(1, 1, Reason::NoMoves), thrown_by(0, {1, "nim:3,4,5", "1=0", "1=1"}));
    tally.add(game(2, 0, Reason::NoMoves), thrown_by(1, {4, "nim:5", "1=3", ""}));
    tally.add(game(3, 0, Reason::NoMoves), thrown_by(0, {1, "nim:7", "1=6", "1=0"}));
    EXPECT_EQ(last_of(final_report(tally, kNames), "ann threw"),
              "ann threw 2 of 3 games, by its first losing move from a won position:\n"
              "    game 1, move 1, in nim:3,4,5: 1=0 loses, 1=1 wins\n"
              "    game 2, move 4, in nim:5: 1=3\n")
        << "game 3 was won all the same";
}

TEST(FinalReport, ListsTenThrownGamesAndCountsTheRest) {
    Tally tally(2);
    for (std::uint64_t i = 50; i >= 1; --i) {
        tally.add(game(2 * i - 1, 1, Reason::NoMoves),
                  thrown_by(0, {1, "nim:1", "1=0", "1=0"}));
    }
    EXPECT_EQ(tally.players()[0].throws.size(), 10u);
    const std::string report = final_report(tally, kNames);
    EXPECT_THAT(report, HasSubstr("ann threw 50 of 50 games, "));
    EXPECT_THAT(report, EndsWith("    game 19, move 1, in nim:1: 1=0 loses, 1=0 wins\n"
                                 "    and 40 more\n"));
}

TEST(FinalReport, NamesWhoBurnsTimeOffItsTurn) {
    Tally tally(2);
    GameRecord burning = game(1, 0, Reason::NoMoves);
    burning.off_turn_cpu = {1500ms, 1ms};
    tally.add(burning, {});
    tally.add(game(3, 0, Reason::NoMoves), {});
    EXPECT_THAT(final_report(tally, kNames),
                EndsWith("ann used 1.5 s of CPU time while its opponent was to move, in 1 of 2 "
                         "games: it takes time from whom it shares a core with\n"));
}

TEST(FinalReport, IsTheSameInWhateverOrderGamesEnd) {
    std::vector<std::pair<GameRecord, GameReview>> games;
    for (std::uint64_t number = 1; number <= 60; ++number) {
        const Reason reason = number % 3 == 0 ? Reason::Timeout : Reason::IllegalMove;
        const int seat = static_cast<int>(number % 2);
        GameRecord record = faulty_game(number, seat, reason);
        record.detail += " in game " + std::to_string(number);
        games.emplace_back(record, thrown_by(seat, {number, "nim:1", "1=0", "1=0"}));
    }
    const auto report_of = [&] {
        Tally tally(2);
        for (const auto& [record, review] : games) tally.add(record, review);
        return final_report(tally, kNames);
    };
    const std::string in_order = report_of();
    std::mt19937 random(1);
    for (int i = 0; i < 20; ++i) {
        std::ranges::shuffle(games, random);
        EXPECT_EQ(report_of(), in_order);
    }
}

TEST(ProgressLine, TellsRateScoreAndTimeLeft) {
    Tally tally(2);
    EXPECT_EQ(progress_line(tally, kNames, 100, 0ms), "0/100 games");
    EXPECT_EQ(progress_line(tally, kNames, 100, 5000ms), "0/100 games");

    tally.add(game(1, 0, Reason::NoMoves), {});
    tally.add(game(2, std::nullopt, Reason::Repetition), {});
    EXPECT_EQ(progress_line(tally, kNames, 100, 0ms), "2/100 games");
    EXPECT_EQ(progress_line(tally, kNames, 100, 500ms),
              "2/100 games, 4.0 games/s, ann 1.5 : 0.5 bob, 25 s left");
    EXPECT_EQ(progress_line(tally, kNames, 100, 4000ms),
              "2/100 games, 0.5 games/s, ann 1.5 : 0.5 bob, 3 min 16 s left");
    EXPECT_EQ(progress_line(tally, kNames, 10000, 4000ms),
              "2/10000 games, 0.5 games/s, ann 1.5 : 0.5 bob, 5 h 33 min left");
    EXPECT_EQ(progress_line(tally, kNames, 2, 500ms),
              "2/2 games, 4.0 games/s, ann 1.5 : 0.5 bob");
}

}  // namespace
}  // namespace arena
