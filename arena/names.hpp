// The names that players are shown by. One that was not given one on the command line is called
// what it calls itself in its handshake. No two are the same.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "arena/player_spec.hpp"

namespace arena {

// Safe to use from any thread.
class Names {
  public:
    explicit Names(const std::vector<PlayerSpec>& players);

    // `id name` of a player's handshake: counts the first time, unless a name was given.
    void introduce(std::size_t player, std::string_view name);

    // One more, behind the others.
    void append(const std::string& name);

    std::size_t size() const;
    std::string of(std::size_t player) const;
    std::vector<std::string> all() const;
    // Goes up whenever a player is called differently.
    int version() const { return version_; }

  private:
    const std::vector<std::string>& distinct() const;

    mutable std::mutex mutex_;
    std::vector<std::string> names_;  // not yet distinct
    std::vector<bool> settled_;
    mutable std::vector<std::string> distinct_;  // of as many names as it has, while these stay
    std::atomic<int> version_{0};
};

}  // namespace arena
