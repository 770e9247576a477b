// Formats counts for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace arena {

// "1 game", "2 games".
std::string counted(std::uint64_t count, std::string_view what);

}  // namespace arena
