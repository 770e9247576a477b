// The tables and functions of a record in a PostgreSQL database, and their versions. For the
// files of postgres_store alone.
#pragma once

#include <string>

#include "arena/record/postgres_connection.hpp"
#include "protocol/result.hpp"

namespace arena::postgres {

// The statements that each new connection begins with.
std::string session_settings(bool read_only);

// Checks the version of the record in the database; unless `read_only`, creates it or brings it
// up to date. `shown`: the database's name in errors. Throws Failure.
protocol::Result<void> prepare_schema(Connection& connection, const std::string& shown,
                                      bool read_only);

}  // namespace arena::postgres
