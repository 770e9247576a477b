// The pages of a tournament: static files, for which neither a server nor a network is needed.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "arena/record/store.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/result.hpp"

namespace arena::pages {

// The games shown on the pages of both players. Faults: those with a fault or a strike, and
// those that were thrown; at most 200 for each player. Number: this many for each player. Where
// there are more, those in which the player itself erred come first.
enum class PageGames { Faults, All, Number };

struct PageOptions {
    std::string directory;  // is created
    PageGames games = PageGames::Faults;
    std::size_t number = 0;   // of games a player, for PageGames::Number
    std::size_t faults = 50;  // shown a player
    std::stop_token stop;     // then nimbers that are not known are left out
};

struct PagesWritten {
    std::uint64_t files = 0;
    std::uint64_t games = 0;         // in the record
    std::uint64_t not_analysed = 0;  // of them: what was thrown in these is not known
};

// Creates the folder and checks that it is writable. Call it before long computations.
protocol::Result<void> prepare_directory(const std::string& directory);

// Writes index.html and a page a player, player-N.html. `analyst` is asked for the nimbers of
// the games shown, for 20 s at most; what is not known by then is left out.
protocol::Result<PagesWritten> write_pages(Store& store, const engine::Analyst& analyst,
                                           const PageOptions& options);

}  // namespace arena::pages
