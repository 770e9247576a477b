// A tournament in an SQLite file.
//
// One process plays into it at a time, which a lock beside it (FILE-lock) sees to; however that
// process ends, its leases end with it, since they are kept in its memory. Others read beside
// it. A game is on disk when record() returns, also after a power cut (synchronous=FULL).
#pragma once

#include <memory>
#include <string>

#include "arena/store/leases.hpp"
#include "arena/store/store.hpp"
#include "protocol/result.hpp"

namespace arena {

// Creates the file where there is none; `read_only` refuses that, and everything that would
// change the file. Fault::BadInput: no record, one of another version of Nimarena, another
// process plays into it, a folder that may not be written to. Fault::Disconnected: a full disk.
protocol::Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path,
                                                           bool read_only = false,
                                                           Now now = Clock::now);

}  // namespace arena
