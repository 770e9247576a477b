// A heap of a position: a number, a tuple, a vertex of a graph, or an ordinal.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/result.hpp"

namespace protocol {

// 0..kMaxNumber in everything that is read; wider only inside computations.
using Number = std::uint64_t;
inline constexpr Number kMaxNumber = 9223372036854775807ULL;  // 2^63 - 1

// "(3,5)": two entries or more; their order matters.
struct Tuple {
    std::vector<Number> entries;

    friend auto operator<=>(const Tuple&, const Tuple&) = default;
};

// The name of a vertex, byte for byte: "0", "007" and "7" differ.
struct Vertex {
    std::string name;

    friend auto operator<=>(const Vertex&, const Vertex&) = default;
};

// An ordinal below w^w in Cantor normal form, from w on (a finite one is a Number):
// "(w^2*3+w+5)".
struct Ordinal {
    struct Term {
        Number exponent = 0;
        Number coefficient = 0;  // at least 1

        friend auto operator<=>(const Term&, const Term&) = default;
    };
    std::vector<Term> terms;  // with strictly decreasing exponents

    // Lexicographic by terms, which is the order of the ordinals.
    friend auto operator<=>(const Ordinal&, const Ordinal&) = default;
};

// Ordered as moves sort their results: numbers by size, tuples by their first difference, and
// an ordinal above every number.
using Heap = std::variant<Number, Tuple, Vertex, Ordinal>;

inline bool is_zero(const Heap& heap) {
    const auto* number = std::get_if<Number>(&heap);
    return number != nullptr && *number == 0;
}

void append_text(std::string& out, Number number);
void append_text(std::string& out, const Heap& heap);
std::string to_string(const Heap& heap);

// The forms that the text of a heap can have, by the name of its ruleset: vertices for a graph,
// boards for a game on a board, else numbers, tuples or ordinals. A board is a name as well:
// "ooo_oxo". Whether the heap fits the ruleset is a question for the rules.
enum class HeapSyntax { Plain, Vertex, Board };
HeapSyntax heap_syntax(std::string_view ruleset_name);

// Reads the whole of `text` as one heap; the error's column counts from `text`'s first byte.
Result<Heap> parse_heap(std::string_view text, HeapSyntax syntax);

// Reads the whole of `text` as a number 0..2^63-1; leading zeros are allowed.
Result<Number> parse_number(std::string_view text);

}  // namespace protocol
