// Games as the viewer of a page reads them.
#pragma once

#include <string>

#include "arena/pages/summary.hpp"
#include "engine/solver/analyst.hpp"

namespace arena::pages {

// {"games":[…]}: texts are fit to be shown. Nimbers that are not known within the budget are
// left out.
std::string games_json(const Summary& summary, std::size_t player,
                       const engine::Analyst& analyst, const engine::Budget& budget);

}  // namespace arena::pages
