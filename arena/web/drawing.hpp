// How the page draws a pile. The page itself knows no rules.
#pragma once

#include "protocol/heap.hpp"
#include "protocol/position.hpp"

namespace boost::json {
class object;
}

namespace arena::web {

// {"kind":"row","count":9}; arena/doc/web.md lists the kinds. A heap that is too large to be
// drawn, or does not fit its ruleset, is {"kind":"text"}.
boost::json::object drawing_of(const protocol::RulesetText& ruleset,
                               const protocol::Heap& heap);

// The kind of the piles of this ruleset.
const char* drawing_kind(std::string_view ruleset_name);

}  // namespace arena::web
