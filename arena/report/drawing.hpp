// How the page draws a pile. The page itself knows no rules.
#pragma once

#include <span>
#include <vector>

#include "protocol/heap.hpp"
#include "protocol/position.hpp"

namespace boost::json {
class array;
class object;
}  // namespace boost::json

namespace arena::pages {

// {"kind":"row","count":9}; arena/doc/web.md lists the kinds. A heap that is too large to be
// drawn, or does not fit its ruleset, is {"kind":"text"}.
boost::json::object drawing_of(const protocol::RulesetText& ruleset,
                               const protocol::Heap& heap);

// Which parts of the drawing each of these moves touches, where numbers do not say it already:
// {"move": 0, "press": ["c0,1", "c1,1"], "gone": ["c0,1", "c1,1"]}, with the index of the move.
// A move that can be made at several places is there several times.
boost::json::array touched_parts(const protocol::RulesetText& ruleset,
                                 const protocol::Heap& heap,
                                 std::span<const std::vector<protocol::Heap>> moves);

// The kind of the piles of this ruleset.
std::string_view drawing_kind(std::string_view ruleset_name);

}  // namespace arena::pages
