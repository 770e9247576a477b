// Games as rows, and back. For the files of sqlite_store alone.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/record/store.hpp"

namespace arena::sqlite {

class Damage;
class Query;

// Bounds the numbers of a record, so that nothing that is computed from them overflows.
inline constexpr int kMostInKey = 1'000'000'000;

// Reads the next column as a text of which a position can be made; else throws DamagedRow.
class PositionReader {
  public:
    std::shared_ptr<const protocol::Position> read(Query& row);
    // That of the last one, canonical.
    const std::string& text() const { return text_; }

  private:
    std::string text_;  // the last one, which most often comes again
    std::shared_ptr<const protocol::Position> position_;
};

// The next five columns.
PairKey read_key(Query& row);
// The next two columns: two of this many players.
std::array<int, 2> read_players(Query& row, std::size_t players);
// Scoring relies on this: there is a winner exactly if the reason has one.
void check_result(Reason reason, std::optional<int> winner);

// An entrant with the event of its row.
struct Joined {
    std::int64_t event = 0;
    Entrant entrant;
};

// Reads the entrants by number. One that is missing before others is damage, and is filled in,
// so that the others keep their numbers.
class EntrantReader {
  public:
    EntrantReader(SQLite::Database& connection, Damage& damage);

    std::vector<Joined> read();
    // The number that the next entrant would have; less work than read().
    std::int64_t next_number();

  private:
    SQLite::Statement all_, last_;
    Damage& damage_;
};

// Writes games inside a transaction of its owner.
class GameWriter {
  public:
    explicit GameWriter(SQLite::Database& connection);

    bool has(std::int64_t pair, int leg);
    void write(const GameRecord& record, std::int64_t pair, std::uint64_t event);
    // The transaction was rolled back: what it wrote is not there.
    void forget() { builds_.clear(); }

  private:
    std::optional<std::int64_t> build_id(const PlayerBuild* build);
    void write_fault(const GameRecord& record, std::uint64_t event);
    void write_strikes(const GameRecord& record, std::uint64_t event);

    SQLite::Statement find_, add_, add_fault_, add_strike_, add_build_, find_build_;
    std::map<PlayerBuild, std::int64_t> builds_;
};

// Reads games, in the schedule's order. One that is damaged is as one that is not there.
class GameRows {
  public:
    GameRows(SQLite::Database& connection, Damage& damage);

    std::optional<StoredGame> game(const GameKey& key);
    void for_each(const std::function<bool(const StoredGame&)>& visit);

  private:
    std::optional<StoredGame> read(Query& row);
    void read_game(Query& row, StoredGame& game);
    void read_moves(Query& row, GameRecord& record);
    void read_fault(Query& row, GameRecord& record);
    void read_strikes(GameRecord& record, std::int64_t event);
    std::shared_ptr<const PlayerBuild> build(std::optional<std::int64_t> id);
    std::array<int, 2> players(Query& row);

    SQLite::Statement one_, all_, strikes_, build_;
    std::map<std::int64_t, std::shared_ptr<const PlayerBuild>> builds_;
    PositionReader positions_;
    EntrantReader entrants_;
    std::size_t known_players_ = 0;
    std::int64_t next_number_ = -1;  // when they were counted
    Damage& damage_;
};

}  // namespace arena::sqlite
