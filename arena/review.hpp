// A game looked at after it was played: who could have won it, and by which move it was thrown.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "arena/game_record.hpp"
#include "engine/solver/analyst.hpp"

namespace arena {

// A move that gave a won position away. Texts are fit to be shown, and of bounded length.
struct LosingMove {
    std::size_t ply = 0;   // from 1: the how many'th move of the game it was
    std::string position;  // before it
    std::string move;
    std::string winning;  // a move that would have won; empty if none was found in time
};

struct GameReview {
    // For the player in seat 0, who moves first.
    engine::Outcome start = engine::Outcome::Unknown;
    // By seat: its first losing move from a won position. Won back later or not.
    std::array<std::optional<LosingMove>, 2> thrown;
};

// Replays the moves and asks for the outcome after each. What is not known within the budget is
// left out.
GameReview review_game(const GameRecord& record, const engine::Analyst& analyst,
                       const engine::Budget& budget);

}  // namespace arena
