// Rubrics of assignments: a TOML file with the parts of a grade and their points.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/submissions/bot_folder.hpp"
#include "protocol/result.hpp"

namespace arena {

enum class PartKind { Check, Certify, Match, ErrorRate, Time, Memory };

struct RubricPart {
    std::string name;
    PartKind kind = PartKind::Check;
    double points = 0;
    double least = 0;  // the share below which there are no points
    double full = 1;   // the share from which there are all
    bool bonus = false;
    bool hidden = false;                 // from the student
    bool bound = false;                  // ErrorRate: the upper end of its interval counts
    Milliseconds within{0};              // Time: what a move may take
    std::uint64_t most = 0;              // Memory: bytes
    std::string opponent;                // of games: a player; else empty
    std::vector<std::string> arguments;  // of nim-arena: what is asked or played

    bool plays_games() const { return !opponent.empty(); }
};

struct Rubric {
    std::string name;
    std::string run;  // the command of a submission that no rule fits; may be empty
    std::vector<LanguageRule> languages;  // those of the file; the built-in ones without `run`
    std::string student;                  // see list_submissions()
    std::optional<std::uint64_t> seed;    // nullopt: drawn for the results
    std::int64_t movetime = 1000;         // ms
    Milliseconds time{120'000};           // of a part, for a submission
    Milliseconds build_time{300'000};
    bool sandbox = true;
    std::vector<RubricPart> parts;

    double points() const;  // without bonus parts
};

// Errors name line and column, and what was expected.
protocol::Result<Rubric> read_rubric(std::string_view text, const std::string& path);

// The points for this share of a part: all from `full` on, none below `least`, growing evenly
// between; rounded to hundredths.
double points_for(const RubricPart& part, double share);

}  // namespace arena
