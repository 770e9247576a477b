// What fuzz targets share.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string_view>

// Ends the run: the fuzzer keeps its input.
inline void require(bool holds) {
    if (!holds) std::abort();
}

// The first line of `rest`, which is removed from there with its end.
inline std::string_view cut_line(std::string_view& rest) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return line;
}
