#include "arena/grade/opponents.hpp"

#include <algorithm>

namespace arena {
namespace {

bool counts(const RubricPart& part) { return part.plays_games() && !part.hidden; }

}  // namespace

std::vector<std::string> opponents_of(const Rubric& rubric) {
    std::vector<std::string> opponents;
    for (const RubricPart& part : rubric.parts) {
        const bool is_known = std::ranges::count(opponents, part.opponent) > 0;
        if (counts(part) && !is_known) opponents.push_back(part.opponent);
    }
    return opponents;
}

// Two opponents play the games of the first part against the former of them.
std::vector<OpponentMatch> opponent_matches(const Rubric& rubric) {
    const auto opponents = opponents_of(rubric);
    std::vector<OpponentMatch> matches;
    for (std::size_t first = 0; first < opponents.size(); ++first) {
        const auto part = std::ranges::find_if(rubric.parts, [&](const RubricPart& candidate) {
            return counts(candidate) && candidate.opponent == opponents[first];
        });
        for (std::size_t second = first + 1; second < opponents.size(); ++second) {
            matches.push_back({first, second, part->arguments});
        }
    }
    return matches;
}

std::optional<double> elo_of(const Rubric& rubric, const std::vector<PartGrade>& parts,
                             const std::vector<PairScore>& scores) {
    const auto opponents = opponents_of(rubric);
    const std::size_t own = opponents.size();  // its number
    auto all = scores;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!counts(rubric.parts[i]) || parts[i].games == 0) continue;
        const auto found = std::ranges::find(opponents, rubric.parts[i].opponent);
        const auto opponent = static_cast<std::size_t>(found - opponents.begin());
        all.push_back({own, opponent, static_cast<double>(parts[i].games), parts[i].points});
    }
    if (all.size() == scores.size()) return std::nullopt;
    const EloFit fit(own + 1, all);
    double mean = 0;
    for (std::size_t i = 0; i < own; ++i) mean += fit.elo(i) / static_cast<double>(own);
    return fit.elo(own) - mean;
}

}  // namespace arena
