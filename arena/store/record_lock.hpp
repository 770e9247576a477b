// One process plays into a record at a time. A process that dies, however it does, loses the
// lock, so that the next one may begin at once.
#pragma once

#include <string>
#include <utility>

#include "protocol/result.hpp"

namespace arena {

class RecordLock {
  public:
    // Locks `record`'s neighbour FILE-lock, which is created, and removed at the end. Refused
    // where another holds it, in this process or another, and where the folder may not be
    // written to.
    static protocol::Result<RecordLock> take(const std::string& record);
    ~RecordLock();
    RecordLock(RecordLock&& other) noexcept;
    RecordLock& operator=(RecordLock&&) = delete;

  private:
    RecordLock(int descriptor, std::string path)
        : descriptor_(descriptor), path_(std::move(path)) {}

    int descriptor_;
    std::string path_;
};

}  // namespace arena
