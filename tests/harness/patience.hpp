// How long a test waits for what hangs.
#pragma once

#include <chrono>

namespace protocol::test {

// No test waits that long, unless it fails; none depends on it.
constexpr std::chrono::milliseconds kPatience = std::chrono::minutes(1);

}  // namespace protocol::test
