// Elo of submissions, each rated alone: the opponents of the rubric play each other first, so
// that a rating depends on no other submission, and a student who is graded at another time can
// be compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arena/contest/elo.hpp"
#include "arena/grade/grade_files.hpp"
#include "arena/grade/rubric.hpp"

namespace arena {

// The opponents of parts that students see, each once.
std::vector<std::string> opponents_of(const Rubric& rubric);

// A match of two of them, by their numbers.
struct OpponentMatch {
    std::size_t first = 0;
    std::size_t second = 0;
    std::vector<std::string> arguments;  // of nim-arena match: games and positions
};
std::vector<OpponentMatch> opponent_matches(const Rubric& rubric);

// The submission's Elo by its games with them and theirs, where the mean of the opponents is 0;
// nullopt where it has played no games. `scores`: opponents are numbered from 0.
std::optional<double> elo_of(const Rubric& rubric, const std::vector<PartGrade>& parts,
                             const std::vector<PairScore>& scores);

}  // namespace arena
