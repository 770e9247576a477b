// The randomness of a match: all seeds derive from one, so a game depends neither on
// concurrency nor on the games before it.
//
// A player learns its own seeds. They are outputs of SipHash-2-4 (Aumasson, Bernstein:
// "SipHash: a fast short-input PRF", 2012) with the seed of the match as its key. So the only
// way to compute the seed of the match, those of opponents, or what the arena draws is to try
// all seeds. BLAKE2 would do as well; SipHash is made for inputs of a few words, and is short
// enough to stand here, in a room without a cryptographic library.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "arena/game/game_key.hpp"

namespace arena {

// Seeds sent to players stay below 2^53, so that JSON and every language hold them exactly.
inline constexpr std::uint64_t kSeedLimit = std::uint64_t{1} << 53;
// Seeds of matches stay below 2^63, the numbers that options and SQLite hold.
inline constexpr std::uint64_t kMatchSeedLimit = std::uint64_t{1} << 63;

// The finalizer of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
// generators", 2014): a bijection in which every bit of the input changes half of the output's.
// It spreads seeds and hides nothing.
constexpr std::uint64_t mix(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

// SipHash-2-4 of these words, each as eight bytes, the lowest first.
std::uint64_t siphash(std::uint64_t key0, std::uint64_t key1,
                      std::initializer_list<std::uint64_t> words);

// Says in a record how seeds derive from the seed of the match.
inline constexpr std::pair<std::string_view, std::string_view> kSeedHashSetting{"seed-hash",
                                                                                "siphash"};

// The seeds of one match or tournament.
class Seeds {
  public:
    Seeds(std::uint64_t seed) : seed_(seed) {}

    // Sent to seat 0 or 1 before a game of a match (counted from 1) or of a tournament. Below
    // kSeedLimit, as is of_position().
    std::uint64_t of_game(std::uint64_t game, std::uint64_t seat) const;
    std::uint64_t of_game(const GameKey& key, std::uint64_t seat) const;
    // For moves that the arena makes in place of this seat's.
    std::uint64_t of_replacements(const GameKey& key, std::uint64_t seat) const;
    // For the random position of a pair, from 1.
    std::uint64_t of_position(std::uint64_t pair) const;
    // For a lot drawn in a round.
    std::uint64_t of_lot(int round, int number) const;
    // For an answer on a page.
    std::uint64_t of_request(std::uint64_t request) const;

  private:
    std::uint64_t hash(std::initializer_list<std::uint64_t> words) const;
    std::uint64_t hash(std::uint64_t purpose, const GameKey& key, std::uint64_t seat) const;

    std::uint64_t seed_;
};

// A fresh seed, for a match without a given one.
std::uint64_t fresh_seed();

}  // namespace arena
