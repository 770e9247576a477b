// Lists in the form of the record: times as varints, moves as one text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/game/game_record.hpp"

namespace arena {

// Seven bits a byte, the lowest first, the top bit set in all but the last (LEB128): two bytes
// for a time below 16 ms.
std::string pack_times(const std::vector<Microseconds>& times);
// nullopt: cut off, or a number of more than 63 bits.
std::optional<std::vector<Microseconds>> unpack_times(std::string_view bytes);

// The times of the moves, and after them that of a fault, if there is one.
std::vector<Microseconds> all_times(const GameRecord& record);

// Words with a blank between two.
std::string join_words(const std::vector<std::string>& words);
std::string join_numbers(const std::vector<int>& numbers);
std::vector<std::string> split_joined(std::string_view text);

}  // namespace arena
