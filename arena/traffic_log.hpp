// Every line to and from the players, for `--log FILE`.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "arena/game_record.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

// Safe to use from any thread, and keeps none waiting: a thread of its own writes the file.
// Without a file it does nothing.
class TrafficLog {
  public:
    // `room`: how many bytes may wait to be written. What comes beyond that is left out, and
    // counted in the log.
    static protocol::Result<std::unique_ptr<TrafficLog>> open(const std::string& path,
                                                              std::size_t room = 16 << 20);
    TrafficLog() = default;
    ~TrafficLog() { static_cast<void>(finish()); }
    TrafficLog(const TrafficLog&) = delete;
    TrafficLog& operator=(const TrafficLog&) = delete;

    bool on() const { return writer_.joinable(); }
    // "0.001234 Ann < go movetime 1000": seconds since the log was opened, who, `<` for what
    // the player was sent, `>` for what it wrote, `!` for its stderr. One line each of `text`.
    void lines(std::string_view player, char direction, std::string_view text);
    // The first error of writing: after it nothing is written any more.
    protocol::Result<void> state();
    // The same once all that waits is written and the file is closed.
    protocol::Result<void> finish();

  private:
    void start(protocol::UniqueFd file, const std::string& path, std::size_t room);
    void write_what_comes();
    std::string take();
    double now() const;
    void fail(int error);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::string waiting_;
    std::uint64_t left_out_ = 0;  // lines, since `waiting_` was full
    bool finishing_ = false;
    protocol::Result<void> state_;

    std::string path_;
    std::size_t room_ = 0;
    protocol::UniqueFd file_;
    Clock::time_point opened_ = Clock::now();
    std::thread writer_;
};

}  // namespace arena
