// Everything that `nim-arena match` was asked to do, checked, with defaults filled in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "arena/command_line.hpp"
#include "arena/player_spec.hpp"
#include "arena/referee.hpp"
#include "protocol/position.hpp"

namespace arena {

enum class AffinityMode { Default, On, Off, List };

struct MatchOptions {
    std::vector<PlayerSpec> players;            // two, in the order of the command line
    std::vector<protocol::Position> positions;  // given ones, names expanded, each checked
    std::uint64_t games = 0;                    // total, even
    TimeControl clock;
    bool clock_given = false;  // by --movetime or --tc
    bool hang_given = false;
    Milliseconds startup{10000};
    Milliseconds dial_in{300000};    // for a listen:// player; a start-up time given is its too
    std::optional<int> concurrency;  // default: see worker.hpp
    std::uint64_t seed = 0;          // given, or drawn and printed
    bool seed_given = false;
    std::size_t max_plies = 10000;
    AffinityMode affinity = AffinityMode::Default;
    std::vector<int> cores;  // AffinityMode::List: ascending
    std::string jsonl;       // a file, "-", or empty
    std::string log;         // a file, or empty
    bool quiet = false;
    bool strict = false;
};

// What a player is judged by: the clock of the match. A person has all day, unless a time was
// given.
TimeControl clock_of(const MatchOptions& options, std::size_t player);

using MatchCommand = std::variant<MatchOptions, HelpText, UsageError>;

// `arguments`: what stands behind `nim-arena match`. Reads the files that are named. `seed` is
// taken where none is given.
MatchCommand parse_match_options(const std::vector<std::string>& arguments, std::uint64_t seed);

}  // namespace arena
