// The positions of a check, each with the game that knows its legal moves.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/game.hpp"

namespace arena {

// A position and its `position` line, without the LF.
struct TestPosition {
    std::string line;  // "position fen nim:3,4,5 moves 1=2"
    engine::Game game;
    std::optional<engine::Game> first = {};  // before the moves of the line, if it has some
};

// Makes positions, whose lines list the moves that led there if the bot wants the history.
class PositionMaker {
  public:
    explicit PositionMaker(bool history) : history_(history) {}

    bool with_history() const { return history_; }

    // `moves` are legal from `fen`.
    TestPosition make(std::string_view fen, const std::vector<std::string>& moves = {}) const;
    // After `plies` random moves, or fewer, so that a move is left.
    TestPosition make_after_random_play(std::string_view fen, std::size_t plies,
                                        std::mt19937_64& random) const;
    // After `plies` moves that take one from a large heap until it is empty. What is left is
    // one stone in the other heap: so a bot that has read a part of the line alone moves
    // illegally.
    TestPosition make_after_long_play(std::string_view ruleset, std::size_t plies,
                                      bool first_heap) const;

  private:
    bool history_;
};

// Positions of one kind. A bot may refuse a kind, but not some positions of it.
struct PositionKind {
    std::string name;  // "take{1,3,4}", "nim misere"
    std::vector<TestPosition> positions;
};

std::vector<PositionKind> nim_kinds(const PositionMaker& maker, std::mt19937_64& random);
std::vector<PositionKind> take_kinds(const PositionMaker& maker, std::mt19937_64& random);
std::vector<PositionKind> mixed_kinds(const PositionMaker& maker, std::mt19937_64& random);
// All other rulesets, and sums of them.
std::vector<PositionKind> other_kinds(const PositionMaker& maker, std::mt19937_64& random);
// Positions with many legal moves, of which `searchmoves` makes long lines.
std::vector<TestPosition> positions_of_many_moves(const PositionMaker& maker,
                                                  std::string_view ruleset);
// Numbers that need 64 bits.
std::vector<PositionKind> huge_kinds(const PositionMaker& maker);

}  // namespace arena
