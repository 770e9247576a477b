// A file of lines, written by a thread of its own so that no game waits for a disk or a reader.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

// Thread-safe; only finish() blocks. A FIFO may get its reader later.
class BackgroundFile {
  public:
    struct Settings {
        // Created now, but what it holds already stays until the first line, or finish(). "-"
        // is standard output.
        std::string path;
        std::string what;  // its name in errors: "the log"
        // The line that replaces this many dropped lines.
        std::function<std::string(std::uint64_t)> left_out;
        std::size_t room = 16 << 20;  // bytes that may wait to be written
    };
    static protocol::Result<std::unique_ptr<BackgroundFile>> open(Settings settings);
    ~BackgroundFile();
    BackgroundFile(const BackgroundFile&) = delete;
    BackgroundFile& operator=(const BackgroundFile&) = delete;

    // Appends the result of `text`, this many whole lines, in the order of the calls. Without
    // room, the lines are dropped and counted. `text` is called on this thread, never
    // concurrently, and only while the file can be written.
    void add(std::uint64_t lines, const std::function<std::string()>& text);
    // The first write error. Nothing is written after it.
    protocol::Result<void> state() const;
    // The same, after writing all pending lines and closing the file. A reader that accepts
    // nothing for `patience`, or for half a second once `interrupted`, is an error.
    protocol::Result<void> finish(std::stop_token interrupted = {},
                                  std::chrono::milliseconds patience = kPatience);

    static constexpr std::chrono::milliseconds kPatience{10'000};

  private:
    BackgroundFile(Settings settings, protocol::UniqueFd file);

    void run();
    void end(std::stop_token interrupted, std::chrono::milliseconds patience);
    void empty_once();
    std::string take();
    bool write(std::string_view text);
    bool wait_for_reader();
    bool wait_until_writable(int descriptor);
    bool has_run_out();
    void fail(const std::string& why);

    const Settings settings_;
    protocol::UniqueFd file_;  // none: standard output, or a FIFO without a reader
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::string waiting_;
    std::uint64_t left_out_ = 0;  // lines dropped since `waiting_` was full
    bool finishing_ = false;
    bool is_emptied_ = false;  // belongs to the writer, until that has ended
    std::chrono::milliseconds patience_{};
    std::stop_token interrupted_;
    std::chrono::steady_clock::time_point progress_;  // time of the last write
    protocol::Result<void> state_;
    std::thread writer_;
};

}  // namespace arena
