#include "arena/base/text_table.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace arena {

// Removes the blanks with which fmt pads a wide field.
std::size_t display_width(std::string_view text) {
    constexpr std::size_t kField = 1000;
    return text.size() + kField - fmt::formatted_size("{:<{}}", text, kField);
}

std::string aligned(const std::vector<std::vector<std::string>>& rows,
                    const std::vector<std::size_t>& left, std::size_t least) {
    std::vector<std::size_t> widths(rows.front().size(), least);
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], display_width(row[i]));
        }
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool is_left = std::ranges::find(left, i) != left.end();
            if (i > 0) line += ' ';
            line += is_left ? fmt::format("{:<{}}", row[i], widths[i])
                            : fmt::format("{:>{}}", row[i], widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string duration_text(std::uint64_t seconds) {
    if (seconds >= 3600)
        return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
    if (seconds >= 60) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
    return fmt::format("{} s", seconds);
}

}  // namespace arena
