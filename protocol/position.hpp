// A position: a sum of heaps, each under a ruleset, played under one convention.
// Here a ruleset is a name and its text; the engine gives it a meaning.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/heap.hpp"
#include "protocol/result.hpp"

namespace protocol {

// Normal: a player who cannot move loses. Misere: a player who cannot move wins.
enum class Convention { Normal, Misere };

// "take{1,3,4}": a name and, in braces, its parameters, kept byte for byte.
struct RulesetText {
    std::string text = "nim";

    std::string_view name() const;  // "take"

    friend bool operator==(const RulesetText&, const RulesetText&) = default;
};

// Reads a name with optional braces, or a code alone: "0.77" is octal{0.77}. No surrounding
// blanks.
Result<RulesetText> parse_ruleset_text(std::string_view text);

// What canonical text adds before a code alone; columns are larger by its length.
inline constexpr std::string_view kBeforeCode = "octal{";
// Whether a ruleset that begins here is a code alone: ".137", "0.77", "4.[3]".
bool is_code_alone(std::string_view text);

// Consecutive heaps under one ruleset.
struct Component {
    RulesetText ruleset;
    std::vector<Heap> heaps;

    friend bool operator==(const Component&, const Component&) = default;
};

struct Position {
    std::vector<Component> components;
    Convention convention = Convention::Normal;

    std::size_t heap_count() const;

    friend bool operator==(const Position&, const Position&) = default;
};

// The place of heap number `index` (from 1, over the whole sum); nullptr if there is none.
struct HeapPlace {
    std::size_t component = 0;
    std::size_t heap = 0;
};
struct HeapLookup {
    const Component* component = nullptr;
    HeapPlace place;

    explicit operator bool() const { return component != nullptr; }
    const Heap& heap() const { return component->heaps[place.heap]; }
};
HeapLookup find_heap(const Position& position, std::size_t index);

// The form of a ruleset's heaps: by its name alone, or from a caller that knows more names.
using HeapSyntaxOf = std::function<HeapSyntax(const RulesetText& ruleset)>;
HeapSyntax heap_syntax_by_name(const RulesetText& ruleset);

// Reads `sum [normal|misere]`, blanks around and between the words allowed.
Result<Position> parse_position(std::string_view text,
                                const HeapSyntaxOf& syntax_of = heap_syntax_by_name);

// A position or ruleset as a person types it, without the blanks inside brackets and around
// `,`, `+` and `:`. Two words stay two words. Only for command lines: the protocol has no such
// blanks.
std::string without_blanks(std::string_view text);

// Canonical text: parse_position(to_string(p)) == p for every position that parse_position
// gives.
std::string to_string(const Position& position);
void append_text(std::string& out, const Position& position);

inline constexpr std::string_view kStartPosition = "nim:1,3,5,7";

}  // namespace protocol
