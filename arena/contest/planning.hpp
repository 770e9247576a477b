// Functions for planning rounds that the formats share.
#pragma once

#include <array>
#include <cstdint>

#include "arena/contest/format.hpp"

namespace arena {

std::unique_ptr<Format> make_round_robin(const FormatOptions& options);
std::unique_ptr<Format> make_gauntlet(const FormatOptions& options);
std::unique_ptr<Format> make_swiss(const FormatOptions& options);
std::unique_ptr<Format> make_knockout(const FormatOptions& options);
std::unique_ptr<Format> make_ladder(const FormatOptions& options);
std::unique_ptr<Format> make_clinic(const FormatOptions& options);

// Two players who meet; the first of them moves first in leg 1.
using Meeting = std::array<int, 2>;

// Adds pairs of games `first` to `last` of a meeting, as pairing number `pairing` of the round.
void add_pairs(RoundPlan& plan, int pairing, const Meeting& meeting, int first, int last);

// A random number for (round, number), from the seed of the tournament.
std::uint64_t lot(const FormatOptions& options, int round, int number);

}  // namespace arena
