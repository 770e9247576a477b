// What a visitor to a clinic (`nim-arena serve --clinic`) is asked apart from its games: the
// points of `nim-arena check`, then positions as `nim-arena certify` asks them.
#pragma once

#include "arena/check/family.hpp"
#include "arena/play/clinic.hpp"

namespace arena {

// `family`: whose positions are asked, some in each visit.
Examiner make_examiner(PositionSet family);

}  // namespace arena
