// The record: one JSON object a game, on a line of its own, written as the game ends.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "arena/game_record.hpp"
#include "protocol/result.hpp"

namespace arena {

// The object as arena/README.md describes it, without the line end. `names` go by player
// number; `seed` is the match's or the tournament's.
std::string json_line(const GameRecord& record, const std::vector<std::string>& names,
                      std::uint64_t seed);

// "SIGSEGV"; "signal 99" for a number without a name.
std::string signal_name(int signal);

// Writes all of it, however long that takes. Gives errno, or 0.
int write_all(int descriptor, std::string_view bytes);

// A file of lines. Each line is whole or not there: it is one write, and after a write that
// failed nothing is written any more. Safe to use from several threads.
class LineFile {
  public:
    // Creates or empties the file; "-" is standard output.
    static protocol::Result<std::unique_ptr<LineFile>> open(const std::string& path);
    ~LineFile();
    LineFile(const LineFile&) = delete;
    LineFile& operator=(const LineFile&) = delete;

    // Writes the line and its end. The error of the first failure is given again ever after.
    protocol::Result<void> write(std::string line);

  private:
    LineFile(int descriptor, std::string shown) : descriptor_(descriptor), shown_(shown) {}

    int descriptor_;
    std::string shown_;  // how errors call it
    std::mutex mutex_;
    protocol::Result<void> state_;
};

}  // namespace arena
