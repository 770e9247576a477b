// The JSON line of a game, written when the game ends.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "arena/game/game_record.hpp"
#include "protocol/result.hpp"

namespace arena {

// The object that arena/doc/record.md describes, without the line end. `names` by player
// number; `seed` is that of the match or tournament. A game is named by its number in a match
// if that is known, unless ByKey.
enum class NamedGame { ByNumber, ByKey };
std::string json_line(const GameRecord& record, const std::vector<std::string>& names,
                      std::uint64_t seed, NamedGame named = NamedGame::ByNumber);

// A file of lines. Each line is written completely or not at all: it is one write, and nothing
// is written after a failed write. Thread-safe.
class LineFile {
  public:
    // Creates or empties the file; "-" is standard output.
    static protocol::Result<std::unique_ptr<LineFile>> open(const std::string& path);
    ~LineFile();
    LineFile(const LineFile&) = delete;
    LineFile& operator=(const LineFile&) = delete;

    // Writes the line and its end. After a failure, every call returns its error.
    protocol::Result<void> write(std::string line);

  private:
    LineFile(int descriptor, std::string shown) : descriptor_(descriptor), shown_(shown) {}

    int descriptor_;
    std::string shown_;  // how errors call it
    std::mutex mutex_;
    protocol::Result<void> state_;
};

}  // namespace arena
