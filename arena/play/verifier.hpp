// Compares games that are played again with what another process has recorded of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "arena/game/game_record.hpp"
#include "arena/record/sharing.hpp"
#include "arena/record/store.hpp"

namespace arena {

// The first difference between two records of one game, in words: "move 3 is 1=0 there, 1=2
// here"; empty if there is none.
std::string difference_of(const GameRecord& recorded, const GameRecord& now);

// Thread-safe.
class Verifier {
  public:
    // `tell` gets a line for each game that differs.
    Verifier(Store& store, std::function<void(const std::string&)> tell,
             std::function<void(const protocol::Error&)> fail)
        : store_(store), tell_(std::move(tell)), fail_(std::move(fail)) {}

    // Whether a game shows anything when it is played again: time and processes decided some.
    static bool can_verify(const GameRecord& record);
    // This game is about to be played again.
    void expect(const GameKey& key);
    // Whether it is one of those, once for each.
    bool takes(const GameKey& key);
    // Records what came of it.
    void compare(const GameRecord& now);

    std::uint64_t games() const { return games_; }

  private:
    protocol::Result<void> compare_or_fail(const GameRecord& now);
    protocol::Result<std::string> machine_of(Sharing& sharing, int worker);

    Store& store_;
    std::function<void(const std::string&)> tell_;
    std::function<void(const protocol::Error&)> fail_;
    std::mutex mutex_;
    std::set<GameKey> expected_;
    std::atomic<std::uint64_t> games_{0};
};

}  // namespace arena
