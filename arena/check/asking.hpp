// Asks a bot for its move in many positions: one question each and no games, with several
// processes in parallel.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arena/check/survey.hpp"
#include "arena/players/play_options.hpp"
#include "arena/players/player.hpp"

namespace arena {

// The resources of a survey. They outlive it.
struct AskSetup {
    const PlayOptions& options;  // of one player
    const PlayerResources& resources;
    int processes = 1;  // concurrent
    // A thread for each entry, pinned if it names a core.
    std::vector<std::optional<int>> cores = {};
    int restarts = 0;  // the most restarts of the bot
};

// What is asked, and who gets the answers.
struct Asking {
    Survey& survey;
    std::span<const std::uint32_t> order;  // the numbers of the positions to ask
    std::uint64_t seed = 0;
    bool again = false;                                  // not for the first time
    Clock::time_point until = Clock::time_point::max();  // then nothing more is asked
    // Called from time to time, on any thread, with the number of answers so far.
    std::function<void(std::uint64_t)> on_progress = {};
};

// The result of ask_all().
struct AskEnd {
    std::optional<Cause> start_failure;  // the bot did not start or restart
    bool has_answered = false;           // at least one question
    bool gave_up = false;                // the bot had to be restarted too often
    int signal = 0;                      // the signal that interrupted
    std::string name;                    // from its handshake; else the given one
    std::string remarks;                 // see Names
};

// Asks one player, which stays open, in the same way; at most `restarts` restarts. Whether it
// ends after its last answer shows later.
Awaitable<void> ask_player(Player& player, const TimeControl& clock, int restarts,
                           const Asking& asking);

// Asks block by block. Each block begins with `uginewgame` and a Seed that depends only on the
// block, and after a restart on how many there were in it: so answers do not depend on the
// number of processes, until a bot is given up. After its last answer each process is spoken to
// once more, as at the start of a block, which shows whether it has ended. Throws on errors of
// the arena itself.
AskEnd ask_all(const AskSetup& setup, const Asking& asking);

}  // namespace arena
