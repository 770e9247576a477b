// The players of a server: their numbers by name, and which of them are connected.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "arena/base/line_limit.hpp"
#include "arena/play/spectator.hpp"
#include "arena/play/worker_threads.hpp"
#include "arena/players/lobby.hpp"
#include "arena/record/store.hpp"

namespace arena {

// The entrant that the holder of a token is.
Entrant token_entrant(const std::string& name);

// Safe to use from any thread.
class Roster {
  public:
    // Events for the tournament once it has started; called on the lobby's thread, one at a
    // time.
    struct Events {
        std::function<void(const Entrant&)> joined;
        std::function<void(int player, bool is_present)> present;
        // See LobbyEvents::may_wait.
        std::function<bool(int player)> may_wait = {};
        // Whether a known player may connect; unset: it may.
        std::function<protocol::Result<void>(int player)> admits = {};
    };

    // `taken`: the names of the server's own players, number 0 first, which are always present.
    // `most`: the maximum number of players.
    Roster(const std::vector<std::string>& taken, std::size_t most)
        : names_(taken), own_(taken.size()), most_(most) {
        is_present_.assign(taken.size(), true);
        for (std::size_t i = 0; i < taken.size(); ++i) numbers_.try_emplace(taken[i], i);
    }

    // Appends a player of the record.
    void add(const std::string& name);

    // ---- what the lobby asks and tells ----
    protocol::Result<int> admit(const std::string& name);
    void came(int player, const LobbySession& session, Clock::time_point now = Clock::now());
    void left(int player, const std::string& why, Clock::time_point now = Clock::now());

    void awaited(int player, std::chrono::seconds time, Clock::time_point now = Clock::now());
    bool may_wait(int player);
    // Reports once more whether this player is connected, on the lobby's thread.
    void tell_presence(int player);

    // The notice that it is connected: see arena/doc/server.md.
    std::string greeting(int player) const;

    // The tournament will begin when this many are there.
    void await(std::size_t wanted);

    // Set when a player connects.
    const WaitableEvent& arrival() const { return arrival_; }
    std::size_t present() const;
    // All names that have a number.
    std::vector<std::string> names() const;

    // Messages about arrivals and departures: at most one of each a minute for each player.
    void tell(std::function<void(const std::string&)> line);
    // Tells a spectator of them, and first of the players that are connected already. May be
    // null.
    void show(Spectator* spectator);
    // The tournament starts with the `count` players of names(). Later ones join late, or not
    // at all if `is_closed`. Who is there, and who is not, is told first.
    void begin(std::size_t count, bool is_closed, Events events);

  private:
    void tell(LineLimit& limit, Clock::time_point now, const std::string& line);
    // How many more players must come before it begins. With the lock held.
    std::size_t awaited() const;

    void show(std::size_t player);

    // The number of the new player.
    std::size_t append(const std::string& name);

    mutable std::mutex mutex_;
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::size_t> numbers_;  // by name
    std::vector<bool> is_present_;
    std::map<int, LineLimit> came_;  // by player
    std::map<int, LineLimit> left_;
    std::map<int, LineLimit> awaited_;
    std::size_t own_;
    std::size_t most_;
    std::size_t wanted_ = 0;  // at the beginning
    bool has_begun_ = false;
    bool is_closed_ = false;
    Events events_;
    std::function<void(const std::string&)> line_;
    Spectator* spectator_ = nullptr;
    WaitableEvent arrival_;
};

}  // namespace arena
