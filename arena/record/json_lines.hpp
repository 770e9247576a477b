// Games and the events of a tournament as JSON Lines, for programs.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arena/base/background_file.hpp"
#include "arena/contest/format.hpp"
#include "arena/contest/results.hpp"
#include "arena/game/game_record.hpp"

namespace boost::json {
class object;
}

namespace arena {

// The object that arena/doc/record.md describes, without the line end. `names` by player
// number; `seed` is that of the match or tournament. A game is named by its number in a match
// if that is known, unless ByKey.
enum class NamedGame { ByNumber, ByKey };
std::string json_line(const GameRecord& record, const std::vector<std::string>& names,
                      std::uint64_t seed, NamedGame named = NamedGame::ByNumber);

// The line that stands for this many games, which a reader was too slow for.
std::string left_out_line(std::uint64_t games);

// The version of these lines, in the first one. Adding keys does not change it.
inline constexpr int kEventVersion = 1;

// Thread-safe; never blocks. Without a file it does nothing.
class EventLog {
  public:
    // Before any other call. "-" is standard output.
    protocol::Result<void> open(const std::string& path);

    bool on() const { return file_ != nullptr; }

    void tournament(const std::string& name, const std::string& format,
                    const std::vector<std::string>& players, std::uint64_t seed);
    // The name of a player: from its handshake, or because it joined late.
    void named(int player, const std::string& name);
    // A player that does not start is disqualified.
    void out(int player);
    // A player does not start, and so no game is played.
    void not_started(int player, const Cause& cause);
    // The most memory that the processes of a player have held, where that has grown.
    void memory(int player, std::uint64_t bytes);
    void round(const RoundPlan& plan);
    void move(const GameTask& task, std::size_t ply, const std::string& move,
              Microseconds used);
    // A game that has been recorded, and a line of its own for a fault that ended it.
    void game(const GameRecord& record, const std::vector<std::string>& names,
              std::uint64_t seed);
    void standings(const std::vector<Standing>& rows, const std::vector<std::string>& names);

    // The first failure to write, if there was one.
    protocol::Result<void> state() const;
    // The same, after writing everything, as BackgroundFile does.
    protocol::Result<void> finish(std::stop_token interrupted);

  private:
    void write(const boost::json::object& event);
    void write_line(const std::string& line);

    std::unique_ptr<BackgroundFile> file_;
};

}  // namespace arena
