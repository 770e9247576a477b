// The values of a range of heaps as a picture (SVG): what `nim-engine values --svg` writes, and
// what the arena's page /explore shows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/sums/analyst.hpp"
#include "engine/sums/heap_range.hpp"

namespace engine {

// What the picture shows of a heap: its nimber or outcome, or its outcome or genus under misere
// play.
enum class ValueKind { Nimbers, Outcomes, Misere, Genera };

struct PictureWanted {
    ValueKind kind = ValueKind::Nimbers;
    bool is_plot = false;   // the value over the size, of heaps that are numbers
    Number columns = 0;     // of a strip, 1000 at most; 0: the proven period, if there is one
    std::string name = {};  // of the ruleset in the title, instead of its text
};

struct PicturedHeap {
    Heap heap = {};
    std::string value = {};  // "3", "N", "2^{20}"; "?": not found in time; empty: no such heap
    std::optional<Number> level = {};  // of its colour and in a plot
    Outcome outcome = Outcome::Unknown;
    // What the winning moves leave, "1,7", or those that hold a draw; at most kMostWinning.
    std::vector<std::string> moves = {};
    bool has_more_moves = false;

    static constexpr std::size_t kMostWinning = 8;

    std::string moves_text() const;  // "1,7; 2; …"
};

struct ValuePicture {
    std::string title;   // "Nimbers of kayles 0-99"
    Number period = 0;   // the proven one of the nimbers; 0: there is none
    Number columns = 0;  // of a strip, else 0
    std::vector<PicturedHeap> heaps;
    // Numbers are a strip of cells or a plot, tuples a map, vertices their graph. Each heap is
    // an element of the class "heap" with data-heap, data-value, data-moves and a <title> of
    // these; a position of it alone is the heap between data-before and data-after of the root.
    std::string svg;

    // Whether all values are known, and a winning move of each heap that has one.
    bool is_complete() const;
};

// At most 10,000 heaps, or 200 vertices. Errors: the ruleset has no such heaps, or too many.
Result<ValuePicture> draw_values(const NamedRuleset& ruleset,
                                 std::optional<std::string_view> range,
                                 const PictureWanted& wanted, const Budget& budget);

}  // namespace engine
