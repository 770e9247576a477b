// A range of heaps, as in `nim-engine values kayles 0-99`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/catalogue.hpp"

namespace engine {

struct NamedRuleset {
    RulesetText text;  // names of a catalogue file expanded
    std::shared_ptr<const Ruleset> rules;
};

// Numbers from..to; or, where there are sizes, all tuples with each entry below its size, or
// all empty boards up to this size.
struct HeapRange {
    Number from = 0;
    Number to = 0;
    std::vector<Number> sizes = {};
    bool of_boards = false;

    // What the entry 0 of a tuple stands for: a board has a row.
    Number first() const { return of_boards ? 1 : 0; }
    // The heap with these entries: a number if it is one, a board of rows and columns.
    Heap heap(const std::vector<Number>& entries) const;
};

enum class RangeSyntax { Numbers, AnyHeaps };

// "7" or "0-99"; with AnyHeaps "8x8" or "4x5x6" too. At most `most` heaps.
Result<HeapRange> read_heap_range(std::string_view text, RangeSyntax syntax, Number most);

// The heaps of this range, or nullopt: all vertices of a graph. Error: the ruleset has no such
// heaps, or there are none without a range, or more than `most`.
Result<std::optional<HeapRange>> read_range_of(const NamedRuleset& ruleset,
                                               std::optional<std::string_view> text,
                                               Number most);

// What a picture shows if no range is given; empty for a graph.
std::string usual_range(const Ruleset& rules);

}  // namespace engine
