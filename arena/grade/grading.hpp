// Grades submissions by a rubric, several at once, and writes the results.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/grade/rubric.hpp"
#include "arena/process/guardian.hpp"
#include "arena/submissions/submission.hpp"

namespace arena {

struct GradeOptions {
    std::string rubric_file;
    Rubric rubric;
    std::vector<std::string> paths;  // of what was handed in, as they are given
    std::vector<Submission> submissions;
    std::string results;
    std::set<std::string> again;         // names whose results are dropped first
    std::optional<Milliseconds> budget;  // for all
    std::optional<int> concurrency;      // submissions at once; default: one for each core
    std::string run_as;                  // a user, instead of the sandbox; or empty
    bool quiet = false;
};

// Names that no student's folder can have: those of the files next to the folders and of their
// drafts, "." and "..".
inline constexpr auto kNamesTaken = std::to_array<std::string_view>(
    {".", "..", "grades.csv", "canvas.csv", "moodle.csv", "opponents.json", "opponents.db",
     "opponents.db-wal", "opponents.db-shm", "opponents.db-journal", "opponents.db-lock",
     "seed.txt", "grades.csv.part", "canvas.csv.part", "moodle.csv.part", "opponents.json.part",
     "seed.txt.part"});

// Gives the exit status. What an earlier run has graded is taken from the results.
int run_grading(const GradeOptions& options, const Guardian& guardian);

}  // namespace arena
