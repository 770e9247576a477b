// A game's place in the schedule of a tournament. It makes each game count once.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/result.hpp"

namespace arena {

// Two games from one position, sides swapped: the unit that is paired, handed out and counted
// by statistics. Keys sort as the schedule does. All count from 1.
struct PairKey {
    int stage = 1;     // of the format; most have one
    int round = 1;     // of the stage
    int pairing = 1;   // of the round: two players
    int position = 1;  // of the pairing
    int attempt = 1;   // above 1: replayed because it was undecided (knockout)

    friend auto operator<=>(const PairKey&, const PairKey&) = default;
};

struct GameKey {
    PairKey pair;
    int leg = 1;  // 1, 2: in leg 2 the sides are swapped

    friend auto operator<=>(const GameKey&, const GameKey&) = default;
};

// The number of a game of a match, from 1: 2k-1 and 2k are the legs from position k.
constexpr std::uint64_t match_number(const GameKey& key) {
    return 2 * static_cast<std::uint64_t>(key.pair.position - 1) +
           static_cast<std::uint64_t>(key.leg);
}

// "1.3.12.1.1.2": stage, round, pairing, position, attempt, leg.
std::string to_string(const GameKey& key);
// The same without the leg.
std::string to_string(const PairKey& pair);
// The name of the game for people: its number in a match, else its key.
std::string game_name(const GameKey& key, bool is_match);
protocol::Result<GameKey> parse_game_key(std::string_view text);

// A key or its first numbers, "1.3".
using KeyPrefix = std::vector<int>;
protocol::Result<KeyPrefix> parse_key_prefix(std::string_view text);
std::string to_string(const KeyPrefix& prefix);
bool begins_with(const GameKey& key, const KeyPrefix& prefix);

}  // namespace arena
