// Where people read: standard output or standard error.
#pragma once

#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

#include "arena/play_options.hpp"

namespace arena {

enum class Tone { Plain, Heading, Warning, Failure };

// Safe to use from any thread. A write that fails throws nothing: nothing is written after it,
// and finish() tells.
class Console {
  public:
    explicit Console(std::FILE* file, ColorMode color = ColorMode::Auto);

    std::FILE* file() const { return file_; }
    bool terminal() const { return terminal_; }

    // As it stands.
    void write(std::string_view text);
    // A line that stays; the progress below it is written anew later.
    void line(std::string_view text, Tone tone = Tone::Plain);
    // Lines that the next ones overwrite, each cut to what the terminal shows in one row.
    void progress(std::string_view text);
    // How many rows the terminal has; 24 where it does not tell.
    std::size_t rows() const;
    // The exit status, now that all has been written: `status`, or 1 where writing failed,
    // which is said on stderr then. A reader who left has read what they wanted: that is no
    // failure; and that a signal came tells more, as when the terminal was closed.
    int finish(int status);

  private:
    void put(std::string_view text);
    std::string take_progress_back();

    std::FILE* file_;
    bool terminal_;
    bool colored_;
    std::mutex mutex_;
    std::size_t progress_rows_ = 0;  // on the screen
    int error_ = 0;  // errno of the first failure
};

// `text` without what does not fit into so many columns of a terminal.
std::string_view cut_to_width(std::string_view text, std::size_t columns);

// Says it on stderr, if that can be written.
void complain(std::string_view text);

}  // namespace arena
