// The number of cases in a test: a tenth under a sanitizer, which makes everything slower.
#pragma once

namespace test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kShare = 10;
#else
inline constexpr int kShare = 1;
#endif

constexpr int tries(int count) { return count / kShare; }

}  // namespace test
