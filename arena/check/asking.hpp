// Asks a bot for its move in many positions: one question each and no games, by many processes
// at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/check/family.hpp"
#include "arena/game/game_record.hpp"
#include "arena/players/play_options.hpp"
#include "arena/players/player.hpp"

namespace arena {

// Whether progress is to be told again, on one of several threads.
class NowAndThen {
  public:
    bool is_due() {
        const auto now = Clock::now().time_since_epoch().count();
        auto last = last_.load();
        return now - last > Clock::duration(Milliseconds(100)).count() &&
               last_.compare_exchange_strong(last, now);
    }

  private:
    std::atomic<Clock::rep> last_{0};
};

// The reply in one position.
struct AskedMove {
    std::string_view word;    // a legal move, canonical; else what was read
    std::string refusal;      // `info string error …`, as it came; empty: none
    const Cause* fault = {};  // why it is no move; null: it is
};

// What questions are asked with. All of it outlives them.
struct AskSetup {
    const PlayOptions& options;  // of one player
    const Guardian& guardian;
    const Launcher& launcher;
    const engine::Analyst& analyst;  // of built-in players
    TrafficLog& log;
    const std::vector<std::unique_ptr<Listener>>& listeners;
    int processes = 1;  // at once
    std::vector<std::optional<int>> cores =
        {};            // a thread for each, pinned where a core is named
    int restarts = 0;  // after so many ends or silences of the bot no more is asked
};

struct Asking {
    const PositionSet& positions;
    std::span<const std::uint32_t> order;  // which are asked; each has a move
    std::uint64_t seed = 0;
    // Gets each reply, on any thread, at several at once.
    std::function<void(std::size_t position, const AskedMove&)> on_move;
    // Called now and then, on any thread, with the number of questions asked so far.
    std::function<void(std::uint64_t)> on_progress = {};
};

// How it ended.
struct AskEnd {
    std::optional<Cause> start_failure;  // it did not start, or not again
    bool has_answered = false;           // a question, at least
    bool gave_up = false;                // it ended or hung too often
    int signal = 0;                      // that interrupted
    std::string name;                    // what the bot calls itself; else the one given
};

// Asks block by block. At the beginning of a block the bot is told of a new game and gets a
// Seed that depends on the block alone: so answers do not depend on how many processes there
// are. Throws on errors of the arena itself.
AskEnd ask_all(const AskSetup& setup, const Asking& asking);

}  // namespace arena
