// Tables and times as a terminal shows them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace arena {

// The number of terminal columns of a text of less than 1000 columns.
std::size_t display_width(std::string_view text);

// Formats rows of equal length, the first one being the header. Columns are as wide as needed,
// and at least `least`; the column numbers in `left` are aligned left.
std::string aligned(const std::vector<std::vector<std::string>>& rows,
                    const std::vector<std::size_t>& left, std::size_t least = 0);

// "2 h 05 min", "3 min 07 s", "9 s".
std::string duration_text(std::uint64_t seconds);

}  // namespace arena
