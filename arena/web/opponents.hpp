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

// A question to a bot: its move in a game that is not over.
struct BotQuestion {
    PlayedGame played;
    std::uint64_t seed = 0;
    std::string client{};  // see Request
    std::shared_ptr<const std::atomic<bool>> is_abandoned{};
};

// The canonical move of the bot, or its fault.
struct BotAnswer {
    std::string move;
    Microseconds used{};
    std::optional<Cause> fault;  // `received` is kept_text()
};

// Asks bots on a thread of its own. Each bot runs as at most two processes; further questions
// wait in a bounded queue. Safe to use from any thread.
class Opponents {
  public:
    // All arguments must outlive this object. `setup` must belong to `options`.
    Opponents(const PlayOptions& options, const PlaySetup& setup, const Guardian& guardian,
              const engine::Analyst& analyst);
    ~Opponents();

    std::size_t size() const;
    // The name of a bot: as given, or as it names itself once it has started.
    std::string name(std::size_t bot) const;

    // `told` is called once, on another thread, unless close() comes first or the client no
    // longer waits. Returns false if too many questions wait for this bot, in all or of this
    // client.
    bool ask(std::size_t bot, BotQuestion question, std::function<void(BotAnswer)> told);
    // Ends all processes. No callback runs after it.
    void close();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace arena::web
