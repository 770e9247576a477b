// Asks a bot for its move in many positions: one question each and no games, with several
// processes in parallel.
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

#include "arena/game/game_record.hpp"
#include "arena/players/play_options.hpp"
#include "arena/players/player.hpp"
#include "engine/rules/game.hpp"

namespace arena {

// Limits progress messages from several threads to one in 100 ms.
class ProgressTimer {
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
    std::string refusal;      // `info string error …`, raw; empty: none
    const Cause* fault = {};  // why `word` is not a legal move in time; null: it is
};

// The resources of a survey. They outlive it.
struct AskSetup {
    const PlayOptions& options;  // of one player
    const Guardian& guardian;
    const Launcher& launcher;
    const engine::Analyst& analyst;  // of built-in players
    TrafficLog& log;
    const std::vector<std::unique_ptr<Listener>>& listeners;
    int processes = 1;  // concurrent
    // A thread for each entry, pinned if it names a core.
    std::vector<std::optional<int>> cores = {};
    int restarts = 0;  // the most restarts of a bot that ended or hung
};

// A position, and the line that sends it: "position fen nim:3,4 moves 1=2".
struct AskedPosition {
    engine::Game game;
    std::string line;
};

struct Asking {
    // On any thread; each position has a legal move.
    std::function<AskedPosition(std::size_t number)> position;
    std::span<const std::uint32_t> order;  // the numbers of the positions to ask
    std::uint64_t seed = 0;
    // Gets each reply, on any thread, also on several at once.
    std::function<void(std::size_t position, const AskedMove&)> on_move;
    // Its process ended after its answer in this position, before it read another question;
    // which it is then asked again. On any thread, also on several at once.
    std::function<void(std::size_t position, const Cause&)> on_end;
    // Called from time to time, on any thread, with the number of questions so far.
    std::function<void(std::uint64_t)> on_progress = {};
};

// The result of ask_all().
struct AskEnd {
    std::optional<Cause> start_failure;  // the bot did not start or restart
    bool has_answered = false;           // at least one question
    bool gave_up = false;                // the bot ended or hung too often
    int signal = 0;                      // the signal that interrupted
    std::string name;                    // from its handshake; else the given one
    std::string remarks;                 // see Names
};

// Asks block by block. Each block begins with `uginewgame` and a Seed that depends only on the
// block, and after a restart on how many there were in it: so answers do not depend on the
// number of processes, until a bot is given up. Throws on errors of the arena itself.
AskEnd ask_all(const AskSetup& setup, const Asking& asking);

}  // namespace arena
