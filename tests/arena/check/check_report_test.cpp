#include "arena/check/check_report.hpp"

namespace arena::check_report_test {

using namespace std::chrono_literals;

PointResult point(std::string id, PointVerdict verdict, bool needed = true) {
    PointResult result;
    result.id = std::move(id);
    result.title = "does what it should";
    result.needed = needed;
    result.verdict = verdict;
    return result;
}

PointResult failed_point() {
    PointResult result = point("isready", PointVerdict::Failed);
    result.detail = "no 'readyok' within 50 ms";
    result.time = 50ms;
    result.expected = "readyok within 50 ms";
    result.fix = "write it";
    result.lines = {{true, "ugi", 3}, {false, "ugi\x1b[31mok", 10}, {true, "isready\r", 8}};
    result.stderr_tail = "one\ntwo\t\xff\n";
    return result;
}

TEST(CheckReport, APointThatHoldsIsALine) {
    PointResult result = point("quit", PointVerdict::Ok);
    EXPECT_EQ(to_text(result), "ok           quit              does what it should\n");
    result.detail = "3 ms";
    EXPECT_EQ(to_text(result), "ok           quit              does what it should: 3 ms\n");
}

// What of failed_point() is shown after its verdict, and before its stderr.
const std::string kProblem =
    "isready           does what it should: no 'readyok' within 50 ms\n";
const std::string kTranscript =
    "             sent      ugi\n"
    "             received  ugi\\x1b[31mok\n"
    "             sent      isready\\r\n"
    "             received  nothing\n"
    "             expected  readyok within 50 ms\n";

TEST(CheckReport, AFailureShowsTheConversation) {
    EXPECT_EQ(to_text(failed_point()), "FAILED       " + kProblem + kTranscript +
                                           "             stderr    one\n"
                                           "             stderr    two    \xEF\xBF\xBD\n"
                                           "             to do     write it\n");
}

TEST(CheckReport, ARemedyIsShownOnce) {
    PointResult result = failed_point();
    result.same_as = "go";
    EXPECT_EQ(to_text(result),
              "FAILED       " + kProblem + kTranscript + "             to do     as at go\n");
}

TEST(CheckReport, PointsThatWereNotCheckedForOneReasonAreOneLine) {
    CheckReport report;
    report.started = true;
    const auto text_with = [&](const std::string& id) {
        report.points.push_back(point(id, PointVerdict::NotChecked));
        report.points.back().detail = "it does not answer `go`";
        return not_checked_text(report);
    };
    const std::string alone = text_with("nim");
    EXPECT_EQ(alone, to_text(report.points[0]));
    EXPECT_EQ(text_with("take"), "not checked  nim, take: it does not answer `go`\n");
    EXPECT_EQ(text_with("mixed"), "not checked  nim, take, mixed: it does not answer `go`\n");
    for (int i = 0; i < 3; ++i) text_with("huge");
    EXPECT_EQ(text_with("huge"),
              "not checked  nim to huge, 7 points: it does not answer `go`\n");
}

TEST(CheckReport, LongLinesAreCutAndTheirLengthIsShown) {
    PointResult result = failed_point();
    result.lines = {{false, std::string(1000, 'x'), 67842}};
    EXPECT_NE(to_text(result).find(std::string(150, 'x')), std::string::npos);
    EXPECT_EQ(to_text(result).find(std::string(201, 'x')), std::string::npos);
    EXPECT_NE(to_text(result).find("… (67842 bytes)\n"), std::string::npos);
}

TEST(CheckReport, OnlyTheLastLinesOfStderrAreShown) {
    PointResult result = failed_point();
    result.stderr_tail.clear();
    for (int i = 1; i <= 30; ++i) result.stderr_tail += "line " + std::to_string(i) + "\n";
    EXPECT_EQ(to_text(result).find("line 20\n"), std::string::npos);
    EXPECT_NE(to_text(result).find("line 21\n"), std::string::npos);
    EXPECT_NE(to_text(result).find("line 30\n"), std::string::npos);
}

TEST(CheckReport, ANoteShowsItsLinesIfItSaysWhatWasExpected) {
    PointResult result = failed_point();
    result.verdict = PointVerdict::Note;
    const std::string remedy = "             to do     write it\n";
    EXPECT_EQ(to_text(result), "note         " + kProblem + kTranscript + remedy);
    result.expected.clear();
    EXPECT_EQ(to_text(result), "note         " + kProblem + remedy);
}

TEST(CheckReport, ANoteOnABotThatEndedShowsItsConversation) {
    PointResult result = failed_point();
    const std::string text = to_text(result);
    result.verdict = PointVerdict::Note;
    result.gave_up = true;
    EXPECT_EQ(to_text(result), "note  " + text.substr(6));
}

TEST(CheckReport, OnlyFailuresDecide) {
    CheckReport report;
    EXPECT_FALSE(has_passed(report)) << "it did not start";
    report.started = true;
    report.points = {point("a", PointVerdict::Ok), point("b", PointVerdict::Note),
                     point("c", PointVerdict::NotChecked)};
    EXPECT_TRUE(has_passed(report));
    EXPECT_EQ(summary_text(report), "passed: 1 ok, 0 failed, 1 note, 1 not checked\n");
    report.points.push_back(point("d", PointVerdict::Failed));
    EXPECT_FALSE(has_passed(report));
    EXPECT_EQ(summary_text(report), "FAILED: 1 ok, 1 failed, 1 note, 1 not checked\n");
}

TEST(CheckReport, IsOneJsonObject) {
    CheckReport report;
    report.player = "./bot";
    report.seed = 7;
    EXPECT_EQ(to_json(report),
              R"({"player":"./bot","name":null,"seed":7,"startup_ms":null,"passed":false,)"
              R"("starved":false,"points":[]})"
              "\n");
    report.started = true;
    report.startup = 12ms;
    report.name = "B\x01";
    report.points = {point("a", PointVerdict::Ok, false), failed_point()};
    EXPECT_EQ(
        to_json(report),
        R"({"player":"./bot","name":"B\\x01","seed":7,"startup_ms":12,"passed":false,)"
        R"("starved":false,"points":[)"
        R"({"point":"a","title":"does what it should","needed":false,"result":"ok",)"
        R"("detail":"","time_ms":0},)"
        R"({"point":"isready","title":"does what it should","needed":true,"result":"failed",)"
        R"("detail":"no 'readyok' within 50 ms","time_ms":50,)"
        R"("lines":[{"sent":"ugi"},{"received":"ugi\\x1b[31mok"},{"sent":"isready\\r"}],)"
        R"("expected":"readyok within 50 ms","fix":"write it",)"
        "\"stderr\":[\"one\",\"two    \xEF\xBF\xBD\"]}]}\n");
}

}  // namespace arena::check_report_test
