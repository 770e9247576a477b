#include "arena/game/game_key.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/bad_input.hpp"
#include "protocol/heap.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::size_t kNumbers = 6;  // in a key

protocol::Error no_key(std::string_view text) {
    return bad_input(
        "read {}, expected a game's key, six numbers from 1 such as 1.3.12.1.1.2: stage, "
        "round, pairing, position, attempt, leg (1 or 2)",
        protocol::quoted(text));
}

}  // namespace

std::string to_string(const GameKey& key) {
    return fmt::format("{}.{}", to_string(key.pair), key.leg);
}

std::string game_name(const GameKey& key, bool is_match) {
    return is_match ? std::to_string(match_number(key)) : to_string(key);
}

std::string to_string(const PairKey& pair) {
    return fmt::format("{}.{}.{}.{}.{}", pair.stage, pair.round, pair.pairing, pair.position,
                       pair.attempt);
}

protocol::Result<GameKey> parse_game_key(std::string_view text) {
    const auto numbers = parse_key_prefix(text);
    if (!numbers) return numbers.error();
    if (numbers->size() < kNumbers) return no_key(text);
    const KeyPrefix& key = *numbers;
    return GameKey{{key[0], key[1], key[2], key[3], key[4]}, key[5]};
}

protocol::Result<KeyPrefix> parse_key_prefix(std::string_view text) {
    KeyPrefix prefix;
    std::string_view rest = text;
    for (bool is_last = false; !is_last;) {
        const auto end = std::min(rest.find('.'), rest.size());
        const auto number = protocol::parse_number(rest.substr(0, end));
        const bool fits = number && *number >= 1 && *number <= std::numeric_limits<int>::max();
        if (!fits || prefix.size() == kNumbers) return no_key(text);
        prefix.push_back(static_cast<int>(*number));
        is_last = end == rest.size();
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (prefix.size() == kNumbers && prefix.back() > 2) return no_key(text);
    return prefix;
}

std::string to_string(const KeyPrefix& prefix) {
    return fmt::format("{}", fmt::join(prefix, "."));
}

bool begins_with(const GameKey& key, const KeyPrefix& prefix) {
    const PairKey& pair = key.pair;
    const std::array numbers{pair.stage,    pair.round,   pair.pairing,
                             pair.position, pair.attempt, key.leg};
    return std::equal(prefix.begin(), prefix.end(), numbers.begin());
}

}  // namespace arena
