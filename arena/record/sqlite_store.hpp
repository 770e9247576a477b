// A tournament in an SQLite file.
//
// One process plays into it at a time, ensured by the lock FILE-lock. Which pairs have been
// claimed is known to that process alone, so that after its end, however it came, the next
// process gets all pairs that were not played. Other processes may read at the same time. A
// game is on disk when record() returns, also after a power cut (synchronous=FULL).
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
