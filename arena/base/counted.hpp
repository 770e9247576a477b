// Formats counts and lists for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace arena {

// "1 game", "2 games".
std::string counted(std::uint64_t count, std::string_view what);
// "12,345".
std::string grouped(std::uint64_t number);
// Both: "12,345 games".
std::string counted_grouped(std::uint64_t count, std::string_view what);
// "37 %"; "0 %" only for none, "100 %" only for all.
std::string percent_text(std::uint64_t part, std::uint64_t whole);
// "a", "a and b", "a, b and c", where the joint is "and".
std::string listed(const std::vector<std::string>& items, std::string_view joint);

}  // namespace arena
