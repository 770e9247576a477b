// Positions and moves: the first line is a position, the others are moves.
#include <cstdint>
#include <string_view>

#include "engine/rules/game.hpp"

#include "tests/fuzz/require.hpp"

namespace {

void require_column(const protocol::Error& error, std::string_view text) {
    require(error.column <= text.size() + 1);
    mark_column(std::string(text), error);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    const std::string_view text = cut_line(rest);
    auto game = engine::read_game(text);
    if (!game) {
        require_column(game.error(), text);
        return 0;
    }
    const auto again = protocol::parse_position(to_string(game->position()));
    require(again && *again == game->position());

    std::mt19937_64 random(size);
    while (!rest.empty()) {
        const std::string_view word = cut_line(rest);
        const auto move = game->read_move(word);
        if (move) {
            game->play(*move);
        } else {
            require_column(move.error(), word);
            if (!game->has_move()) break;
            const auto drawn = game->random_move(random);
            const auto read = game->read_move(to_string(drawn));
            require(read && *read == drawn);
            game->play(drawn);
        }
    }
    require(game->has_move() == !game->moves(1).empty());
    return 0;
}
