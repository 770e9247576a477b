// Bots that visitors play against: programs over UGI, started when they are first asked.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/game/game_record.hpp"
#include "arena/play/play_setup.hpp"
#include "arena/players/play_options.hpp"
#include "arena/web/played_game.hpp"

namespace arena {
class Guardian;
}

namespace engine {
class Analyst;
}

namespace arena::web {

// What a bot is asked: its move in a game that is not over.
struct BotQuestion {
    PlayedGame played;
    std::uint64_t seed = 0;
    std::string client{};  // who asks, see Request
    std::shared_ptr<const std::atomic<bool>> is_abandoned{};
};

// Its move, canonical, or why there is none.
struct BotAnswer {
    std::string move;
    Microseconds used{};
    std::optional<Cause> fault;  // `received` is kept_text()
};

// Asks bots on a thread of its own. Each bot runs as at most two processes; who asks more waits
// in a bounded queue. Safe to use from any thread.
class Opponents {
  public:
    // All outlives it. `setup` must be that of the options.
    Opponents(const PlayOptions& options, const PlaySetup& setup, const Guardian& guardian,
              const engine::Analyst& analyst);
    ~Opponents();

    std::size_t size() const;
    // What number `bot` is called: as given, or as it calls itself once it has started.
    std::string name(std::size_t bot) const;

    // `told` is called on another thread, once, unless close() comes first, or nobody waits for
    // the answer any more. False: too many wait for this bot, or too many of this client.
    bool ask(std::size_t bot, BotQuestion question, std::function<void(BotAnswer)> told);
    // Ends all processes. Nobody is told anything after it.
    void close();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace arena::web
