// The description of a whole record, shown with its games.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arena/record/store.hpp"
#include "protocol/result.hpp"

namespace arena {

struct RecordHead {
    std::string event;  // its name, or a general one
    std::uint64_t seed = 0;
    std::vector<std::string> names;  // by player number
    std::vector<Entrant> entrants;
    Configuration configuration;
};

protocol::Result<RecordHead> read_head(Store& store);

// The points that each player got by byes: for each as many as a meeting has games.
protocol::Result<std::vector<std::uint64_t>> bye_points(Store& store, const RecordHead& head);

}  // namespace arena
