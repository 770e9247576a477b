// A store in memory: for contests without a record, and the oracle that the tests compare other
// stores with.
#pragma once

#include <memory>

#include "arena/record/store.hpp"

namespace arena {

// With Keep::Nothing a pair is forgotten once both its games are recorded, so that memory does
// not grow with the games: events are those of the players alone, and there are no games to
// read.
enum class Keep { Games, Nothing };
std::unique_ptr<Store> make_memory_store(Keep keep = Keep::Games);

}  // namespace arena
