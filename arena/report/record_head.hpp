// The description of a whole record, shown with its games.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
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

    // False: a player has joined since the head was read.
    bool has_players(const std::array<int, 2>& players) const;
};

protocol::Result<RecordHead> read_head(Store& store);

// Says on stderr what a record cannot give, and returns the status: kExitRecord where the file
// is damaged or its disk fails.
int refuse_record(const protocol::Error& error);
// At the end of a command that has shown a record: names on stderr what was left out because it
// is damaged, and gives kExitRecord then; else `status`. Games that a worker has recorded
// malformed are named, too, and change nothing: the record is sound.
int report_damage(Store& store, const std::string& record, int status);
// Opens the record to read it, and does both around `show`, which returns the status.
int on_record(const std::string& record,
              const std::function<int(Store& store, const RecordHead& head)>& show);

// The points of a bye: as many as a meeting has games.
int games_of_pairing(const Configuration& configuration);

}  // namespace arena
