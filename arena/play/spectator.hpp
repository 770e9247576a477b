// What watches running games: the pages of `--web`, or a terminal. A contest or a server calls
// it at each event, and calls are cheap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/contest/bracket.hpp"
#include "arena/contest/results.hpp"
#include "arena/game/game_record.hpp"
#include "protocol/position.hpp"
#include "protocol/result.hpp"

namespace arena {

struct PlayOptions;

// A game after a move, or at its start. What it refers to lives as long as the call.
struct GameNow {
    std::size_t ply = 0;  // moves played
    const protocol::Position& position;
    const std::string& move;                          // the last one; empty at the start
    std::array<std::optional<Milliseconds>, 2> left;  // time of each seat for what comes next
};

// The spectator of one game, called by its slot. Destroyed before over(): the game was dropped.
class GameView {
  public:
    virtual ~GameView() = default;
    virtual void moved(const GameNow& now) = 0;
    virtual void over(const GameNow& now, const GameRecord& record) = 0;
};

// Progress and standings of a contest.
struct ContestProgress {
    std::uint64_t games = 0;
    std::optional<std::uint64_t> total;  // none: not known
    double rate = 0;                     // games a second
    std::uint64_t faults = 0;
    std::optional<double> seconds_left;
    std::optional<int> round;  // the first with games to play; else the last one planned
};

// Functions that are called, from any thread, while there are watchers.
struct ContestSource {
    std::function<ContestProgress()> progress;
    std::function<std::vector<Standing>()> standings;
    // By player; nothing where no name has changed since the last call.
    std::function<std::optional<std::vector<std::string>>()> names;
    // The processes that play, see workers_json(); empty or unset: this one alone.
    std::function<std::string()> workers = {};
    std::function<Bracket()> bracket = {};  // of a knockout; empty or unset: there is none
};

struct ContestInfo {
    std::string name;    // empty: none was given
    std::string format;  // "match", "swiss", …
    std::uint64_t seed = 0;
    int at_once = 1;  // games
};

// Safe to use from any thread.
class Spectator {
  public:
    virtual ~Spectator() = default;

    // The address of the page; empty: there is none.
    virtual std::string url() const { return {}; }
    virtual bool is_watched() const { return false; }
    // The contest begins. What `source` refers to lives until over().
    virtual void begin(const ContestInfo& info, ContestSource source) = 0;
    // A player, before the contest begins.
    virtual void player(int, const std::string& /*name*/) {}
    // A player of a server has connected, or disconnected.
    virtual void present(int /*player*/, bool) {}
    // A player has failed to start, and loses its games.
    virtual void out(int /*player*/) {}

    // A game is about to be played.
    virtual std::unique_ptr<GameView> begin_game(const GameTask& task, const GameNow& now) = 0;
    // A game counts.
    virtual void finished(const GameRecord&) {}

    // No more games are played; the source is not called any more. The final standings.
    virtual void over(const ContestProgress&, const std::vector<Standing>&) {}
};

// Starts a spectator where the options ask for one; else null. `record`: a file, or empty.
using OpenSpectator = std::function<protocol::Result<std::unique_ptr<Spectator>>(
    const PlayOptions& options, const std::string& record)>;

// Writes each game of a match to `file`, position by position. One is played at a time.
std::unique_ptr<Spectator> watch_on_terminal(std::FILE* file);

}  // namespace arena
