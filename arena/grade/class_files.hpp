// The files and the table of all submissions: for spreadsheets, Canvas and Moodle.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "arena/grade/grade_files.hpp"
#include "arena/grade/rubric.hpp"

namespace arena {

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
