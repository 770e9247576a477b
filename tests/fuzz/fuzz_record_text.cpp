// The texts of a record: keys of games, players, analyses. Text that can be read is written
// again, and reading that gives the same value.
#include <cstdint>
#include <string_view>

#include "arena/game/game_analysis.hpp"
#include "arena/game/game_key.hpp"
#include "arena/players/player_spec.hpp"
#include "tests/fuzz/require.hpp"

namespace {

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
