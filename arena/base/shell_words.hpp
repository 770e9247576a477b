// Words as a POSIX shell splits them: blanks, '…', "…", and backslashes. Nothing is expanded
// and no shell is run.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/result.hpp"

namespace arena {

struct ShellWord {
    std::string text;        // quotes removed
    std::size_t column = 0;  // where it starts, in bytes from 1
};

// An error names the column of a quote that is not closed or of a backslash at the end.
protocol::Result<std::vector<ShellWord>> scan_shell_words(std::string_view text);

// The same without the columns.
protocol::Result<std::vector<std::string>> split_shell_words(std::string_view text);

// `text` as one such word, quoted where it must be.
std::string shell_word(std::string_view text);

// The same in "…" where it must be quoted, so that the command with it stays readable when it
// is quoted as a whole: '"/home/ann/my bot/bot.py"'.
std::string inner_shell_word(std::string_view text);

}  // namespace arena
