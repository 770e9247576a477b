// The positions of a check, each with the game that knows what is legal.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/game.hpp"

namespace arena {

// A position and the line that tells of it, without its LF.
struct Told {
    std::string line;  // "position fen nim:3,4,5 moves 1=2"
    engine::Game game;
};

// How positions are sent: with the moves that led there, or without.
class Teller {
  public:
    explicit Teller(bool history) : history_(history) {}

    bool tells_history() const { return history_; }

    // `moves` are legal from `fen`.
    Told tell(std::string_view fen, const std::vector<std::string>& moves = {}) const;
    // After so many random moves, fewer where the last but one ends the game.
    Told tell_random_play(std::string_view fen, std::size_t plies,
                          std::mt19937_64& random) const;
    // After so many moves that take one from each of the two heaps in turn, from heaps that
    // hold enough for them.
    Told tell_long_play(std::string_view ruleset, std::size_t plies) const;

  private:
    bool history_;
};

// Positions of one kind. A bot may refuse a kind, but not some positions of it.
struct PositionKind {
    std::string name;  // "take{1,3,4}", "nim misere"
    std::vector<Told> positions;
};

std::vector<PositionKind> nim_kinds(const Teller& teller, std::mt19937_64& random);
std::vector<PositionKind> take_kinds(const Teller& teller, std::mt19937_64& random);
std::vector<PositionKind> mixed_kinds(const Teller& teller, std::mt19937_64& random);
// Each other ruleset, and sums of them.
std::vector<PositionKind> other_kinds(const Teller& teller, std::mt19937_64& random);
// Numbers that need 64 bits.
std::vector<PositionKind> huge_kinds(const Teller& teller);

}  // namespace arena
