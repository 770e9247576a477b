// The parsed command lines of the commands, and the texts of export and show, also for tests.
// The command lines of tournament and serve are in tournament.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arena/base/option_table.hpp"
#include "arena/check/check.hpp"
#include "arena/game/game_analysis.hpp"
#include "arena/game/game_key.hpp"
#include "arena/game/suite.hpp"
#include "arena/play/tournament_options.hpp"
#include "arena/players/play_options.hpp"
#include "arena/record/sharing.hpp"
#include "arena/record/store.hpp"
#include "arena/web/server.hpp"
#include "engine/rules/catalogue.hpp"
#include "protocol/result.hpp"

namespace engine {
class Analyst;
}

namespace arena {

// ---- check ----

// `seed`: if none is given.
Parsed<CheckOptions> parse_check_options(const Words& words, std::uint64_t seed);

// ---- copy ----

struct Copied {
    std::uint64_t events = 0;
    std::uint64_t players = 0, rounds = 0, games = 0;
};
// The names of both records in errors.
struct CopyNames {
    std::string from, to;
};
// Copies the record into an empty store, exactly. `progress` is called now and then. On an
// error what was copied is left, as a record that nothing opens.
protocol::Result<Copied> copy_record(Store& from, Store& to, const CopyNames& names,
                                     const std::function<void(const Copied&)>& progress);

// ---- export ----

enum class ExportFormat { Pgn, JsonLines, CrossTable, Grades, Starts };

struct ExportOptions {
    std::string record;  // a file
    ExportFormat format = ExportFormat::Pgn;
    std::string output = "-";
};
Parsed<ExportOptions> parse_export_options(const Words& words);

// Passes the record in the format to `write`, piece by piece, until it returns false. Memory:
// one game, and for tables a cell for each pair of players that met. For grades, analyses games
// without an analysis, at most two seconds each.
protocol::Result<void> export_record(Store& store, ExportFormat format,
                                     const engine::Analyst& analyst,
                                     const std::function<bool(const std::string&)>& write);

// ---- match ----

// Reads the named files. `seed`: if none is given.
Parsed<TournamentOptions> parse_match_options(const Words& words, std::uint64_t seed);

// ---- replay ----

struct ReplayOptions {
    std::string record;  // a file
    KeyPrefix game;
    std::optional<int> seat;           // 0 or 1; nullopt: both
    std::vector<std::string> command;  // replaces the recorded player; empty: it does not
    bool timeouts = true;
    bool insecure = false;  // listens beyond loopback
    std::string log;        // a file, or empty
};

Parsed<ReplayOptions> parse_replay_options(const Words& words);

// ---- show ----

struct ShowOptions {
    std::vector<std::string> words;  // the record's file and the game
    KeyPrefix game;
};
Parsed<ShowOptions> parse_show_options(const Words& words);

// The game move by move. `names`: by player number.
std::string show_text(const GameRecord& record, const GameAnalysis& analysis,
                      const std::vector<std::string>& names);

// ---- status ----

struct StatusOptions {
    std::string record;  // a database
    bool json = false;
};

// How far a shared contest is.
struct ContestStatus {
    std::string name;
    std::string format;
    std::size_t players = 0;
    std::optional<std::uint64_t> total;  // games, as far as known
    std::vector<WorkerStatus> workers;
    QueueStatus queue;

    std::uint64_t games() const;
    std::optional<double> seconds_left() const;
};

// The store is shared.
protocol::Result<ContestStatus> read_status(Store& store);
std::string status_text(const ContestStatus& status);
std::string status_json(const ContestStatus& status);

// ---- suite ----

struct SuiteOptions {
    Suite suite;
    std::uint64_t count = 10;
    std::uint64_t seed = 0;
    std::string rulesets;  // a file, or empty
};

// `seed`: if none is given.
Parsed<SuiteOptions> parse_suite_options(const Words& words, std::uint64_t seed);

// ---- token ----

struct TokenOptions {
    std::vector<std::string> words;  // an action and a name
    std::string file;
    std::optional<protocol::Endpoint> server;  // `add` prints an invitation to it
    bool tls = false;
    std::string certificate;  // a PEM file, or empty: whose hash the invitation pins

    const std::string& action() const { return words[0]; }
    const std::string& name() const { return words[1]; }
};

Parsed<TokenOptions> parse_token_options(const Words& words);

// ---- work ----

// Options that the record does not say; the rest is recalled from it.
struct WorkOptions : TournamentOptions {
    std::string players_file;  // or empty
};
Parsed<WorkOptions> parse_work_options(const Words& words);

}  // namespace arena

namespace arena::web {

// ---- web ----

struct WebOptions {
    ServerOptions server;
    PlayOptions play;                  // the bots and their limits
    engine::RulesetNames rulesets;     // of --rulesets
    std::vector<std::string> records;  // files
    std::string page;                  // a folder; empty: the built-in page
    Milliseconds think{2000};          // compute time of one request
};

// `seed`: if none is given.
Parsed<WebOptions> parse_web_options(const Words& words, std::uint64_t seed);

}  // namespace arena::web
