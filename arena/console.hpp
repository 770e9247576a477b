// Where people read: standard output or standard error.
#pragma once

#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

namespace arena {

// Safe to use from any thread. A write that fails throws nothing: nothing is written after it,
// and finish() tells.
class Console {
  public:
    explicit Console(std::FILE* file);

    std::FILE* file() const { return file_; }
    bool terminal() const { return terminal_; }

    // As it stands.
    void write(std::string_view text);
    // A line that stays; a progress line below it is written anew later.
    void line(std::string_view text);
    // A line that the next one overwrites, cut to what the terminal shows in one row.
    void progress(std::string_view text);
    // The exit status, now that all has been written: `status`, or 1 where writing failed,
    // which is said on stderr then. A reader who left has read what they wanted: that is no
    // failure; and that a signal came tells more, as when the terminal was closed.
    int finish(int status);

  private:
    void put(std::string_view text);

    std::FILE* file_;
    bool terminal_;
    std::mutex mutex_;
    bool has_progress_ = false;
    int error_ = 0;  // errno of the first failure
};

// `text` without what stands behind its first `columns` code points.
std::string_view cut_to_width(std::string_view text, std::size_t columns);

// Says it on stderr, if that can be written.
void complain(std::string_view text);

}  // namespace arena
