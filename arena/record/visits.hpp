// The report of each visit to a clinic (`nim-arena serve --clinic`): the note of a round of its
// own stage, without pairs. The games of the visit are recorded like any others.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "arena/contest/plan.hpp"

namespace arena {

// The stage of the reports; games have stage 1.
inline constexpr int kVisitStage = 2;

// Texts are printable.
struct Visit {
    int player = 0;
    std::chrono::system_clock::time_point began{};  // in whole milliseconds
    std::string check = {};           // what `check` prints; lines, each with its LF
    std::optional<bool> passed = {};  // the check; nullopt: not known, as of older records
    // Answers in positions of the family; none were asked if the bot did not get that far.
    std::uint64_t right = 0;
    std::uint64_t asked = 0;
    // The smallest position with a wrong answer, what the bot said, and what is right. Empty:
    // none, or not known.
    std::string position = {};
    std::string said = {};
    std::string better = {};

    friend bool operator==(const Visit&, const Visit&) = default;
};

// As it is planned: visit number `number` of the record, from 1.
RoundPlan plan_of(const Visit& visit, int number);
// nullopt: a round of games, or damaged.
std::optional<Visit> visit_of(const RoundPlan& plan);

}  // namespace arena
