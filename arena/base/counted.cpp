#include "arena/base/counted.hpp"

#include <fmt/format.h>

namespace arena {

std::string counted(std::uint64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace arena
