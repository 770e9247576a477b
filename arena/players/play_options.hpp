// How games are played: the options that match, tournament, serve and web share.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "arena/base/console.hpp"
#include "arena/game/given_position.hpp"
#include "arena/game/referee.hpp"
#include "arena/players/player_spec.hpp"
#include "arena/process/sandbox.hpp"
#include "protocol/endpoint.hpp"
#include "protocol/position.hpp"

namespace arena {

enum class AffinityMode { Default, On, Off, List };

// The effect of a player's fault in a game that has begun: the arena plays a random legal move
// instead, up to the fault that loses.
struct FaultPolicy {
    static constexpr int kNever = std::numeric_limits<int>::max();
    int losing_strike = 1;  // the Nth fault of a game loses it; 1: forfeit
    Milliseconds grace{
        2000};  // how long a late reply is awaited before the player is restarted
    bool off_turn_loses = false;  // CPU time used off turn, see off_turn_verdict()
};

// --web: where this can be watched.
struct WatchOptions {
    std::optional<protocol::Endpoint> listen;
    std::string certificate;  // PEM files; empty: no TLS
    std::string key;
    std::vector<std::string> hosts;  // names that browsers may know it by, besides its address
    std::string clinic;  // the tokens of a clinic, whose record is shown to their owners alone
};

struct PlayOptions {
    std::vector<PlayerSpec> players;  // in the order of the command line
    std::vector<GivenPosition> given_positions;
    std::string rulesets;                       // a file of names that may stand in them
    std::vector<protocol::Position> positions;  // given ones, names expanded, each checked
    TimeControl clock;
    bool clock_given = false;  // by --movetime or --tc
    bool hang_given = false;
    Milliseconds startup{10000};
    Milliseconds dial_in{300000};  // for a listen:// player; replaced by a given start-up time
    std::optional<int> concurrency;  // default: see worker.hpp
    std::uint64_t seed = 0;          // given, or drawn and printed
    bool seed_given = false;
    std::size_t max_plies = 10000;
    AffinityMode affinity = AffinityMode::Default;
    std::vector<int> cores;  // AffinityMode::List: ascending
    FaultPolicy faults;
    EnvironmentMode environment = EnvironmentMode::Inherit;  // of players without env=
    SandboxOptions sandbox;
    std::string run_as;      // a user's name, or empty
    bool untrusted = false;  // the players are not to be trusted
    bool fair = false;       // a Command runs only in its turn, as in the sandbox
    bool insecure = false;   // listens beyond loopback, without authentication
    std::string log;         // a file, or empty
    WatchOptions web;
    ColorMode color = ColorMode::Auto;
    bool quiet = false;
    bool strict = false;
};

// A player's time control: its own, else the common one. A person has no limit, unless a time
// was given.
TimeControl clock_of(const PlayOptions& options, std::size_t player);

}  // namespace arena
