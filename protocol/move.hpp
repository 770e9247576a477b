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

// Makes the result canonical, by the name of the ruleset: `graph` and boards as they are;
// `rules` sorted, with zeros; all others sorted, without zeros, and a single 0 if nothing is
// left.
std::vector<Heap> canonical_result(std::string_view ruleset_name, std::vector<Heap> result);

// Reads a move in a position, which determines the form of its heaps; returns it canonical. An
// index without a heap, or with a leading zero, is an error.
Result<Move> parse_move(std::string_view text, const Position& position);
// The same for a caller that has a faster find_heap().
using FindHeap = std::function<HeapLookup(std::size_t index)>;
Result<Move> parse_move(std::string_view text, const Position& position, const FindHeap& find);

// Canonical text of a canonical move.
std::string to_string(const Move& move);
void append_text(std::string& out, const Move& move);

// Replaces the heap in place. Needs no rules; `move.heap` must name a heap.
void apply(Position& position, const Move& move);
// Replaces `count` heaps from `place` on.
void replace(Position& position, HeapPlace place, std::size_t count,
             std::span<const Heap> result);

}  // namespace protocol
