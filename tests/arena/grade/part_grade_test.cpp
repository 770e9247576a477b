#include "arena/grade/part_grade.hpp"

#include <string>

#include <gtest/gtest.h>

#include "arena/base/exit_codes.hpp"

namespace arena::part_grade_test {

constexpr char kWon[] =
    R"({"game":1,"p1":"ann","p2":"random","winner":"p1","reason":"no-moves","moves":[],"times_us":[]})";

PartGrade grade_of(PartKind kind, int status, const std::string& line) {
    RubricPart part;
    part.kind = kind;
    if (kind == PartKind::Match) part.opponent = "builtin:random";
    PartRun run;
    run.lines = {line};
    run.stderr_text = "nim-arena: No space left on device\n";
    run.status = status;
    return grade_run(part, run, "ann", Milliseconds(1000));
}

TEST(PartGrade, CountsGamesOnlyWhereAllWerePlayed) {
    EXPECT_TRUE(grade_of(PartKind::Match, kExitPlayed, kWon).is_graded);
    EXPECT_TRUE(grade_of(PartKind::Match, kExitStrict, kWon).is_graded);
    for (const int status : {kExitInternal, kExitUsage, kExitRecord, kExitInterrupted}) {
        const PartGrade grade = grade_of(PartKind::Match, status, kWon);
        EXPECT_FALSE(grade.is_graded) << status;
        EXPECT_EQ(grade.reason, "not graded: nim-arena: No space left on device") << status;
    }
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
