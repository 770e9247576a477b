// Options as a table: rows with what the help says of an option, as `text`, and what sets it.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "arena/command_line.hpp"

namespace arena {

// Appends what the help says of the options of `rows`.
template <typename Rows>
void add_texts(std::vector<OptionText>& texts, const Rows& rows) {
    for (const auto& row : rows) texts.push_back(row.text);
}

template <typename Rows>
std::vector<OptionText> texts_of(const Rows& rows) {
    std::vector<OptionText> texts;
    add_texts(texts, rows);
    return texts;
}

// The row of an option, which is called by its long name; null where it is in another table.
template <typename Rows>
auto find_row(const Rows& rows, std::string_view option) {
    const auto row = std::ranges::find_if(rows, [&](const auto& candidate) {
        const std::string_view name = candidate.text.name;
        return name.substr(0, name.find(',')) == option;
    });
    return row == std::ranges::end(rows) ? nullptr : &*row;
}

}  // namespace arena
