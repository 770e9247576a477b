// Spreads numbers that differ in few bits.
#pragma once

#include <cstdint>

namespace engine {

// A bijection: the finalizer of MurmurHash3 (Appleby, public domain).
inline std::uint64_t mix(std::uint64_t word) {
    word ^= word >> 33;
    word *= 0xff51afd7ed558ccd;
    word ^= word >> 33;
    word *= 0xc4ceb9fe1a85ec53;
    return word ^ word >> 33;
}

}  // namespace engine
