// An SQLite file that may be a stranger's: nothing in it or beside it runs, and what is done
// with it ends. For the files of sqlite_store alone.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "engine/base/budget.hpp"
#include "protocol/result.hpp"

namespace arena::sqlite {

// The longest text that is read or written: ten million short moves.
inline constexpr int kMostText = 64 << 20;

// The path of a record without links in it.
std::string resolved(const std::string& record);

// Refuses what is no file, or has files beside it that SQLite would obey: a rollback journal,
// or links in place of its log.
protocol::Result<void> check_files(const std::string& record);

// A connection to a file. Until allow_work(), it does as much work as a record's schema needs.
class BoundedDatabase : public SQLite::Database {
  public:
    // `name`: the resolved path, or a URI of it. `budget`: after it, each call is interrupted.
    BoundedDatabase(const std::string& path, const std::string& name, int flags,
                    const engine::Budget& budget);
    ~BoundedDatabase();
    BoundedDatabase(BoundedDatabase&&) = delete;
    BoundedDatabase& operator=(BoundedDatabase&&) = delete;

    // From now on it does as much as an undamaged file of this size needs, and `besides`: steps
    // of SQLite's virtual machine. More throws SQLite::Exception with SQLITE_INTERRUPT.
    void allow_work(std::uint64_t besides);
    // Whether the budget is spent.
    bool is_stopped() const { return budget_.is_spent(); }
    // Counts the work from 0 again.
    void restart();

  private:
    void harden();
    void check_every(int steps);
    bool is_too_much();

    const std::string path_;
    const engine::Budget budget_;
    int steps_a_check_ = 0;
    std::uint64_t steps_ = 0;    // of the virtual machine
    std::uint64_t besides_ = 0;  // 0: the schema is not known yet
    std::uint64_t most_ = 0;
    // Interrupts what does not count as a step, such as the check of all pages.
    std::stop_callback<std::function<void()>> on_stop_;
};

}  // namespace arena::sqlite
