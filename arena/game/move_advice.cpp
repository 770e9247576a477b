#include "arena/game/move_advice.hpp"

#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena {

std::string move_advice(const engine::Game& game, std::string_view line) {
    const auto words = protocol::split_words(line);
    if (words.size() < 2) return {};
    // "1 = 0", and "1 = 0" with a remark after it.
    std::string joined(words[1]);
    constexpr std::string_view kSigns = "=,";
    for (std::size_t i = 2; i < words.size() && i < 4; ++i) {
        const bool continues = kSigns.find(joined.back()) != kSigns.npos ||
                               kSigns.find(words[i].front()) != kSigns.npos;
        if (!continues) break;
        joined += words[i];
        if (game.read_move(joined)) return fmt::format("write it without blanks: {}", joined);
    }
    const auto move = game.read_move(joined);
    if (!move && move.error().text.ends_with("expected a whole number"))
        return "write whole numbers: in Python, 6 // 2 is one and 6 / 2 is not";
    if (words.size() == 2 && (joined.ends_with('=') || joined.ends_with(','))) {
        return "is its line buffer too small? Lines have up to 1 MiB";
    }
    return {};
}

}  // namespace arena
