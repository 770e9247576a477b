// The TOML file of a tournament, with some options of every kind.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "arena/commands/tournament.hpp"
#include "arena/players/player_spec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::array<arena::OptionText, 4> kOptions{{
        {"Games", "games", "N", "a number"},
        {"Games", "position", "FEN", "one or many", true},
        {"Games", "name", "TEXT", "a text"},
        {"Output", "quiet", nullptr, "a switch", false, true},
    }};
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto arguments = arena::read_tournament_file(text, "t.toml", kOptions);
    if (!arguments) {
        // The error has a text and a place.
        if (!arguments.error().text.starts_with("t.toml, line ")) std::abort();
        return 0;
    }
    for (const auto& [option, value] : *arguments) {
        if (option == "player" && !arena::parse_player_keys(value)) std::abort();
    }
    return 0;
}
