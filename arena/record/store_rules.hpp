// The checks of every backend before it stores something, so that all refuse the same input,
// and of what it reads back.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arena/record/store.hpp"
#include "protocol/result.hpp"

namespace arena {

// The error for another configuration, line by line.
protocol::Error other_configuration(const Configuration& recorded, const Configuration& now);

// Whether these players could join after the present ones.
protocol::Result<void> check_join(const std::vector<Entrant>& present,
                                  const std::vector<Entrant>& joining);
protocol::Result<void> check_rename(const std::vector<Entrant>& present,
                                    const std::vector<std::pair<int, std::string>>& names);

// Whether the plan is valid for this many players.
protocol::Result<void> check_plan(const RoundPlan& plan, std::size_t entrants);
// Whether it is the stored plan, with the same pairs and byes.
protocol::Result<void> check_same_plan(const RoundPlan& recorded, const RoundPlan& now);

// Whether it is a game of this pair.
protocol::Result<void> check_game(const GameRecord& record, const PlannedPair& pair);
protocol::Error not_planned(const GameKey& key);
protocol::Error not_recorded(const GameKey& key);
// Another process plans this shared store; as Fault::TimedOut.
protocol::Error not_the_planner();

// The players by seat in a leg.
std::array<int, 2> players_of(const PlannedPair& pair, int leg);

// Thrown where a row cannot be one that this program has written; `text` says why.
struct DamagedRow {
    std::string text;
};
inline constexpr std::int64_t kMostMicroseconds = 10'000'000'000'000;  // 115 days
// The system's clock counts nanoseconds, up to the year 2262.
inline constexpr std::int64_t kLatestMicroseconds = 9'214'646'400'000'000;
// The reason of this name; else throws DamagedRow.
Reason recorded_reason(const std::string& name);

// The value, if it is one of these; else throws DamagedRow.
std::int64_t checked_number(std::int64_t value, std::int64_t least, std::int64_t most,
                            std::string_view what);
// Adds a strike of a seat that was read; throws DamagedRow if it is not later than the last
// one, as strikes are found by a binary search.
void add_read_strike(std::vector<Strike>& strikes, Strike strike);
// The times of all_times() from their packed form; else throws DamagedRow.
std::vector<Microseconds> read_times(const std::optional<std::string>& bytes,
                                     std::size_t moves);
// Scoring relies on this: there is a winner exactly if the reason has one.
void check_result(Reason reason, std::optional<int> winner);

// Numbers of players, of which there are so many; else throws DamagedRow.
std::vector<int> read_byes(const std::string& text, std::size_t players);

// How lines of damage name a round.
std::string name_of(const RoundPlan& plan);

// Makes the position of a text; throws DamagedRow if there is none, or if its canonical text is
// another. Pairs from the same position share it.
class PositionReader {
  public:
    StartPosition read(const std::string& text);

  private:
    std::unordered_map<std::string_view, StartPosition> known_;  // by their own texts
    std::size_t bytes_ = 0;                                      // of these texts
};

// Each line is made printable by itself, so that lines stay lines.
std::string lines_fit_to_store(std::string_view text);
// The record with texts from players made printable; stderr keeps its lines.
// Idempotent.
void make_fit_to_store(GameRecord& record);

}  // namespace arena
