#include "arena/game/game_key.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "protocol/heap.hpp"
#include "protocol/text.hpp"

namespace arena {

std::string to_string(const GameKey& key) {
    return fmt::format("{}.{}", to_string(key.pair), key.leg);
}

std::string to_string(const PairKey& pair) {
    return fmt::format("{}.{}.{}.{}.{}", pair.stage, pair.round, pair.pairing, pair.position,
                       pair.attempt);
}

protocol::Result<GameKey> parse_game_key(std::string_view text) {
    const auto refuse = [&] {
        return protocol::Error{
            protocol::Fault::BadInput,
            fmt::format("read {}, expected a game's key, six numbers from 1 such as "
                        "1.3.12.1.1.2: stage, round, pairing, position, attempt, leg (1 or 2)",
                        protocol::quoted(text)),
            0};
    };
    std::array<int, 6> numbers{};
    std::string_view rest = text;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto end = std::min(rest.find('.'), rest.size());
        const auto number = protocol::parse_number(rest.substr(0, end));
        const bool last = i + 1 == numbers.size();
        if (!number || *number < 1 || *number > std::numeric_limits<int>::max())
            return refuse();
        if (last != (end == rest.size())) return refuse();
        numbers[i] = static_cast<int>(*number);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (numbers[5] > 2) return refuse();
    return GameKey{{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]}, numbers[5]};
}

}  // namespace arena
