// Integers of 128 bits, for what 64 bits do not hold.
#pragma once

namespace engine {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

}  // namespace engine
