// Output for people: standard output or standard error.
#pragma once

#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

namespace arena {

// Auto: on a terminal, unless NO_COLOR is set (no-color.org).
enum class ColorMode { Auto, Always, Never };

enum class Tone { Plain, Heading, Warning, Failure };

// Thread-safe. A failed write does not throw: nothing is written after it, and finish() reports
// it.
class Console {
  public:
    explicit Console(std::FILE* file, ColorMode color = ColorMode::Auto);

    std::FILE* file() const { return file_; }
    bool terminal() const { return terminal_; }

    // Writes the text unchanged.
    void write(std::string_view text);
    // A permanent line; the progress below it is redrawn later.
    void line(std::string_view text, Tone tone = Tone::Plain);
    // Lines that the next call overwrites, each cut to one row of the terminal.
    void progress(std::string_view text);
    // Whether writing has failed, as to a reader that has closed the pipe: more is in vain.
    bool failed() const;
    // The number of rows of the terminal; 24 if unknown.
    std::size_t rows() const;
    // The number of its columns that a row can fill; 79 if unknown.
    std::size_t columns() const;
    // The exit status after all output: `status`, or 1 if writing failed, which is then
    // reported on stderr. A reader that closed the pipe is not a failure. The status of a
    // signal takes precedence, as when the terminal was closed.
    int finish(int status);

  private:
    void put(std::string_view text);
    std::string take_progress_back();

    std::FILE* file_;
    bool terminal_;
    bool colored_;
    mutable std::mutex mutex_;
    std::size_t progress_rows_ = 0;  // on the screen
    int error_ = 0;                  // errno of the first failure
};

// `text` cut to this many columns of a terminal.
std::string_view cut_to_width(std::string_view text, std::size_t columns);

// Writes it to stderr, if possible.
void complain(std::string_view text);

}  // namespace arena
