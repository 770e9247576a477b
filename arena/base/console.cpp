#include "arena/base/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "arena/base/exit_codes.hpp"
#include "arena/base/files.hpp"
#include "arena/base/text_table.hpp"

namespace arena {
namespace {

std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::string_view code_of(Tone tone) {
    switch (tone) {
        case Tone::Heading:
            return "\x1b[1m";
        case Tone::Warning:
            return "\x1b[33m";
        case Tone::Failure:
            return "\x1b[31m";
        case Tone::Plain:
            break;
    }
    return "";
}

// The number of characters that fit into a row without moving the cursor to the next.
std::size_t row_width(int descriptor) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) {
        return std::string_view::npos;
    }
    return size.ws_col - 1u;
}

}  // namespace

Console::Console(std::FILE* file, ColorMode color)
    : file_(file),
      terminal_(::isatty(::fileno(file)) == 1 && variable("TERM") != "dumb"),
      colored_(color == ColorMode::Always ||
               (color == ColorMode::Auto && terminal_ && variable("NO_COLOR").empty())) {}

void Console::write(std::string_view text) {
    const std::lock_guard lock(mutex_);
    put(text);
}

void Console::line(std::string_view text, Tone tone) {
    const std::lock_guard lock(mutex_);
    const std::string_view code = colored_ ? code_of(tone) : "";
    const std::string above = progress_rows_ > 0 ? take_progress_back() + "\x1b[J" : "";
    put(fmt::format("{}{}{}{}\n", above, code, text, code.empty() ? "" : "\x1b[0m"));
}

// The cursor stays at the end of the last row, so that nothing scrolls.
void Console::progress(std::string_view text) {
    const std::lock_guard lock(mutex_);
    const std::size_t width = row_width(::fileno(file_));
    const std::size_t before = progress_rows_;
    std::string shown = take_progress_back();
    for (bool is_last = false; !is_last; ++progress_rows_) {
        const std::string_view row = text.substr(0, text.find('\n'));
        is_last = row.size() == text.size();
        shown += fmt::format("{}\x1b[K{}", cut_to_width(row, width), is_last ? "" : "\n");
        text.remove_prefix(std::min(text.size(), row.size() + 1));
    }
    if (before > progress_rows_) shown += "\x1b[J";
    put(shown);
}

bool Console::failed() const {
    const std::lock_guard lock(mutex_);
    return error_ != 0;
}

std::size_t Console::rows() const {
    winsize size{};
    const bool known = ::ioctl(::fileno(file_), TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
    return known ? size.ws_row : 24;
}

std::size_t Console::columns() const {
    const std::size_t width = row_width(::fileno(file_));
    return width == std::string_view::npos ? 79 : width;
}

// The control sequence that moves the cursor to the start of the progress.
std::string Console::take_progress_back() {
    const std::size_t rows = std::exchange(progress_rows_, 0);
    return rows > 1 ? fmt::format("\r\x1b[{}A", rows - 1) : "\r";
}

int Console::finish(int status) {
    const std::lock_guard lock(mutex_);
    if (error_ == 0 || error_ == EPIPE) return status;
    complain(fmt::format("nim-arena: cannot write to standard {}: {}\n",
                         file_ == stdout ? "output" : "error",
                         std::generic_category().message(error_)));
    return status > 128 ? status : kExitInternal;
}

// Bypasses the buffer of the file. It is empty, because all other writers flush.
void Console::put(std::string_view text) {
    if (error_ == 0) error_ = write_all(::fileno(file_), text);
}

std::string_view cut_to_width(std::string_view text, std::size_t columns) {
    std::size_t end = 0;
    while (end < text.size()) {
        std::size_t next = end + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80)
            ++next;
        const std::size_t width = display_width(text.substr(end, next - end));
        if (width > columns) break;
        columns -= width;
        end = next;
    }
    return text.substr(0, end);
}

void complain(std::string_view text) { write_all(STDERR_FILENO, text); }

}  // namespace arena
