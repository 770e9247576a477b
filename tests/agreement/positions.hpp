// Positions and rulesets from valid texts.
#pragma once

#include "engine/rules/game.hpp"

namespace engine::test {

inline Game game_of(std::string_view text) {
    auto game = read_game(text);
    if (!game) throw std::runtime_error(describe(game.error()));
    return *std::move(game);
}

inline std::shared_ptr<const Ruleset> ruleset_of(const std::string& text) {
    auto found = find_ruleset({text});
    if (!found) throw std::runtime_error(describe(found.error()));
    return *std::move(found);
}

inline Game after(Game game, const Move& move) {
    game.play(move);
    return game;
}

inline std::vector<std::string> texts_of(const std::vector<Move>& moves) {
    std::vector<std::string> texts;
    for (const Move& move : moves) texts.push_back(to_string(move));
    return texts;
}

inline std::vector<std::string> sorted_texts(const std::vector<Move>& moves) {
    auto texts = texts_of(moves);
    std::ranges::sort(texts);
    return texts;
}

}  // namespace engine::test
