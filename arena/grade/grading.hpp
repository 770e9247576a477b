// Grades submissions by a rubric, several at once, and writes what that came to.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/grade/rubric.hpp"
#include "arena/process/guardian.hpp"

namespace arena {

struct GradeOptions {
    std::string rubric_file;
    Rubric rubric;
    std::vector<std::string> submissions;  // folders
    std::string results;
    std::set<std::string> again;         // names whose results are dropped first
    std::optional<Milliseconds> budget;  // for all
    std::optional<int> concurrency;      // submissions at once; default: one for each core
    std::string run_as;                  // a user, instead of the sandbox; or empty
    bool quiet = false;
};

// The name of the last folder of a path.
std::string submission_name(const std::string& folder);

// Gives the exit status. What an earlier run has graded is taken from the results.
int run_grading(const GradeOptions& options, const Guardian& guardian);

}  // namespace arena
