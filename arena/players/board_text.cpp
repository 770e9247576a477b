#include "arena/players/board_text.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr protocol::Number kLongestRow = 60;  // stones

bool terminal_speaks_utf8() {
    for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(variable);
        if (value == nullptr || *value == '\0') continue;
        const std::string_view text(value);
        return text.find("UTF-8") != text.npos || text.find("utf8") != text.npos;
    }
    return false;
}

std::string row_of(const protocol::Heap& heap) {
    const auto* stones = std::get_if<protocol::Number>(&heap);
    if (stones == nullptr) return {};
    static const std::string_view stone = terminal_speaks_utf8() ? "●" : "o";
    std::string row;
    for (protocol::Number i = 0; i < std::min(*stones, kLongestRow); ++i) row += stone;
    if (*stones > kLongestRow) row += " ...";
    return row;
}

}  // namespace

std::string drawn(const protocol::Position& position) {
    std::string board;
    std::size_t index = 0;
    for (const protocol::Component& component : position.components) {
        board += fmt::format("  {}\n", protocol::printable(component.ruleset.text, 200));
        for (const protocol::Heap& heap : component.heaps) {
            board += fmt::format("  {:>4}: {} {}\n", ++index, to_string(heap), row_of(heap));
        }
    }
    if (position.convention == protocol::Convention::Misere) board += "  (misere)\n";
    return board;
}

}  // namespace arena
