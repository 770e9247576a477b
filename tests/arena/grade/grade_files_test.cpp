#include "arena/grade/grade_files.hpp"

#include <boost/json.hpp>

namespace arena::grade_files_test {

namespace json = boost::json;
using namespace testing;

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
        ann_.parts = {graded(0.5), ungraded("the disk is full")};
        bob_.parts = {graded(0), graded(1)};
    }

    static PartGrade graded(double share) { return arena::graded(share, "so"); }

    Rubric rubric_;
    Student ann_{"ann", "", {}, std::nullopt};
    Student bob_{"bob", "", {}, std::nullopt};
};

TEST_F(GradeFiles, LeaveCellsEmptyWhereAPartIsNotGraded) {
    EXPECT_EQ(grades_csv(rubric_, {ann_, bob_}),
              "student,Right,Fast,total,of,why 0\r\nann,2,,,10,\r\nbob,0,6,6,10,Right: so\r\n");
    EXPECT_THAT(canvas_csv(rubric_, {ann_, bob_}),
                HasSubstr("ann,,,ann,,\r\nbob,,,bob,,6\r\n"));
    EXPECT_THAT(moodle_csv(rubric_, {ann_}, 0), HasSubstr("\r\nann,,"));
    EXPECT_THAT(grades_table(rubric_, {ann_}), HasSubstr("ann         2    -     - 10"));
}

TEST_F(GradeFiles, HaveAllDigitsOfThePoints) {
    for (const auto& [points, label] :
         {std::pair{12345.67, "12345.67"}, std::pair{1e6, "1000000"}, std::pair{7.5, "7.5"},
          std::pair{0.125, "0.125"}, std::pair{0.1 + 0.2, "0.3"}, std::pair{0.0, "0"}})
        EXPECT_EQ(points_label(points), label);
    rubric_.parts[1].points = 1e6;
    EXPECT_THAT(grades_csv(rubric_, {bob_}), HasSubstr("\nbob,0,1000000,1000000,1000004,"));
}

TEST_F(GradeFiles, SayWhyThereAreNoPoints) {
    ann_.parts = {graded(0), graded(0)};
    for (const auto& [reason, why] :
         {std::pair{"the build failed, `make`: it ended\n  so", "the build failed"},
          std::pair{"2 bots: '*.py' fits a.py, b.py", "2 bots"},
          std::pair{"it does not start\nnim-arena: x", "it does not start"},
          std::pair{"player.toml, line 1, column 7: run: expected a text",
                    "player.toml, line 1"},
          std::pair{"a.zip has more than 29 MiB (an archive may hold 16 MiB, or 100 times its "
                    "own size)",
                    "a.zip has more than 29 MiB"},
          std::pair{"0 of 9 points hold; 2 not", "0 of 9 points hold"}}) {
        ann_.parts[0].reason = ann_.parts[1].reason = reason;
        EXPECT_EQ(ann_.why_zero(rubric_), why);
    }
    ann_.parts[1].brief = "all games lost";
    EXPECT_EQ(grades_table(rubric_, {ann_, bob_}),
              "student Right Fast total of why 0\n"
              "ann         0    0     0 10 Right: 0 of 9 points hold; Fast: all games lost\n"
              "bob         0    6     6 10 Right: so\n");
    bob_.parts = {graded(1), graded(1)};
    EXPECT_EQ(grades_table(rubric_, {bob_}),
              "student Right Fast total of\nbob         4    6    10 10\n");
}

TEST_F(GradeFiles, NeverSayZeroForWhatIsNotGraded) {
    const json::object results = json::parse(gradescope_text(rubric_, ann_)).as_object();
    EXPECT_FALSE(results.contains("score"));
    EXPECT_TRUE(results.at("leaderboard").as_array().empty());
    const json::object& fast = results.at("tests").as_array().at(1).as_object();
    EXPECT_FALSE(fast.contains("score") || fast.contains("status"));
    EXPECT_EQ(fast.at("output"), "not graded");
    // Gradescope would add up what the other parts have.
    EXPECT_FALSE(results.at("tests").as_array().at(0).as_object().contains("score"));
    EXPECT_THAT(std::string(results.at("output").as_string()), HasSubstr("no verdict"));
    EXPECT_EQ(results.at("tests").as_array().at(2),
              (json::object{{"name", "Why parts are not graded"},
                            {"output", "Fast: not graded: the disk is full\n"},
                            {"visibility", "hidden"}}));
    EXPECT_FALSE(json::parse(gradescope_text(rubric_, bob_)).as_object().contains("output"));
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

TEST_F(GradeFiles, AreWhatPlatformsTake) {
    bob_.id = "77";
    rubric_.student = "canvas";
    EXPECT_EQ(canvas_csv(rubric_, {bob_}),
              "Student,ID,SIS User ID,SIS Login ID,Section,Nim\r\nbob,77,,,,6\r\n");
    EXPECT_THAT(moodle_csv(rubric_, {bob_}, 0), StartsWith("Username,Nim,"));
    rubric_.student = "moodle";
    rubric_.name = "<Nim>";
    EXPECT_EQ(moodle_csv(rubric_, {bob_}, 86'400),
              "Identifier,Full name,Grade,Last modified (grade),Feedback comments\r\n"
              "Participant 77,bob,6,1970-01-02 00:00:00 UTC,\"<pre>&lt;Nim&gt;: bob\n\n"
              "Right: 0 of 4 points\n    so\n\nFast: 6 of 6 points\n    so\n</pre>\"\r\n");
    EXPECT_THAT(canvas_csv(rubric_, {bob_}), HasSubstr("bob,,,bob,,6\r\n"));
}

TEST_F(GradeFiles, HoldNamesAsText) {
    for (std::string* name : {&rubric_.name, &rubric_.parts[0].name, &bob_.name,
                              &bob_.parts[0].reason, &bob_.parts[1].reason}) {
        *name = "<i>\"&";
        for (const std::string& text :
             {junit_text(rubric_, bob_), student_page(rubric_, bob_, {"", ""})}) {
            EXPECT_THAT(text, HasSubstr("&lt;i&gt;"));
            EXPECT_THAT(text, Not(HasSubstr("<i>")));
        }
    }
}

TEST_F(GradeFiles, SayHowABotWasFound) {
    bob_.note = "the bot is in the folder <a\nb>; ignored: x";
    EXPECT_THAT(report_text(rubric_, bob_),
                HasSubstr("Nim: bob\nthe bot is in the folder <a\\nb>; ignored: x\n"));
    EXPECT_THAT(student_page(rubric_, bob_, {"", ""}),
                HasSubstr("<p>the bot is in the folder &lt;a"));
    EXPECT_THAT(
        std::string(json::parse(gradescope_text(rubric_, bob_)).at("output").as_string()),
        HasSubstr("the bot is in the folder"));
}

}  // namespace arena::grade_files_test
