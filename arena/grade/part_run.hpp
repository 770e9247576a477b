// Runs nim-arena itself in a process of its own: whatever a submission does to it, no more is
// lost than that process.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/base/io.hpp"
#include "arena/record/store.hpp"
#include "arena/submissions/bot_build.hpp"

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

// `words` follow "nim-arena". Runs on the cores of the context, and so do the players.
Awaitable<PartRun> run_nim_arena(std::vector<std::string> words, Clock::time_point deadline,
                                 const BuildContext& context);

}  // namespace arena
