// A finished game annotated with solver values: for each move, the value before it and what it
// gave away.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/game/decision.hpp"
#include "arena/game/game_record.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/result.hpp"

namespace arena {

struct PlyAnalysis {
    engine::Outcome before = engine::Outcome::Unknown;  // for the mover
    // Whether some legal moves kept that and some did not. Known only if the values of all
    // moves are, so that it does not depend on the move made.
    Finding decision = Finding::Unknown;
    Finding mistake = Finding::Unknown;  // whether this one did not keep it
    std::string better;  // for a mistake: a move that keeps it, if one was found in time

    friend bool operator==(const PlyAnalysis&, const PlyAnalysis&) = default;
};

struct GameAnalysis {
    std::vector<PlyAnalysis> plies;                  // one a move of the record
    engine::Outcome end = engine::Outcome::Unknown;  // after the last move

    // Whether everything is known.
    bool is_complete() const;
    // For the player who moves first.
    engine::Outcome start() const { return plies.empty() ? end : plies.front().before; }

    friend bool operator==(const GameAnalysis&, const GameAnalysis&) = default;
};
// The number (from 1) of the first move by which this seat gave a won position away, not
// counting moves that the arena made for it; 0: none.
std::size_t first_throw(const GameRecord& record, const GameAnalysis& analysis,
                        std::size_t seat);

// Mistakes: finds mistakes only, neither decisions nor better moves.
enum class Depth { Mistakes, Everything };

// The usual budget of one game's analysis.
inline constexpr std::chrono::seconds kAnalysisTime{2};

// Replays the moves. What is not known within the budget is Unknown.
GameAnalysis analyse_game(const GameRecord& record, const engine::Analyst& analyst,
                          const engine::Budget& budget, Depth depth = Depth::Everything);

// "move 2, in nim:1,2: 2=0 loses, 2=1 wins" of the move `ply` (from 1), which gave a won
// position away; printable and of bounded length. A move that wins is searched if none is
// known; if none is found in time: "move 2, in nim:1,2: 2=0".
std::string throw_text(const GameRecord& record, const GameAnalysis& analysis, std::size_t ply,
                       const engine::Analyst& analyst, const engine::Budget& budget);

// Mistakes alone, and of each player's first throw a better move.
GameAnalysis review_game(const GameRecord& record, const engine::Analyst& analyst,
                         const engine::Budget& budget);

// One line for Store::annotate: "1 wPxP N 3:2=1": the version of this form, a letter a ply, the
// value at the end, and PLY:MOVE for each better move. The letters: P lost; won and kept: w
// (a decision), W (no decision), v (unknown whether it was); x won and thrown; u the same, but
// not all moves are known; n won, and the value after it is unknown; d D e y z f the same for
// draws; ? unknown. "-" stands for no plies.
std::string to_string(const GameAnalysis& analysis);
// Those letters alone; empty for no plies.
std::string letters_of(const GameAnalysis& analysis);
// Its inverse; nullopt for all that to_string() does not write.
std::optional<GameAnalysis> parse_game_analysis(std::string_view text);

}  // namespace arena
