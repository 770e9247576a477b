#include "arena/grade/part_grade.hpp"

#include <fmt/format.h>

#include "arena/base/exit_codes.hpp"
#include "arena/game/game_analysis.hpp"
#include "tests/arena/game_records.hpp"
#include "tests/arena/stand_in_analyst.hpp"

namespace arena::part_grade_test {

RubricPart games_part(PartKind kind = PartKind::Match) {
    RubricPart part;
    part.kind = kind;
    part.opponent = "builtin:random";
    return part;
}

// A run with a game that the submission has won.
PartRun won_run(std::optional<int> status = std::nullopt) {
    PartRun run;
    run.status = status;
    run.games.emplace_back().winner = 0;
    run.games.front().reason = Reason::NoMoves;
    return run;
}

PartGrade grade(const RubricPart& part, const PartRun& run) {
    return grade_run(part, run, Milliseconds(1000));
}

PartGrade grade_of(PartKind kind, int status, const std::string& line = "",
                   std::vector<std::string> arguments = {}) {
    RubricPart part = kind == PartKind::Match ? games_part() : RubricPart();
    part.kind = kind;
    part.arguments = std::move(arguments);
    PartRun run = won_run(status);
    run.output = line;
    run.stderr_text = "nim-arena: No space left on device\n";
    return grade(part, run);
}

TEST(PartGrade, CountsGamesOnlyWhereAllWerePlayed) {
    EXPECT_TRUE(grade_of(PartKind::Match, kExitPlayed).is_graded);
    EXPECT_TRUE(grade_of(PartKind::Match, kExitStrict).is_graded);
    for (const int status : {kExitInternal, kExitUsage, kExitRecord, kExitInterrupted}) {
        const PartGrade grade = grade_of(PartKind::Match, status);
        EXPECT_FALSE(grade.is_graded) << status;
        EXPECT_EQ(grade.reason, "not graded: nim-arena: No space left on device") << status;
    }
}

TEST(PartGrade, SaysWhatIsWrongWithACommandLine) {
    PartRun run;
    run.stderr_text = "nim-arena certify: no such family\nTry 'nim-arena certify --help'\n";
    run.status = kExitUsage;
    EXPECT_EQ(grade(RubricPart(), run).reason, "not graded: nim-arena certify: no such family");
}

// By what the run writes for programs: its words for people are no interface.
TEST(PartGrade, IsZeroWhereTheBotDoesNotStart) {
    const auto certify = [](const std::string& starved) {
        return grade_of(PartKind::Certify, kExitStartup,
                        R"({"started":false,"detail":"so","starved":)" + starved + "}");
    };
    EXPECT_TRUE(certify("false").is_graded);
    EXPECT_EQ(certify("false").share, 0);
    EXPECT_FALSE(certify("true").is_graded);
    EXPECT_THAT(certify("true").reason,
                testing::StartsWith("not graded: the machine was too busy"));
    EXPECT_FALSE(
        grade_of(PartKind::Check, kExitStartup, R"({"starved":true,"points":[]})").is_graded);

    PartRun run;
    run.status = kExitStartup;
    run.stderr_text = "nim-arena: ann does not start: no\nno game was played\n";
    const auto match = [&](const std::string& player, const std::string& starved) {
        run.events = "{\"event\":\"tournament\"}\n" +
                     (R"({"event":"not-started","player":)" + player) +
                     R"(,"detail":"so","starved":)" + starved + "}\n";
        return grade(games_part(), run);
    };
    EXPECT_TRUE(match("0", "false").is_graded);
    EXPECT_EQ(match("0", "false").reason,
              "it does not start\nnim-arena: ann does not start: no\nno game was played");
    EXPECT_FALSE(match("0", "true").is_graded);
    EXPECT_THAT(match("1", "false").reason,
                testing::StartsWith("not graded: the opponent does not start"));
    run.events.clear();
    EXPECT_FALSE(grade(games_part(), run).is_graded);
}

TEST(PartGrade, LeavesAPartOutWhereABusyMachineKeptTheBotFromStartingAgain) {
    const PartGrade certified =
        grade_of(PartKind::Certify, kExitRefuted, R"({"started":true,"starved":true})");
    EXPECT_FALSE(certified.is_graded);
    EXPECT_THAT(certified.reason, testing::HasSubstr("the machine was too busy"));

    PartRun run = won_run(kExitStartup);
    run.games.emplace_back().winner = 1;
    run.games.back().reason = Reason::Startup;
    const auto match = [&](const char* of) {
        run.events = fmt::format("{{\"event\":\"fault\",\"player\":{}}}\n", of);
        return grade(games_part(), run);
    };
    EXPECT_FALSE(match(R"(0,"starved":true)").is_graded);
    EXPECT_TRUE(match(R"(0,"starved":false)").is_graded);
    EXPECT_TRUE(match(R"(1,"starved":true)").is_graded) << "then the game does not count";
    run.status = kExitInternal;
    run.events = "{\"event\":\"fau";  // it was killed
    EXPECT_FALSE(grade(games_part(), run).is_graded);
}

TEST(PartGrade, IsLateOnlyByTheMovesOfTheBot) {
    RubricPart part = games_part();
    PartRun run = won_run();
    run.is_late = true;
    const auto late = [&](const std::string& events) {
        run.events = events + "{\"event\":\"mo";  // it was killed
        return grade(part, run);
    };
    const auto move = [](int player, int ms) {
        return fmt::format("{{\"event\":\"move\",\"player\":{},\"time_us\":{}000}}\n", player,
                           ms);
    };
    EXPECT_EQ(late("").reason, "it took longer than 1 s");
    EXPECT_EQ(late("").share, 0);
    EXPECT_EQ(late("").games, 1) << "it counts for its Elo";
    EXPECT_TRUE(late(move(0, 550) + move(1, 400)).is_graded);
    EXPECT_TRUE(late(move(0, 700) + move(1, 600)).is_graded) << "two games at once";
    EXPECT_EQ(
        late(move(0, 50) + move(1, 400) + move(1, 550)).reason,
        "not graded: its opponent's moves took 1 s in all, of 1 s; give the part more time, or "
        "fewer games");
    const PartGrade played = late("{\"event\":\"standing\",\"rows\":[]}\n");
    EXPECT_TRUE(played.is_graded) << "its games were still analysed";
    EXPECT_EQ(played.share, 1);
    run.games.emplace_back().winner = 1;
    run.games.back().task.players = {0, 1};
    run.games.back().reason = Reason::Timeout;
    run.games.back().fault_time = Microseconds(700'000);
    EXPECT_TRUE(late(move(1, 600)).is_graded) << "it hung for longer than its opponent thought";
    run.games.pop_back();
    part.kind = PartKind::ErrorRate;
    const std::string over = "{\"event\":\"standing\",\"rows\":[]}\n";
    EXPECT_FALSE(late(move(0, 50) + move(1, 450) + over).is_graded) << "slow analysis";
    EXPECT_TRUE(late(move(0, 500) + move(1, 50) + over).is_graded) << "a slow bot";
    EXPECT_TRUE(late(move(0, 1) + move(1, 2) + over).is_graded) << "slow between its moves";
}

TEST(PartGrade, TakesTheMemoryOfItsGamesFromTheEvents) {
    RubricPart part = games_part(PartKind::Memory);
    part.most = 1 << 20;
    PartRun run = won_run(kExitPlayed);
    for (const char* of : {R"(0,"bytes":1048576)", R"(0,"bytes":4194304)", R"(1,"bytes":9)"})
        run.events += fmt::format("{{\"event\":\"memory\",\"player\":{}}}\n", of);
    EXPECT_EQ(grade(part, run).share, 0.25);
}

TEST(PartGrade, CountsTheWaitForAMoveThatDidNotCome) {
    RubricPart part = games_part(PartKind::Time);
    part.within = Milliseconds(20);
    PartRun run;
    run.status = kExitPlayed;
    run.games.push_back(game_record("nim:1,2", {}, 1, Reason::Disconnected));
    EXPECT_THAT(grade(part, run).reason,
                testing::StartsWith("0 of 1 moves within 20 ms\n1 lost by faults"));
    run.games.push_back(in_match(2, game_record("nim:1,2", {"2=1"}, 0, Reason::Timeout)));
    run.games.back().fault_time = Milliseconds(250);
    EXPECT_THAT(grade(part, run).reason,
                testing::StartsWith("0 of 2 moves within 20 ms; the slowest took "
                                    "250.0 ms\n2 lost by faults"));
}

TEST(PartGrade, HasNoErrorRateWhereNoGameWasAnalysed) {
    PartRun run;
    run.status = kExitPlayed;
    run.games.resize(2, in_match(1, game_record("nim:1,2", {"2=1", "1=0", "2=0"})));
    const auto rate = [&] { return grade(games_part(PartKind::ErrorRate), run); };
    EXPECT_FALSE(rate().is_graded);
    EXPECT_THAT(rate().reason,
                testing::StartsWith("not graded: the truth about its moves is not known: "));

    StandInAnalyst ignorant;
    ignorant.knows = false;
    run.games[0].annotation = to_string(analyse_game(run.games[0], ignorant, engine::Budget()));
    EXPECT_FALSE(rate().is_graded) << "its analysis was cut short";
    run.games[0].annotation =
        to_string(analyse_game(run.games[0], StandInAnalyst(), engine::Budget()));
    EXPECT_TRUE(rate().is_graded);
    EXPECT_EQ(rate().share, 1);
    EXPECT_THAT(rate().reason, testing::EndsWith("\nthis is of 1 of the 2 games: the others "
                                                 "were not analysed to the end in time"));
    run.games[1].annotation = run.games[0].annotation;
    EXPECT_THAT(rate().reason, testing::Not(testing::HasSubstr("analysed")));

    for (GameRecord& game : run.games) {
        game.annotation.clear();
        game.winner = 1;
        game.reason = Reason::Timeout;
    }
    EXPECT_TRUE(rate().is_graded) << "all were lost by faults";
    EXPECT_EQ(rate().share, 0);
}

TEST(PartGrade, CountsNoAnswerAfterWhichTheBotEnded) {
    const auto report = [](const std::string& ended_after) {
        return R"({"started":true,"won":{"positions":8,"right":8},
                   "drawn":{"positions":0,"right":0},
                   "moves":{"positions":4,"right":4,"not_asked":0},
                   "stopped":"","not_asked":0,"counterexample":null,"patterns":[],"unjudged":0,
                   "faults":[{"kind":"ended","count":2,"smallest":"nim:1","detail":""}],
                   "ended_after":)" +
               ended_after + "}";
    };
    const PartGrade grade =
        grade_of(PartKind::Certify, kExitRefuted, report(R"({"won":2,"drawn":0,"moves":0})"));
    EXPECT_EQ(grade.share, 0.75);
    EXPECT_EQ(grade.reason,
              "right in 6 of 8 positions that are won or drawn; 2 right answers do not count, "
              "as it ended after them\nit ended after its answer in 2 positions, the smallest "
              "is nim:1");
    const PartGrade of_lost =
        grade_of(PartKind::Certify, kExitRefuted, report(R"({"won":0,"drawn":0,"moves":0})"));
    EXPECT_EQ(of_lost.share, 1) << "it ended after answers in lost positions";
    EXPECT_THAT(of_lost.reason,
                testing::StartsWith("right in 8 of 8 positions that are won or drawn\n"));
    EXPECT_EQ(
        grade_of(PartKind::Certify, kExitRefuted, report(R"({"won":0,"drawn":0,"moves":2})"))
            .share,
        0.8);
}

TEST(PartGrade, LeavesOutPositionsWhereTheMoveCouldNotBeJudged) {
    constexpr char kReport[] =
        R"({"started":true,"won":{"positions":8,"right":3},"drawn":{"positions":2,"right":1},
            "moves":{"positions":4,"right":4,"not_asked":0},"stopped":"","not_asked":0,
            "counterexample":null,"patterns":[],
            "faults":[],"unjudged":5,
            "ended_after":{"won":0,"drawn":0,"moves":0}})";
    const PartGrade grade = grade_of(PartKind::Certify, kExitRefuted, kReport);
    EXPECT_EQ(grade.share, 0.8);
    EXPECT_EQ(
        grade.reason,
        "right in 4 of 5 positions that are won or drawn; 5 more do not count: nobody knows "
        "what its moves lead to");
    constexpr char kMostly[] =
        R"({"started":true,"won":{"positions":8,"right":1},"drawn":{"positions":2,"right":0},
            "moves":{"positions":4,"right":4,"not_asked":0},"stopped":"","not_asked":0,
            "counterexample":null,"patterns":[],
            "faults":[],"unjudged":6,
            "ended_after":{"won":0,"drawn":0,"moves":0}})";
    EXPECT_FALSE(grade_of(PartKind::Certify, kExitRefuted, kMostly).is_graded);
}

TEST(PartGrade, CountsNoAnswerIfTheBotDoesNotStartForTheRepeats) {
    const auto report = [](const std::string& stopped, const std::string& not_asked) {
        return R"({"started":true,"starved":false,"won":{"positions":8,"right":8},
                   "drawn":{"positions":0,"right":0},
                   "moves":{"positions":0,"right":0,"not_asked":0},
                   "counterexample":null,"patterns":[],"faults":[],"unjudged":0,
                   "ended_after":{"won":0,"drawn":0,"moves":0},"stopped":")" +
               stopped + R"(","not_asked":)" + not_asked + "}";
    };
    EXPECT_EQ(grade_of(PartKind::Certify, kExitPlayed, report("", "0")).share, 1);
    const PartGrade grade =
        grade_of(PartKind::Certify, kExitRefuted, report("it did not start again: so", "0"),
                 {"--repeat", "2"});
    EXPECT_EQ(grade.share, 0);
    EXPECT_EQ(grade.reason,
              "right in 8 of 8 positions that are won or drawn\nit did not start again: so\n"
              "no answer counts: each must be right every time");
}

TEST(PartGrade, TellsMistakesInPositionsSentWithMovesApart) {
    constexpr char kReport[] =
        R"({"started":true,"won":{"positions":2,"right":2},"drawn":{"positions":1,"right":1},
            "moves":{"positions":4,"right":1,"not_asked":0},"stopped":"given up","not_asked":0,
            "faults":[],
            "counterexample":null,"patterns":[],"unjudged":0,
            "ended_after":{"won":0,"drawn":0,"moves":0}})";
    const PartGrade grade = grade_of(PartKind::Certify, kExitRefuted, kReport);
    EXPECT_EQ(grade.share, 0.5);
    EXPECT_EQ(grade.reason,
              "right in 1 of 4 positions sent with `moves`; right in 3 of 3 positions that are "
              "won or drawn\ngiven up");
}

TEST(PartGrade, CountsPointsThatFailedBeforeTheyWereChecked) {
    const auto point = [](const std::string& result, const std::string& more = "") {
        return R"({"point":"p","title":"t","detail":"d","fix":"","needed":true,"result":")" +
               result + '"' + more + "}";
    };
    const std::string report = R"({"points":[)" + point("ok") + "," + point("failed") + "," +
                               point("not-checked", R"(,"excused":true)") + "," +
                               point("not-checked", R"(,"excused":false)") + "," +
                               point("not-checked", R"(,"excused":false)") + "]}";
    const PartGrade grade = grade_of(PartKind::Check, kExitInternal, report);
    EXPECT_EQ(grade.share, 0.25);
    EXPECT_EQ(
        grade.reason,
        "1 of 4 points of the protocol hold; 2 could not be checked, because others failed\n"
        "p: t: d");
}

TEST(PartGrade, CountsAReportOnlyWhereItIsWhole) {
    constexpr char kReport[] = R"({"points":[]})";
    EXPECT_TRUE(grade_of(PartKind::Check, kExitPlayed, kReport).is_graded);
    EXPECT_TRUE(grade_of(PartKind::Check, kExitInternal, kReport).is_graded)
        << "a fault of the bot";
    EXPECT_FALSE(grade_of(PartKind::Check, kExitUsage, kReport).is_graded);
    EXPECT_FALSE(grade_of(PartKind::Certify, kExitRecord, kReport).is_graded);
}

}  // namespace arena::part_grade_test
