#include "arena/grade/grade_files.hpp"

#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "arena/grade/class_files.hpp"

namespace arena::grade_files_test {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

// Two parts of 4 and 6 points; the second of ann is not graded.
class GradeFiles : public testing::Test {
  protected:
    GradeFiles() {
        rubric_.name = "Nim";
        for (const auto& [name, points] : {std::pair{"Right", 4}, std::pair{"Fast", 6}}) {
            RubricPart& part = rubric_.parts.emplace_back();
            part.name = name;
            part.points = points;
        }
        ann_.parts = {graded(0.5), ungraded("not graded: the disk is full")};
        bob_.parts = {graded(0), graded(1)};
    }

    static PartGrade graded(double share) {
        PartGrade grade;
        grade.is_graded = true;
        grade.share = share;
        grade.reason = "so";
        return grade;
    }

    Rubric rubric_;
    Student ann_{"ann", "", {}, std::nullopt};
    Student bob_{"bob", "", {}, std::nullopt};
};

TEST_F(GradeFiles, LeaveCellsEmptyWhereAPartIsNotGraded) {
    EXPECT_EQ(grades_csv(rubric_, {ann_, bob_}),
              "student,Right,Fast,total,of\r\nann,2,,,10\r\nbob,0,6,6,10\r\n");
    EXPECT_THAT(canvas_csv(rubric_, {ann_, bob_}),
                HasSubstr("ann,,,ann,,\r\nbob,,,bob,,6\r\n"));
    EXPECT_THAT(moodle_csv(rubric_, {ann_}), HasSubstr("\r\nann,,"));
    EXPECT_THAT(grades_table(rubric_, {ann_}), HasSubstr("ann         2    -     - 10"));
}

TEST_F(GradeFiles, NeverSayZeroForWhatIsNotGraded) {
    const json::object results = json::parse(gradescope_text(rubric_, ann_)).as_object();
    EXPECT_FALSE(results.contains("score"));
    EXPECT_TRUE(results.at("leaderboard").as_array().empty());
    const json::object& fast = results.at("tests").as_array().at(1).as_object();
    EXPECT_FALSE(fast.contains("score") || fast.contains("status"));
    EXPECT_EQ(json::parse(gradescope_text(rubric_, bob_)).at("score"), 6.0);

    const json::value classroom = json::parse(classroom_text(rubric_, ann_));
    EXPECT_EQ(classroom.at("status"), "error");
    EXPECT_EQ(classroom.at("tests").at(1),
              (json::object{{"name", "Fast"},
                            {"status", "error"},
                            {"message", "not graded: the disk is full"}}));
    EXPECT_EQ(json::parse(classroom_text(rubric_, bob_)).at("status"), "fail");

    EXPECT_THAT(junit_text(rubric_, ann_), HasSubstr("failures=\"1\" skipped=\"1\""));
    EXPECT_THAT(junit_text(rubric_, ann_), HasSubstr("<skipped message=\"not graded\">"));
    EXPECT_THAT(report_text(rubric_, ann_), HasSubstr("\nFast: not graded\n"));
    EXPECT_THAT(report_text(rubric_, bob_), HasSubstr("\nFast: 6 of 6 points\n"));
    const std::string page = student_page(rubric_, ann_, {"", ""});
    EXPECT_THAT(page, HasSubstr("ann: not all parts of 10 points are graded</p>"));
    EXPECT_THAT(page, HasSubstr("<h2>Fast</h2>\n<p>not graded</p>"));
    EXPECT_THAT(page, Not(HasSubstr("<b>0</b>")));
}

}  // namespace arena::grade_files_test
