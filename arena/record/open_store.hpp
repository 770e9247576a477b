// The one place that chooses a backend by what --record says.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "arena/record/store.hpp"
#include "engine/base/budget.hpp"
#include "protocol/result.hpp"

namespace arena {

struct StoreAccess {
    bool read_only = false;   // else a record that is not there is created
    engine::Budget budget{};  // of all readings of a file; Fault::TimedOut after it
    // For a database:
    std::chrono::milliseconds lease{30'000};  // of claimed pairs
    std::chrono::milliseconds away{300'000};  // how long a lost database is awaited
};

// Opens `postgresql://…` (or `postgres://…`) or the file of this name.
protocol::Result<std::unique_ptr<Store>> open_store(const std::string& record,
                                                    const StoreAccess& access = {});

// A tournament in an SQLite file, which is created if there is none; `read_only` forbids that
// and every other change. Fault::BadInput: not a record, a record of another version, another
// process plays into it, or the folder is not writable. Fault::Disconnected: a full disk, or
// damage. Fault::TimedOut: the budget was spent; later calls return it too.
protocol::Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path,
                                                           bool read_only = false,
                                                           const engine::Budget& budget = {});

// A tournament in a PostgreSQL database, in its schema nimarena, which any number of processes
// on any number of machines share: see sharing.hpp. Creates it in an empty database.
// Fault::BadInput: a record of another version, or a role that may not do this. Fault::Failed:
// no record, and it may not be created. Fault::Disconnected: no server.
protocol::Result<std::unique_ptr<Store>> open_postgres_store(const std::string& address,
                                                             const StoreAccess& access);

// A tournament in memory, for contests without a record. With Keep::Nothing a pair is forgotten
// once both its games are recorded, and an event once later ones are asked for, so that memory
// does not grow with the games; and there are no games to read.
enum class Keep { Games, Nothing };
std::unique_ptr<Store> make_memory_store(Keep keep = Keep::Games);

// Whether the text names a database: it has no files.
bool is_database(const std::string& record);
// The record's name as shown: that of a file, or a database without its password.
std::string shown_record(const std::string& record);
// Refuses a database's name with a password in it, which others could read in the list of
// processes.
protocol::Result<void> check_record_name(const std::string& record);
// The files where libpq looks for what opens a database: its password, the key of a
// certificate. They need not exist. For a record that is a file, none.
std::vector<std::string> secret_files(const std::string& record);
// The value of an option that names a record, checked.
protocol::Result<std::string> parse_record_name(const std::string& value);
// A text that changes whenever the database does; empty where it cannot be read.
std::string database_version(const std::string& record);

}  // namespace arena
