// The files and the table of all submissions: for spreadsheets, Canvas and Moodle.
#pragma once

#include <string>
#include <vector>

#include "arena/grade/grade_files.hpp"
#include "arena/grade/rubric.hpp"

namespace arena {

// A column for each part, then Elo where the rubric has opponents, the total and what it is of.
std::string grades_csv(const Rubric& rubric, const std::vector<Student>& students);
// The columns of Canvas's gradebook; students are known by their logins.
std::string canvas_csv(const Rubric& rubric, const std::vector<Student>& students);
// Columns that Moodle's import of grades maps by their names.
std::string moodle_csv(const Rubric& rubric, const std::vector<Student>& students);
// The same as grades_csv(), for people.
std::string grades_table(const Rubric& rubric, const std::vector<Student>& students);

}  // namespace arena
