// The share of a part that a submission has done, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/grade/grade_files.hpp"
#include "arena/grade/rubric.hpp"
#include "arena/record/store.hpp"

namespace arena {

// What a run of nim-arena wrote, and how it ended.
struct PartRun {
    std::string output;  // one object of check and certify
    std::string stderr_text;
    std::optional<int> status;      // nullopt: it did not end in time, or by a signal
    std::vector<GameRecord> games;  // of a match, in which the submission is player 0
    std::string events;             // those of match --events
    bool is_late = false;
};

// The name that a submission plays under.
std::string playing_name(const std::string& submission);

// `time`: the limit of the part. Throws on output that nim-arena does not write.
PartGrade grade_run(const RubricPart& part, const PartRun& run, Milliseconds time);

// The points and games of player 0 of two in a match; void games count for nobody.
PartGrade grade_match(const std::vector<GameRecord>& games);

}  // namespace arena
