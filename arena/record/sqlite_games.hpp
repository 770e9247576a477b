// Games as rows, and back. For the files of sqlite_store alone.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "arena/record/store.hpp"

namespace arena::sqlite {

class Query;

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

// Reads games, in the schedule's order.
class GameReader {
  public:
    explicit GameReader(SQLite::Database& connection);

    std::optional<StoredGame> game(const GameKey& key);
    void for_each(const std::function<bool(const StoredGame&)>& visit);

  private:
    StoredGame read(Query& row);
    void read_strikes(GameRecord& record, std::int64_t event);
    std::shared_ptr<const PlayerBuild> build(std::optional<std::int64_t> id);
    std::shared_ptr<const protocol::Position> position(std::string text);

    SQLite::Statement one_, all_, strikes_, build_;
    std::map<std::int64_t, std::shared_ptr<const PlayerBuild>> builds_;
    std::string position_text_;  // the last one, which most often comes again
    std::shared_ptr<const protocol::Position> position_;
};

}  // namespace arena::sqlite
