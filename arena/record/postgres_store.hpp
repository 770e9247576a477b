// A tournament in a PostgreSQL database, in its schema nimarena, which any number of processes
// on any number of machines share: see sharing.hpp.
//
// A game is on the server's disk when record() returns (synchronous_commit). All calls outlast
// a restart of the server. A process holds up to three connections.
#pragma once

#include <memory>
#include <string>

#include "arena/record/open_store.hpp"
#include "arena/record/store.hpp"
#include "protocol/result.hpp"

namespace arena {

// Creates the record in an empty database. Fault::BadInput: a record of another version, or a
// role that may not do this. Fault::Disconnected: no server.
protocol::Result<std::unique_ptr<Store>> open_postgres_store(const std::string& address,
                                                             const StoreAccess& access);

}  // namespace arena
