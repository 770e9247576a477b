// Grades a run of nim-arena: the share of a part that a submission has done, and why.
#pragma once

#include <string>
#include <vector>

#include "arena/grade/grade_files.hpp"
#include "arena/grade/part_run.hpp"
#include "arena/grade/rubric.hpp"

namespace arena {

// The name that a submission plays under.
std::string playing_name(const std::string& submission);

// `time`: the limit of the part. Throws on output that nim-arena does not write.
PartGrade grade_run(const RubricPart& part, const PartRun& run, Milliseconds time);

// The points and games of player 0 of two in a match; void games count for nobody.
PartGrade grade_match(const std::vector<GameRecord>& games);

}  // namespace arena
