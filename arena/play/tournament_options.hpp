// The checked options of a tournament, with defaults filled in.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/base/configuration.hpp"
#include "arena/contest/format.hpp"
#include "arena/game/suite.hpp"
#include "arena/players/lobby_options.hpp"
#include "arena/players/play_options.hpp"

namespace arena {

struct Examiner;

// A match is a tournament of the format `match`.
struct TournamentOptions : PlayOptions {
    std::string name;  // name of the event, for exports; may be empty
    FormatOptions format;
    std::string suite_text;        // as it was given; empty: none
    std::optional<Suite> suite;    // else positions are given, or random nim
    std::string record;            // a file, or empty: nothing is kept
    std::string events;            // a file of JSON Lines, "-", or empty
    std::string jsonl;             // a file for the games alone, "-", or empty
    std::string report;            // a folder for pages, written at the end; empty: none
    Milliseconds analysis{60000};  // of games, at the end; 0: none
    std::string sprt;              // the texts of --sprt and --sprt-error; empty: no such test
    std::string sprt_error;
    std::uint64_t max_games = 0;  // 0: as many as the format has
    // A match of one person that nothing is kept of: it is asked before each further game, may
    // take moves back, and there are no statistics.
    bool for_fun = false;
    bool games_given = false;  // else those of a record go on
    bool watch = false;        // each position is drawn, of one game at a time
    bool keep_going = false;   // although a player does not start
    // For bots that are found in their folders: rules for languages, as they were given (none:
    // the built-in ones), and where they are built.
    std::vector<std::string> languages;
    std::string builds = "builds";

    // A record that several processes share.
    Milliseconds lease{30'000};  // of pairs that are claimed
    Milliseconds away{300'000};  // how long a lost database is awaited
    bool can_plan = true;        // all that planning needs is known here
    bool is_worker = false;      // `nim-arena work`: plays for a contest that others look at
    Milliseconds idle{0};        // it ends where it finds nothing to play for so long; 0: never
    bool scale_time = false;     // clocks follow the speed of the machine
    int worker = 0;              // its number, once it has enlisted

    // `nim-arena serve`: after the `own_players` of the server, as many places for bots that
    // dial in as possible.
    std::optional<LobbyOptions> lobby;
    std::size_t own_players = 0;
    std::size_t await = 2;       // it starts when this many are connected
    Milliseconds drain{30'000};  // for games to end after a signal

    // A clinic.
    std::size_t visits = 60;  // the most of a player in an hour
    std::string family_text = "nim;heaps=1..4;size=0..7";
    std::shared_ptr<const Examiner> examiner;  // of a clinic, set

    // The options that make the contest what it is: the same record takes no others.
    Configuration configuration;

    // All randomness. A resumed record keeps its own.
    Seeds seeds() const { return Seeds(seed); }
    bool is_match() const { return format.kind == FormatKind::Match; }
    bool has_test() const { return !sprt.empty() || !sprt_error.empty(); }
    // A match of millions of games takes no more memory than one of two, unless something is to
    // be read of its games in the end.
    bool keeps_games() const {
        return !is_match() || !record.empty() || !report.empty() || !sprt_error.empty();
    }
};

}  // namespace arena
