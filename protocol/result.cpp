#include "protocol/result.hpp"

#include <algorithm>
#include <string_view>

#include "protocol/text.hpp"

namespace protocol {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::size_t count_characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

}  // namespace

std::string describe(const Error& error) {
    if (error.column == 0) return error.text;
    return "column " + std::to_string(error.column) + ": " + error.text;
}

std::string mark_column(const std::string& text, const Error& error) {
    constexpr std::size_t kBefore = 60;
    constexpr std::size_t kAfter = 40;
    if (error.column == 0) return printable(text, kBefore + kAfter) + "\n";

    const std::size_t mark = std::min(error.column - 1, text.size());
    std::size_t begin = mark > kBefore ? mark - kBefore : 0;
    while (begin > 0 && !starts_character(text[begin])) --begin;

    std::string before = begin > 0 ? "…" : "";
    before += printable(std::string_view(text).substr(begin, mark - begin));
    const std::string after = printable(std::string_view(text).substr(mark), kAfter);
    return before + after + "\n" + std::string(count_characters(before), ' ') + "^\n";
}

}  // namespace protocol
