// The randomness of a match: all seeds of games derive from one seed, so a game depends neither
// on concurrency nor on the games before it.
#pragma once

#include <cstdint>

#include "arena/game/game_key.hpp"

namespace arena {

// Derived seeds stay below 2^53, so that JSON and every language hold them exactly.
inline constexpr std::uint64_t kSeedLimit = std::uint64_t{1} << 53;

// The finalizer of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
// generators", 2014): a bijection in which every bit of the input changes half of the output's.
constexpr std::uint64_t mix(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

// hash(seed, game, seat) = top 53 bits of mix(mix(mix(seed) + game) + seat). Games count from
// 1, seats are 0 and 1.
constexpr std::uint64_t game_seed(std::uint64_t seed, std::uint64_t game, std::uint64_t seat) {
    return mix(mix(mix(seed) + game) + seat) >> 11;
}

// The same for a game of a tournament, whose key takes the place of its number: `mix` over
// stage, round, pairing, position, attempt and leg.
constexpr std::uint64_t game_seed(std::uint64_t seed, const GameKey& key, std::uint64_t seat) {
    const PairKey& pair = key.pair;
    std::uint64_t game = 0;
    for (const int part :
         {pair.stage, pair.round, pair.pairing, pair.position, pair.attempt, key.leg}) {
        game = mix(game + static_cast<std::uint64_t>(part));
    }
    return game_seed(seed, game, seat);
}

// The seed of the random position of a pair (from 1): uses a seat number that no player has.
constexpr std::uint64_t position_seed(std::uint64_t seed, std::uint64_t pair) {
    return game_seed(seed, pair, 2);
}

// A fresh seed, for a match without a given one.
std::uint64_t fresh_seed();

}  // namespace arena
