// The displayed names of players, how often each ended by itself, and what it said unasked. A
// player without a name on the command line gets the one of its handshake. Names are distinct.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/players/conversation.hpp"
#include "arena/players/player_spec.hpp"

namespace arena {

// Safe to use from any thread.
class Names {
  public:
    explicit Names(const std::vector<PlayerSpec>& players);

    // `id name` of a player's handshake: the first one counts, unless a name was given.
    void introduce(std::size_t player, std::string_view name);

    // A player's process ended after a game, before it was sent `quit`. `how` as in "ended with
    // exit status 1".
    void count_own_end(std::size_t player, std::string how);
    // A player wrote so many lines that nobody asked for.
    void count_chatter(std::size_t player, const Chatter& chatter);
    // A line for each player that ended so: "Ann: its process ended with exit status 1 after 6
    // games, without being sent `quit`", and one for each that wrote what nobody asked for.
    // Empty: none.
    std::string remarks() const;

    // Appends a name.
    void append(const std::string& name);

    std::size_t size() const;
    std::string of(std::size_t player) const;
    std::vector<std::string> all() const;
    // Increases whenever a name changes.
    int version() const { return version_; }
    // Returns all() at first, and whenever a name has changed since the last call.
    std::function<std::optional<std::vector<std::string>>()> changes() const;

  private:
    const std::vector<std::string>& distinct() const;

    mutable std::mutex mutex_;
    std::vector<std::string> names_;  // not yet distinct
    std::vector<bool> settled_;       // given, or those of a handshake
    std::vector<bool> given_;
    mutable std::vector<std::string> distinct_;  // made from names_ on demand
    struct OwnEnds {
        int count = 0;
        std::string how;  // the first time
    };
    std::map<std::size_t, OwnEnds> own_ends_;  // by player
    std::map<std::size_t, Chatter> chatter_;
    std::atomic<int> version_{0};
};

}  // namespace arena
