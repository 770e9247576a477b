#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>

namespace test {

// The number of this process's file descriptors that are open.
inline std::size_t open_descriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace test
