// Every line to and from the players, for `--log FILE`.
#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "arena/game_record.hpp"
#include "protocol/result.hpp"

namespace arena {

// Safe to use from any thread. Without a file it does nothing.
class TrafficLog {
  public:
    static protocol::Result<std::unique_ptr<TrafficLog>> open(const std::string& path);
    TrafficLog() = default;

    bool on() const { return file_ != nullptr; }
    // "0.001234 Ann < go movetime 1000": seconds since the log was opened, who, `<` for what
    // the player was sent, `>` for what it wrote, `!` for its stderr. One line each of `text`.
    void lines(std::string_view player, char direction, std::string_view text);
    // The first error of writing: after it nothing is written any more.
    protocol::Result<void> state();

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::mutex mutex_;
    std::unique_ptr<std::FILE, Close> file_;
    std::string path_;
    protocol::Result<void> state_;
    Clock::time_point opened_ = Clock::now();
};

}  // namespace arena
