#include "arena/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "arena/exit_codes.hpp"
#include "arena/record.hpp"

namespace arena {
namespace {

// How many characters fit into a row and leave the cursor there.
std::size_t row_width(int descriptor) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) {
        return std::string_view::npos;
    }
    return size.ws_col - 1u;
}

}  // namespace

Console::Console(std::FILE* file) : file_(file), terminal_(::isatty(::fileno(file)) == 1) {}

void Console::write(std::string_view text) {
    const std::lock_guard lock(mutex_);
    put(text);
}

void Console::line(std::string_view text) {
    const std::lock_guard lock(mutex_);
    const bool overwrites = std::exchange(has_progress_, false);
    put(fmt::format("{}{}\n", overwrites ? "\r\x1b[K" : "", text));
}

void Console::progress(std::string_view text) {
    const std::lock_guard lock(mutex_);
    put(fmt::format("\r{}\x1b[K", cut_to_width(text, row_width(::fileno(file_)))));
    has_progress_ = true;
}

int Console::finish(int status) {
    const std::lock_guard lock(mutex_);
    if (error_ == 0 || error_ == EPIPE) return status;
    complain(fmt::format("nim-arena: cannot write to standard {}: {}\n",
                         file_ == stdout ? "output" : "error",
                         std::generic_category().message(error_)));
    return status > 128 ? status : kExitInternal;
}

// Past the buffer of the file, which is empty: whoever else writes to it flushes.
void Console::put(std::string_view text) {
    if (error_ == 0) error_ = write_all(::fileno(file_), text);
}

std::string_view cut_to_width(std::string_view text, std::size_t columns) {
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        const bool starts = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
        if (starts && columns-- == 0) break;
    }
    return text.substr(0, end);
}

void complain(std::string_view text) { write_all(STDERR_FILENO, text); }

}  // namespace arena
