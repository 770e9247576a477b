// A store in memory: for contests without a record.
#pragma once

#include <memory>

#include "arena/record/store.hpp"

namespace arena {

// With Keep::Nothing a pair is forgotten once both its games are recorded, and an event once
// later ones are asked for, so that memory does not grow with the games; and there are no games
// to read.
enum class Keep { Games, Nothing };
std::unique_ptr<Store> make_memory_store(Keep keep = Keep::Games);

}  // namespace arena
