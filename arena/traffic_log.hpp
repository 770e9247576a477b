// Every line to and from the players, for `--log FILE`.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "arena/background_file.hpp"
#include "arena/bystander.hpp"
#include "arena/game_record.hpp"
#include "protocol/result.hpp"

namespace arena {

// Safe to use from any thread, and keeps none waiting. Without a file it does nothing.
class TrafficLog {
  public:
    // `room`: how many bytes may wait to be written. What comes beyond that is left out, and
    // counted in the log.
    static protocol::Result<std::unique_ptr<TrafficLog>> open(const std::string& path,
                                                              std::size_t room = 16 << 20);

    bool on() const { return file_ != nullptr; }
    // "0.001234 Ann < go movetime 1000": seconds since the log was opened, who, `<` for what
    // the player was sent, `>` for what it wrote, `!` for its stderr. One line each of `text`.
    void lines(std::string_view player, char direction, std::string_view text);
    // From now on, "0.001234 ... a timer woke 12.3 ms late" wherever the machine has kept this
    // process waiting for so long.
    void tell_of_late_timers();
    // The first error of writing: after it nothing is written any more.
    protocol::Result<void> state() const;
    // The same once all is written; a reader that takes nothing for so long is one.
    protocol::Result<void> finish(
        std::chrono::milliseconds patience = BackgroundFile::kPatience);

  private:
    double now() const;

    const Clock::time_point opened_ = Clock::now();
    std::unique_ptr<BackgroundFile> file_;
    std::optional<Bystander> bystander_;
};

}  // namespace arena
