#include "arena/record/packing.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "protocol/text.hpp"

namespace arena {

std::string pack_times(const std::vector<Microseconds>& times) {
    std::string bytes;
    for (const Microseconds time : times) {
        auto rest = static_cast<std::uint64_t>(std::max(time.count(), Microseconds::rep{0}));
        for (; rest >= 0x80; rest >>= 7) bytes += static_cast<char>(0x80 | (rest & 0x7f));
        bytes += static_cast<char>(rest);
    }
    return bytes;
}

std::optional<std::vector<Microseconds>> unpack_times(std::string_view bytes) {
    std::vector<Microseconds> times;
    std::uint64_t number = 0;
    int shift = 0;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (shift > 56) return std::nullopt;
        number |= std::uint64_t{byte & 0x7fu} << shift;
        shift += 7;
        if (byte & 0x80) continue;
        times.emplace_back(static_cast<Microseconds::rep>(number));
        number = 0;
        shift = 0;
    }
    if (shift != 0) return std::nullopt;
    return times;
}

std::vector<Microseconds> all_times(const GameRecord& record) {
    std::vector<Microseconds> times = record.times;
    if (record.fault_time) times.push_back(*record.fault_time);
    return times;
}

std::string join_words(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

std::string join_numbers(const std::vector<int>& numbers) {
    return fmt::format("{}", fmt::join(numbers, " "));
}

std::vector<std::string> split_joined(std::string_view text) {
    const auto words = protocol::split_words(text);
    return {words.begin(), words.end()};
}

}  // namespace arena
