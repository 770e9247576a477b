// Little room for tables.
#pragma once

#include "engine/base/memory.hpp"

namespace engine::test {

// While it lives, tables have `room` bytes more than what is in use.
class LittleMemory {
  public:
    explicit LittleMemory(std::size_t room) {
        Memory::set_limit(0);  // drops what earlier tests left
        Memory::set_limit(Memory::used() + room);
    }
    ~LittleMemory() { Memory::set_limit(limit_); }
    LittleMemory(const LittleMemory&) = delete;
    LittleMemory& operator=(const LittleMemory&) = delete;

  private:
    const std::size_t limit_ = Memory::limit();
};

}  // namespace engine::test
