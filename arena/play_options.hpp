// The options that match and tournament share: players, positions, clocks, threads.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/command_line.hpp"
#include "arena/player_spec.hpp"
#include "arena/referee.hpp"
#include "protocol/position.hpp"

namespace arena {

enum class AffinityMode { Default, On, Off, List };

// What becomes of a player's fault in a game that has begun: the arena plays a random legal
// move instead, up to the fault that loses.
struct FaultPolicy {
    static constexpr int kNever = std::numeric_limits<int>::max();
    int losing_strike = 1;  // the how many'th fault of a game loses it; 1: forfeit
    Milliseconds grace{
        2000};  // how long a late reply is awaited before the player is restarted
};

// --sandbox bwrap, and what it has for each player.
struct SandboxOptions {
    bool on = false;
    std::uint64_t memory = std::uint64_t{1} << 30;  // bytes
    int processes = 128;                            // threads count
    std::uint64_t disk = std::uint64_t{64} << 20;   // bytes, of each of /tmp and /dev/shm
};
// As the record of a tournament has it: "none", "bwrap memory=1G processes=128 disk=64M".
std::string to_string(const SandboxOptions& options);
protocol::Result<SandboxOptions> parse_recorded_sandbox(std::string_view text);

// Auto: on a terminal, unless NO_COLOR is set (no-color.org).
enum class ColorMode { Auto, Always, Never };

struct PlayOptions {
    std::vector<PlayerSpec> players;            // in the order of the command line
    std::vector<protocol::Position> positions;  // given ones, names expanded, each checked
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
    FaultPolicy faults;
    EnvironmentMode environment = EnvironmentMode::Inherit;  // of players that say nothing else
    bool environment_given = false;
    SandboxOptions sandbox;
    std::string run_as;      // a user's name, or empty
    bool untrusted = false;  // the players are not to be trusted
    bool insecure = false;   // listens beyond loopback, and asks nobody who it is
    std::string log;         // a file, or empty
    ColorMode color = ColorMode::Auto;
    bool quiet = false;
    bool strict = false;
};

// What a player is judged by: its own clock, else the common one. A person has all day, unless
// a time was given.
TimeControl clock_of(const PlayOptions& options, std::size_t player);

// ---- for the commands that read them ----

// The options as they come, before they are looked at together.
struct PlayDraft {
    std::vector<GivenPosition> positions;
    std::string rulesets;
    bool sizes_sandbox = false;
};

// A row says all there is to know about an option of a command.
template <typename Options, typename Draft>
struct OptionRow {
    OptionText text;
    protocol::Result<void> (*set)(Options& options, Draft& draft, const std::string& value);
};
using PlayOptionRow = OptionRow<PlayOptions, PlayDraft>;
std::span<const PlayOptionRow> play_option_rows();

// The rows of `own` and those that are shared, group by group.
std::vector<OptionText> option_texts(std::span<const OptionText> own);

// A player that was given by itself, and not by --player.
protocol::Result<void> take_player(PlayOptions& options, const std::string& text);
// Sets a shared option. False: it is none.
protocol::Result<bool> take_play_option(PlayOptions& options, PlayDraft& draft,
                                        const Argument& argument);
// Looks at all together: names that differ, positions that the rules know.
protocol::Result<void> finish_play_options(PlayOptions& options, const PlayDraft& draft);

// Positions from a file, one a line; # starts a comment.
protocol::Result<std::vector<GivenPosition>> read_positions(const std::string& path);
// A whole file, of 256 MiB at most.
protocol::Result<std::string> read_file(const std::string& path);

// What players there are but people, and the keys of --player, for the help of each command.
extern const std::string_view kPlayerKinds;
extern const std::string_view kPlayerKeys;

}  // namespace arena
