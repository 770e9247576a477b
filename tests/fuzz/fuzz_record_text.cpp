// Texts that a record has, or that name what is in it: games' keys, players, analyses.
// What is read is written again, and that is read as the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "arena/player_spec.hpp"
#include "arena/statistics/game_analysis.hpp"
#include "arena/store/game_key.hpp"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void check_key(std::string_view text) {
    const auto key = arena::parse_game_key(text);
    if (!key) return;
    const auto again = arena::parse_game_key(to_string(*key));
    require(again && *again == *key);
}

void check_player(std::string_view text) {
    const auto player = arena::parse_player_keys(text);
    if (!player) return;
    const std::string written = to_string(*player);
    const auto again = arena::parse_player_keys(written);
    require(again && to_string(*again) == written);
}

void check_analysis(std::string_view text) {
    const auto analysis = arena::parse_game_analysis(text);
    if (analysis) require(to_string(*analysis) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_key(text);
    check_player(text);
    check_analysis(text);
    return 0;
}
