// Reviews a finished game: who could have won it, and which move threw it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "arena/game/game_record.hpp"
#include "engine/sums/analyst.hpp"

namespace arena {

// A move that gave a won position away. Texts are printable and of bounded length.
struct LosingMove {
    std::size_t ply = 0;   // the number of the move in the game, from 1
    std::string position;  // before it
    std::string move;
    std::string winning;  // a move that would have won; empty if none was found in time
};

// Describes the move `ply` (from 1), which gave a won position away. `better` is a move that
// keeps it, or empty: then one is searched.
LosingMove describe_throw(const GameRecord& record, std::size_t ply, const std::string& better,
                          const engine::Analyst& analyst, const engine::Budget& budget);

struct GameReview {
    // For the player in seat 0, which moves first.
    engine::Outcome start = engine::Outcome::Unknown;
    // By seat: its first losing move from a won position. Won back later or not.
    std::array<std::optional<LosingMove>, 2> thrown;
};

// Replays the moves and computes the outcome after each. Leaves out what is not known within
// the budget.
GameReview review_game(const GameRecord& record, const engine::Analyst& analyst,
                       const engine::Budget& budget);

}  // namespace arena
