// Games as JSON for the function record(), and back from rows. For the files of postgres_store
// alone.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/record/postgres_connection.hpp"
#include "arena/record/store.hpp"

namespace arena::postgres {

// The columns of a game as the JSON object that record() takes, without those that are 0, empty
// or NULL; fit to be stored, its builds by number.
std::string columns_json(const GameRecord& record,
                         const std::array<std::optional<int>, 2>& builds);

// The columns of a key, and of a pair after it: players and position.
inline constexpr std::string_view kKeyColumns =
    "p.stage, p.round, p.pairing, p.position_number, p.attempt";
inline constexpr std::string_view kPairColumns =
    "p.stage, p.round, p.pairing, p.position_number, p.attempt, p.player1, p.player2, "
    "p.position";
PairKey read_key(RowReader& row);
PlannedPair read_pair(RowReader& row);
// A key's columns as values of a statement.
std::vector<std::string> key_values(const PairKey& key);

// Reads rows of the statement select_games().
class GameRows {
  public:
    // With `condition`, and in the order of the schedule.
    static std::string select_games(std::string_view condition);
    // Throws DamagedRow.
    StoredGame read(const Rows& rows, std::size_t row, Connection& connection);

  private:
    std::shared_ptr<const PlayerBuild> build(std::optional<std::int64_t> id,
                                             Connection& connection);

    std::map<std::int64_t, std::shared_ptr<const PlayerBuild>> builds_;
    std::string position_text_;  // the last one, which most often comes again
    std::shared_ptr<const protocol::Position> position_;
};

GameResult read_result(RowReader& row, const PlannedPair& pair);

}  // namespace arena::postgres
