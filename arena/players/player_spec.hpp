// A player as the command line names it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/base/shell_words.hpp"
#include "arena/game/game_record.hpp"
#include "arena/process/executables.hpp"
#include "protocol/endpoint.hpp"
#include "protocol/result.hpp"

namespace arena {

// Token: a bot that dials in at `nim-arena serve` and is identified by its token.
enum class PlayerKind { Command, TcpConnect, TcpListen, Token, Builtin, Human };
enum class LegalMoves { Auto, On, Off };
// The environment of a player's process: the arena's, or only PATH and LANG, with a directory
// of its own for HOME and TMPDIR.
enum class EnvironmentMode { Inherit, Clean };
inline const std::vector<std::pair<std::string, EnvironmentMode>> kEnvironmentModes{
    {"inherit", EnvironmentMode::Inherit}, {"clean", EnvironmentMode::Clean}};

// A player's own time control, if it differs from the common one.
struct PlayerClock {
    std::optional<Milliseconds> movetime;  // 0: no limit
    std::optional<Milliseconds> base;      // excludes movetime
    Milliseconds increment{0};
    std::optional<std::uint64_t> nodes;  // of its search; sent, and not judged
    std::optional<Milliseconds> margin;
    Milliseconds lag{0};  // credit for the network, on top of the margin

    bool has_time() const { return movetime || base || nodes; }
};

// A player; a Program where it is of the kind Command.
struct PlayerSpec : Program {
    PlayerKind kind = PlayerKind::Command;
    protocol::Endpoint endpoint;  // TcpConnect, TcpListen
    bool tls = false;             // TcpConnect: tls://
    std::string ca;               // tls: a PEM file of trusted signers; empty: the system's
    std::string builtin;          // Builtin: "perfect", "random", "greedy", "eps"
    double error_rate = 0;        // "eps": 0..1, its rate of mistakes
    bool name_given = false;      // else `id name` of the handshake replaces it
    std::string found_in;   // the folder, as given, where its command was found; empty: given
    std::string not_built;  // why nothing has been found there; such a player does not start

    std::vector<std::pair<std::string, std::string>> options;  // option.NAME=VALUE, in order
    std::vector<std::pair<std::string, std::string>> environment;  // env.NAME=VALUE
    std::optional<EnvironmentMode> environment_mode;  // env=; nullopt: the common one
    std::optional<std::uint64_t> data_limit;          // data=: bytes; 0: unlimited
    LegalMoves legal_moves = LegalMoves::Auto;
    bool history = true;
    int threads = 1;       // > 1: not pinned to a core
    bool restart = false;  // a new process for every game
    PlayerClock clock;
    int instances = 0;  // limit of concurrent instances; 0: none
};

// A positional player: COMMAND (split as a shell splits words; no shell is run),
// tcp://HOST:PORT, listen://HOST:PORT, builtin:NAME, human.
protocol::Result<PlayerSpec> parse_player(std::string_view text);

// The value of --player: 'cmd="python3 bot.py --fast" name=Ann option.Seed=7 …', where cmd=
// takes whatever a positional player can be. An unknown key is an error with a suggestion.
protocol::Result<PlayerSpec> parse_player_keys(std::string_view text);

// The command of a player whose bot is found later, in its directory or archive.
inline constexpr std::string_view kFoundLater = "found-in-its-folder";
bool is_found_later(const PlayerSpec& player);

// The same, but dir= may be a pattern such as "submissions/*": a player for each directory that
// matches, in the order of their names, named after it unless name= is given. For bots that are
// found later, also one for each archive beside which there is no directory of its name.
protocol::Result<std::vector<PlayerSpec>> parse_players(std::string_view text);

bool is_pattern_of_folders(std::string_view text);

// The player in the syntax of --player, without its name, as records keep it. Besides, found=
// is the folder of a bot whose command was found; without cmd= none had been.
std::string to_string(const PlayerSpec& spec);

// What a record knows a player by when it is resumed: its text; that of a bot which was found
// in a folder has neither the command nor the place where it was built, which may change.
std::string identity_of(const PlayerSpec& spec);
// The same of a text that to_string() has made.
std::string identity_of(const std::string& recorded);

// The value of its option.Seed, if given: the seed of all its games.
std::optional<std::uint64_t> own_seed(const PlayerSpec& spec);

// A printable name, short enough for a table: of up to 40 columns, and "…" where it was cut.
std::string shown_name(std::string_view name);

// Makes names distinct: "bot", "bot" become "bot", "bot (2)". Those that are `given`, if any
// are said to be, keep theirs before others.
void make_names_distinct(std::vector<std::string>& names, const std::vector<bool>& given = {});

}  // namespace arena
