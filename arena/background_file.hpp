// A file of lines that a thread of its own writes, so that no game waits for a disk or a reader.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

// Safe to use from any thread, and keeps none waiting but in finish(). A FIFO may get its reader
// later.
class BackgroundFile {
  public:
    struct Settings {
        std::string path;  // created or emptied; "-" is standard output
        std::string what;  // how errors call it: "the log"
        // The line that stands for so many that were left out.
        std::function<std::string(std::uint64_t)> left_out;
        std::size_t room = 16 << 20;  // bytes that may wait to be written
    };
    static protocol::Result<std::unique_ptr<BackgroundFile>> open(Settings settings);
    ~BackgroundFile();
    BackgroundFile(const BackgroundFile&) = delete;
    BackgroundFile& operator=(const BackgroundFile&) = delete;

    // Adds what `text` gives, so many whole lines, in the order of the calls; where there is no
    // room for it, it is left out and counted. `text` is called by this thread, alone, and only
    // if something is written still.
    void add(std::uint64_t lines, const std::function<std::string()>& text);
    // The first error of writing: after it nothing is written any more.
    protocol::Result<void> state() const;
    // The same once all that waits is written and the file is closed. A reader that takes
    // nothing for `patience` is an error.
    protocol::Result<void> finish(std::chrono::milliseconds patience = kPatience);

    static constexpr std::chrono::milliseconds kPatience{10'000};
    static constexpr std::chrono::milliseconds kPatienceInterrupted{500};

  private:
    BackgroundFile(Settings settings, protocol::UniqueFd file);

    void write_what_comes();
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
    std::uint64_t left_out_ = 0;  // lines, since `waiting_` was full
    bool finishing_ = false;
    std::chrono::steady_clock::duration patience_{};
    std::chrono::steady_clock::time_point progress_;  // when something was written last
    protocol::Result<void> state_;
    std::thread writer_;
};

}  // namespace arena
