// A tournament in an SQLite file.
//
// One process plays into it at a time, which a lock beside it (FILE-lock) sees to; which pairs
// it has been given is kept in its memory, so that however it ends, the next one is given those
// that were not played. Others read beside it. A game is on disk when record() returns, also
// after a power cut (synchronous=FULL).
#pragma once

#include <memory>
#include <string>

#include "arena/record/store.hpp"
#include "protocol/result.hpp"

namespace arena {

// Creates the file if there is none; `read_only` forbids that and every other change.
// Fault::BadInput: not a record, a record of another version, another process plays into it, or
// the folder is not writable. Fault::Disconnected: a full disk.
protocol::Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path,
                                                           bool read_only = false);

}  // namespace arena
