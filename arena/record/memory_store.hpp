// A store in memory: for contests without a record, and the oracle that the tests compare other
// stores with.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "arena/base/clock.hpp"
#include "arena/record/store.hpp"

namespace arena {

// With Keep::Nothing a pair is forgotten once both its games are recorded, and an event once
// later ones are asked for, so that memory does not grow with the games; and there are no games
// to read.
enum class Keep { Games, Nothing };
std::unique_ptr<Store> make_memory_store(Keep keep = Keep::Games);

// A record in memory that several stores share, each as a process of its own. The lease of a
// store holds while it exists; one that is destroyed without leave() is as a process that died:
// its lease ends by the clock, and the lead is free at once.
class SharedMemory {
  public:
    using Now = std::function<Clock::time_point()>;
    explicit SharedMemory(std::chrono::milliseconds lease = std::chrono::seconds(30),
                          Now now = Clock::now);
    ~SharedMemory();

    // Stores may outlive this.
    std::unique_ptr<Store> attach();
    // The store's leases and its lead end now, as if its connection had been lost for long.
    void lapse(Store& store);

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

}  // namespace arena
