// What happens in a tournament, for a program to read: JSON Lines, as it happens.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arena/background_file.hpp"
#include "arena/formats/format.hpp"
#include "arena/game_record.hpp"
#include "arena/record.hpp"

namespace arena {

// The version of these lines, in the first of them. Keys may be added without a new one.
inline constexpr int kEventVersion = 1;

// A row of the standings as they are told.
struct EventStanding {
    int rank = 0;
    int player = 0;
    std::string name;
    double points = 0;
    std::int64_t games = 0;
};

// Safe to use from several threads, and keeps none waiting. Without a file it does nothing.
class EventLog {
  public:
    // Before any other call. "-" is standard output.
    protocol::Result<void> open(const std::string& path);

    bool on() const { return file_ != nullptr; }

    void tournament(const std::string& name, const std::string& format,
                    const std::vector<std::string>& players, std::uint64_t seed);
    // What a player is called: its handshake has told, or it has joined late.
    void named(int player, const std::string& name);
    // A player that does not start is out.
    void out(int player);
    void round(const RoundPlan& plan);
    void move(const GameTask& task, std::size_t ply, const std::string& move,
              Microseconds used);
    // A game that has been recorded, and a line of its own for a fault that ended it.
    void game(const GameRecord& record, const std::vector<std::string>& names,
              std::uint64_t seed);
    void standings(const std::vector<EventStanding>& rows);

    // The first failure to write, if there was one.
    protocol::Result<void> state() const;
    // The same once all is written; a reader that takes nothing for so long is one.
    protocol::Result<void> finish(std::chrono::milliseconds patience);

  private:
    void write(const std::string& line);

    std::unique_ptr<BackgroundFile> file_;
};

}  // namespace arena
