#include "engine/rules/game.hpp"

#include <random>
#include <string>

namespace engine {
namespace {

// The finalizer of MurmurHash3, a bijection.
std::uint64_t mix(std::uint64_t word) {
    word ^= word >> 33;
    word *= 0xff51afd7ed558ccd;
    word ^= word >> 33;
    word *= 0xc4ceb9fe1a85ec53;
    return word ^ word >> 33;
}

struct Hash {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    void add(std::uint64_t word) {
        high = mix(high ^ word) * 0x9e3779b97f4a7c15 + low;
        low = mix(low + word) ^ high;
    }
};

Hash process_key() {
    std::random_device random;
    const auto draw = [&] { return std::uint64_t{random()} << 32 | random(); };
    return {draw(), draw()};
}

// The hash of a heap and its number in the sum.
Hash hash_of(std::size_t number, const Heap& heap) {
    static const Hash key = process_key();
    Hash hash = key;
    hash.add(number);
    std::string text;
    append_text(text, heap);
    for (const char c : text) hash.add(static_cast<unsigned char>(c));
    hash.add(text.size() + 256);
    return hash;
}

}  // namespace

void Repetitions::change(std::size_t heap, const Heap& before, const Heap& after) {
    const Hash gone = hash_of(heap, before);
    const Hash come = hash_of(heap, after);
    high_ += come.high - gone.high;
    low_ += come.low - gone.low;
}

int Repetitions::count(std::size_t heap, const Heap& before, const Heap& after, int player) {
    change(heap, before, after);
    return ++counts_[key_of(player)];
}

void Repetitions::discount(std::size_t heap, const Heap& before, const Heap& after,
                           int player) {
    const auto found = counts_.find(key_of(player));
    if (--found->second == 0) counts_.erase(found);
    change(heap, after, before);
}

}  // namespace engine
