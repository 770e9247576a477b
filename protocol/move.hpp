// A move replaces one heap by the heaps it leaves: "2=1", "1=2,4", "1=(2,4)", "1=b".
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/position.hpp"
#include "protocol/result.hpp"

namespace protocol {

// Heap number `heap` (from 1, counted over the whole sum) is replaced, in place, by `result`.
// Any such pair is a Move; whether it is legal is a question for the rules.
struct Move {
    std::size_t heap = 0;
    std::vector<Heap> result;

    friend bool operator==(const Move&, const Move&) = default;
    friend auto operator<=>(const Move&, const Move&) = default;
};

// Sorts the result and handles zeros as the ruleset's name asks: `graph` as it is, `rules`
// sorted with zeros kept, everywhere else sorted, zeros left out, a lone 0 if nothing is left.
std::vector<Heap> canonical_result(std::string_view ruleset_name, std::vector<Heap> result);

// Reads a move in a position, which tells what its heaps look like; the move comes back
// canonical. An index that names no heap is an error. The index has no leading zero.
Result<Move> parse_move(std::string_view text, const Position& position);
// The same for who finds heaps faster than find_heap() does.
using FindHeap = std::function<HeapLookup(std::size_t index)>;
Result<Move> parse_move(std::string_view text, const Position& position, const FindHeap& find);

// Canonical text of a canonical move.
std::string to_string(const Move& move);
void append_text(std::string& out, const Move& move);

// Replaces the heap in place. Needs no rules; `move.heap` must name a heap.
void apply(Position& position, const Move& move);
// Replaces `count` heaps that stand from `place` on.
void replace(Position& position, HeapPlace place, std::size_t count,
             std::span<const Heap> result);

}  // namespace protocol
