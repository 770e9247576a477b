// The grade of a submission, and the files that tell it: for Gradescope, GitHub Classroom, what
// reads JUnit, and the student. Then the files and the table of all submissions.
#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/grade/rubric.hpp"

namespace arena {

struct PartGrade {
    bool is_graded = false;
    double share = 0;
    std::string reason = {};  // lines
    std::string brief = {};   // it in a few words, where its first line has not these
    std::optional<double> error_rate = {};  // ε, where the part measures it
    double points = 0;                      // of the games that were played, if any
    int games = 0;
};
PartGrade graded(double share, std::string reason);
// The grade of a part that could not be graded.
PartGrade ungraded(const std::string& why);

struct Student {
    std::string name;
    std::string id;                // see Submission
    std::vector<PartGrade> parts;  // as the rubric's
    std::optional<double> elo;     // against the opponents of the rubric, see opponents.hpp
    std::string note{};            // how the bot was found, where it was not plain to see

    std::string shown_name() const;  // UTF-8, unlike that of a folder
    bool is_graded() const;          // all parts of it
    // For part `i`; nullopt: it is not graded, which is not the same as 0.
    std::optional<double> points_of(const Rubric& rubric, std::size_t i) const;
    // For all parts; nullopt: some are not graded.
    std::optional<double> points(const Rubric& rubric) const;
    // Why parts have 0 points, in a few words; empty: none has.
    std::string why_zero(const Rubric& rubric) const;
};

// "7.5"
std::string points_label(double points);
// The same; empty without points.
std::string points_cell(std::optional<double> points);

// "Elo +120, where the opponents have 0 on average"; empty: it has none.
std::string elo_sentence(const Student& student);

// results.json of Gradescope's autograders; hidden parts are marked. Where a part is not
// graded, nothing has a score, and a hidden test has the cause.
std::string gradescope_text(const Rubric& rubric, const Student& student);
// What GitHub Classroom's reporter reads, base64 apart; hidden parts have no name and no
// reason.
std::string classroom_text(const Rubric& rubric, const Student& student);
// With hidden parts, for instructors.
std::string junit_text(const Rubric& rubric, const Student& student);

// For the student: without hidden parts.
std::string report_text(const Rubric& rubric, const Student& student);
// A page for a browser. `games` has a link for each part with pages of its games, else "".
std::string student_page(const Rubric& rubric, const Student& student,
                         const std::vector<std::string>& games);

// ---- of all submissions (class_files.cpp) ----

// A column for each part, then Elo where the rubric has opponents, the total and what it is of.
std::string grades_csv(const Rubric& rubric, const std::vector<Student>& students);
// The columns of Canvas's gradebook. Students are known by their ids where the rubric says that
// the submissions are Canvas's, else by their logins.
std::string canvas_csv(const Rubric& rubric, const std::vector<Student>& students);
// Where the rubric says that the submissions are Moodle's, an offline grading worksheet of the
// assignment, graded at `now`. Else columns that Moodle's import of grades maps by their names.
std::string moodle_csv(const Rubric& rubric, const std::vector<Student>& students,
                       std::time_t now);
// The same as grades_csv(), for people.
std::string grades_table(const Rubric& rubric, const std::vector<Student>& students);

}  // namespace arena
