// Every line to and from the players, for `--log FILE`.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "arena/base/background_file.hpp"
#include "arena/base/ticker.hpp"
#include "protocol/result.hpp"

namespace arena {

// Thread-safe; never blocks. Without a file it does nothing.
class TrafficLog {
  public:
    // `room`: the maximum number of pending bytes. Lines beyond that are dropped and counted in
    // the log.
    static protocol::Result<std::unique_ptr<TrafficLog>> open(const std::string& path,
                                                              std::size_t room = 16 << 20);

    bool on() const { return file_ != nullptr; }
    // "0.001234 Ann < go movetime 1000": seconds since the log was opened, the player; `<`:
    // sent to it, `>`: its output, `!`: its stderr. One line for each line of `text`. From
    // instance 2 on, "Ann #2".
    void lines(std::string_view player, char direction, std::string_view text,
               int instance = 1);
    // The lowest number, from 1, that no other instance of the player has.
    int number_instance(std::size_t player);
    void give_back(std::size_t player, int instance);
    // From now on logs "0.001234 ... a timer woke 12.3 ms late" whenever the machine has
    // delayed this process.
    void log_late_timers();
    // The first write error. Nothing is written after it.
    protocol::Result<void> state() const;
    // The same, after writing everything, as BackgroundFile does.
    protocol::Result<void> finish(
        std::stop_token interrupted = {},
        std::chrono::milliseconds patience = BackgroundFile::kPatience);

  private:
    double now() const;

    const SteadyClock::time_point opened_ = SteadyClock::now();
    std::unique_ptr<BackgroundFile> file_;
    std::optional<Ticker> ticker_;
    std::mutex instances_mutex_;
    std::map<std::size_t, std::set<int>> instances_;  // by player
};

}  // namespace arena
