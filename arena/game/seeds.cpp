#include "arena/game/seeds.hpp"

#include <bit>
#include <random>

namespace arena {
namespace {

// The seed is the first half of the key; this is the second half: "Nimarena".
constexpr std::uint64_t kKeyFill = 0x616E6572616D694E;

// The purpose of a seed: the first word that is hashed.
constexpr std::uint64_t kForGame = 1;
constexpr std::uint64_t kForKeyedGame = 2;
constexpr std::uint64_t kForReplacements = 3;
constexpr std::uint64_t kForPosition = 4;
constexpr std::uint64_t kForLot = 5;
constexpr std::uint64_t kForRequest = 6;

constexpr int kDroppedBits = 11;  // 64 - 53

struct SipState {
    std::uint64_t v0, v1, v2, v3;

    void round() {
        v0 += v1;
        v1 = std::rotl(v1, 13) ^ v0;
        v0 = std::rotl(v0, 32);
        v2 += v3;
        v3 = std::rotl(v3, 16) ^ v2;
        v0 += v3;
        v3 = std::rotl(v3, 21) ^ v0;
        v2 += v1;
        v1 = std::rotl(v1, 17) ^ v2;
        v2 = std::rotl(v2, 32);
    }
    void add(std::uint64_t word) {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }
};

std::uint64_t word_of(int number) { return static_cast<std::uint64_t>(number); }

}  // namespace

std::uint64_t siphash(std::uint64_t key0, std::uint64_t key1,
                      std::initializer_list<std::uint64_t> words) {
    SipState state{key0 ^ 0x736F6D6570736575, key1 ^ 0x646F72616E646F6D,
                   key0 ^ 0x6C7967656E657261, key1 ^ 0x7465646279746573};
    for (const std::uint64_t part : words) state.add(part);
    state.add(std::uint64_t{8 * words.size()} << 56);  // the number of bytes
    state.v2 ^= 0xFF;
    for (int i = 0; i < 4; ++i) state.round();
    return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

std::uint64_t Seeds::hash(std::initializer_list<std::uint64_t> words) const {
    return siphash(seed_, kKeyFill, words);
}

std::uint64_t Seeds::hash(std::uint64_t purpose, const GameKey& key, std::uint64_t seat) const {
    const PairKey& pair = key.pair;
    return hash({purpose, word_of(pair.stage), word_of(pair.round), word_of(pair.pairing),
                 word_of(pair.position), word_of(pair.attempt), word_of(key.leg), seat});
}

std::uint64_t Seeds::of_game(std::uint64_t game, std::uint64_t seat) const {
    return hash({kForGame, game, seat}) >> kDroppedBits;
}

std::uint64_t Seeds::of_game(const GameKey& key, std::uint64_t seat) const {
    return hash(kForKeyedGame, key, seat) >> kDroppedBits;
}

std::uint64_t Seeds::of_replacements(const GameKey& key, std::uint64_t seat) const {
    return hash(kForReplacements, key, seat);
}

std::uint64_t Seeds::of_position(std::uint64_t pair) const {
    return hash({kForPosition, pair}) >> kDroppedBits;
}

std::uint64_t Seeds::of_lot(int round, int number) const {
    return hash({kForLot, word_of(round), word_of(number)});
}

std::uint64_t Seeds::of_request(std::uint64_t request) const {
    return hash({kForRequest, request});
}

std::uint64_t fresh_seed() {
    std::random_device device;
    const std::uint64_t high = device();
    return ((high << 32) | device()) % kMatchSeedLimit;
}

}  // namespace arena
