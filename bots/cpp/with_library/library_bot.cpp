#include "engine/rules/game.hpp"
#include "protocol/bot.hpp"

int main(int argc, char** argv) {
    const auto choose = [](const protocol::Turn& turn) -> std::optional<protocol::Move> {
        if (!turn.candidates.empty()) return turn.candidates.front();  // of `searchmoves`
        const auto game = engine::Game::start(turn.position);  // knows the rules of all games
        return game && game->has_move() ? std::optional(game->moves(9).back()) : std::nullopt;
    };
    return protocol::bot_main(argc, argv, {"library_bot", "me", {}}, choose);
}
