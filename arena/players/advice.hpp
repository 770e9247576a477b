// Texts about a game for a person at the terminal: its position as rows of stones, its rules, a
// hint, the values, the reason, and at the end the move that gave the win away.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "arena/game/game_record.hpp"
#include "engine/sums/analyst.hpp"

namespace arena {

// A line for each ruleset and for each heap, with its number and its stones.
std::string drawn(const protocol::Position& position);

// A sentence for each ruleset of the position, and the convention.
std::string rules_text(const protocol::Position& position);

// The answers to `hint`, `values` and `why`: a line or more.
std::string hint_text(const engine::Game& game, const engine::Analyst& analyst,
                      const engine::Budget& budget);
std::string values_text(const engine::Game& game, const engine::Analyst& analyst,
                        const engine::Budget& budget);
std::string why_text(const engine::Game& game, const engine::Analyst& analyst,
                     const engine::Budget& budget);

struct OwnMove {
    engine::Game before;
    engine::Move move;
    std::size_t number = 0;  // in the game, from 1
};
// "You lost: move 3 gave it away, 2=1 kept it." For the player in `seat`, with its own moves.
std::string ending_text(const Cause& verdict, int seat, std::span<const OwnMove> moves,
                        const engine::Analyst& analyst, const engine::Budget& budget);

}  // namespace arena
