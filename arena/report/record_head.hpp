// The description of a whole record, shown with its games.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arena/base/exit_codes.hpp"
#include "arena/record/store.hpp"
#include "protocol/result.hpp"

namespace arena {

struct RecordHead {
    std::string event;  // its name, or a general one
    std::uint64_t seed = 0;
    std::vector<std::string> names;  // by player number
    std::vector<Entrant> entrants;
    Configuration configuration;

    // False: a player has joined since the head was read.
    bool has_players(const std::array<int, 2>& players) const;
};

protocol::Result<RecordHead> read_head(Store& store);

// The status of a command that cannot read a record for this reason: kExitRecord where the file
// is damaged or its disk fails.
ExitCode status_of(const protocol::Error& error);
// At the end of a command that has shown a record: names on stderr what was left out because it
// is damaged, and gives kExitRecord then; else `status`.
int report_damage(Store& store, const std::string& record, int status);

// The points that each player got by byes: for each as many as a meeting has games.
protocol::Result<std::vector<std::uint64_t>> bye_points(Store& store, const RecordHead& head);

}  // namespace arena
