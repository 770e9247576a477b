// Everything that `nim-arena tournament` was asked to do, checked, with defaults filled in.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "arena/formats/format.hpp"
#include "arena/lobby_options.hpp"
#include "arena/play_options.hpp"
#include "arena/store/store.hpp"
#include "arena/suite.hpp"

namespace arena {

struct TournamentOptions : PlayOptions {
    std::string name;  // of the event, for exports; empty: none was given
    FormatOptions format;
    std::optional<Suite> suite;    // else positions are given, or random nim
    std::string record;            // a file, or empty: nothing is kept
    std::string events;            // a file of JSON Lines, "-", or empty
    std::string report;            // a folder for pages, written at the end; empty: none
    Milliseconds analysis{60000};  // of games, at the end; 0: none
    std::string sprt;              // the texts of --sprt and --sprt-error; empty: no such test
    std::string sprt_error;
    std::uint64_t max_games = 0;  // 0: as many as the format has
    int processes = 0;            // players kept running; 0: 2 x concurrency + 8

    // `nim-arena serve`: behind the server's own players, of which there are `own_players`, as
    // many places for those who dial in as there can be.
    std::optional<LobbyOptions> lobby;
    std::size_t own_players = 0;
    std::size_t await = 2;        // it begins when so many are there
    Milliseconds drain{30'000};  // for games to end after a signal
};

// What of it makes the tournament what it is: the same record takes no other. Without players,
// who may come later.
Configuration configuration_of(const TournamentOptions& options);

// What of a record's configuration is needed to put the same questions again: clocks, limits,
// times to start. Errors: values that configuration_of() does not write.
protocol::Result<PlayOptions> recorded_options(const Configuration& configuration);

// The format of a record, begun by so many players. Errors as above.
protocol::Result<FormatOptions> recorded_format(const Configuration& configuration,
                                                int players);

using TournamentCommand = std::variant<TournamentOptions, HelpText, UsageError>;

// `arguments`: what stands behind `nim-arena tournament`: a file of options first, if one is
// there, and options that override it. `seed` is taken where none is given.
TournamentCommand parse_tournament_options(const std::vector<std::string>& arguments,
                                           std::uint64_t seed);

// The same for `nim-arena serve`.
TournamentCommand parse_serve_options(const std::vector<std::string>& arguments,
                                      std::uint64_t seed);

}  // namespace arena
