// What a pile looks like on the page. The page draws what it is told here, and knows no rules.
#pragma once

#include "protocol/heap.hpp"
#include "protocol/position.hpp"

namespace boost::json {
class object;
}

namespace arena::web {

// {"kind":"row","count":9}: the kinds are listed in arena/doc/web.md. A heap that is too large
// to be drawn, or that its ruleset does not take, is {"kind":"text"}.
boost::json::object drawing_of(const protocol::RulesetText& ruleset,
                               const protocol::Heap& heap);

// The kind that piles of a ruleset of this name get.
const char* drawing_kind(std::string_view ruleset_name);

}  // namespace arena::web
