#include "engine/rules/game.hpp"
#include "protocol/bot.hpp"

int main(int argc, char** argv) {
    const auto choose = [](const protocol::Turn& turn) -> std::optional<protocol::Move> {
        const auto game = engine::Game::start(turn.position);
        if (!game || !game->has_move()) return std::nullopt;
        return game->moves(1000).back();
    };
    return protocol::bot_main(argc, argv, {"last-move", "me", {}}, choose);
}
