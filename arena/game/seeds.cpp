#include "arena/game/seeds.hpp"

#include <random>

namespace arena {

std::uint64_t fresh_seed() {
    std::random_device device;
    const std::uint64_t high = device();
    return ((high << 32) | device()) % kSeedLimit;
}

}  // namespace arena
