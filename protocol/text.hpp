// Words, and text from strangers made fit to be shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace protocol {

// Words separated by runs of blanks (space and tab). The views point into `line`.
std::vector<std::string_view> split_words(std::string_view line);

// `text` without the blanks at its ends.
std::string_view trim(std::string_view text);

// Cuts the first word off `rest`; empty where there is none.
std::string_view next_word(std::string_view& rest);

// Text from a stranger as valid UTF-8 (each ill-formed sequence becomes U+FFFD) with control
// characters written as \n, \t, \x1b or \u202e, so that it can stand in a report, a log, JSON
// or on a terminal. Backslashes stay as they are: this is for reading, not for reading back.
// Text beyond `max_bytes` is cut at a character and ends in "…".
std::string printable(std::string_view text, std::size_t max_bytes = std::string::npos);

// printable() in single quotes, cut to about 60 bytes: how error texts show what was read.
std::string quoted(std::string_view text);

}  // namespace protocol
