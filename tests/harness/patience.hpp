// How long a test waits for what hangs, and how many cases it tries.
#pragma once

namespace protocol::test {

// No test waits that long, unless it fails; none depends on it.
constexpr std::chrono::milliseconds kPatience = std::chrono::minutes(5);

}  // namespace protocol::test

namespace test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kShare = 10;
#else
inline constexpr int kShare = 1;
#endif

// A tenth under a sanitizer, which makes everything slower.
constexpr int tries(int count) { return count / kShare; }

}  // namespace test
