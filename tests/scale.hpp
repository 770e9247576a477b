// How much a test tries: under a sanitizer, which makes all of it slower, a tenth.
#pragma once

namespace test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kShare = 10;
#else
inline constexpr int kShare = 1;
#endif

constexpr int tries(int count) { return count / kShare; }

}  // namespace test
