// The pages of a tournament: static files, for which neither a server nor a network is needed.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "arena/game_record.hpp"
#include "arena/store/store.hpp"
#include "engine/solver/analyst.hpp"
#include "protocol/result.hpp"

namespace arena::pages {

// Which games can be looked at, on the pages of both players. Faults: those with a fault or a
// strike, and those that were thrown; 200 a player at the most. Number: so many a player, these
// first.
enum class PageGames { Faults, All, Number };

struct PageOptions {
    std::string directory;  // is created
    PageGames games = PageGames::Faults;
    std::size_t number = 0;
};

struct PagesWritten {
    std::uint64_t files = 0;
    std::uint64_t games = 0;         // in the record
    std::uint64_t not_analysed = 0;  // of them: what was thrown in these is not known
};

// Creates the folder and sees that files can be made in it: to be asked before what takes long.
protocol::Result<void> prepare_directory(const std::string& directory);

// Writes index.html and a page a player, player-N.html. `analyst` is asked for the nimbers of
// the games shown, within `budget`; what is not known by then is left out.
protocol::Result<PagesWritten> write_pages(Store& store, const engine::Analyst& analyst,
                                           const engine::Budget& budget,
                                           const PageOptions& options);

}  // namespace arena::pages
