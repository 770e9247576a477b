// Splits lines into words, and makes text from strangers safe to show.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace protocol {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
// A blank or the end of a line.
constexpr bool is_space(char c) { return is_blank(c) || c == '\n' || c == '\r'; }

// Words separated by runs of blanks (space and tab). The views point into `line`.
std::vector<std::string_view> split_words(std::string_view line);

// `text` without leading and trailing blanks.
std::string_view trim(std::string_view text);

// Cuts the first word off `rest`; empty if there is none.
std::string_view next_word(std::string_view& rest);

// `text` with ASCII capitals made small.
std::string lower_case(std::string_view text);

// Text from a stranger as valid UTF-8 (each ill-formed sequence becomes U+FFFD), with control
// and invisible characters written as \n, \t, \x1b or \u200b, so that a report, a log, JSON or
// a terminal can show it. Backslashes are not escaped: people read this text, programs do not
// parse it. Text beyond `max_bytes` is cut at a character and ends in "…".
std::string printable(std::string_view text, std::size_t max_bytes = std::string::npos);

// printable() in single quotes, cut to about 60 bytes: how error texts show what was read.
std::string quoted(std::string_view text);

}  // namespace protocol
