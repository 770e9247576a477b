// The rulesets by name: the built-in ones, a row for each, and those of a catalogue file.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/ruleset.hpp"
#include "protocol/position.hpp"

namespace protocol {
class Scanner;
}

namespace engine {

// How heaps of a ruleset are written, where no heap tells it.
enum class HeapForm {
    Plain,      // numbers, or tuples of one length: check_heap() tells which
    AnyLength,  // tuples of any length
    Board,
    Vertex,
};

// The name of a built-in ruleset, a description of its play, and what others have to know of
// it: a game of rulesets.txt.
struct RulesetGuide {
    std::string_view name;                 // "take"
    std::string_view example;              // "take{1,3,4}"; the name where it has no parameters
    std::string_view title;                // "Subtraction game"
    std::string_view rules;                // a sentence on what a move is
    std::string_view heaps;                // some of the example: "7,8"
    std::string_view source;               // where it is described: a paper or a book
    std::string_view drawing = "entries";  // of a heap
    HeapForm form = HeapForm::Plain;
};
// All of them, in the order of the specification.
const std::vector<RulesetGuide>& ruleset_guides();
// Null: no built-in ruleset has that name.
const RulesetGuide* find_guide(std::string_view name);

// "; did you mean 'dawson-kayles' or 'dawson-chess'?": the ruleset whose name is near the word,
// or the built-in ones whose name or title is like it. Empty if there are none.
std::string suggested_rulesets(std::string_view word);

using FoundRuleset = Result<std::shared_ptr<const Ruleset>>;

// The ruleset that a text stands for. Parsed once and cached by its text (safe to call from any
// thread). The error's column counts from the text's first byte.
FoundRuleset find_ruleset(const RulesetText& text);

// Names defined by `--rulesets FILE`: "evens = take{2,4,6}", one definition a line, `#` starts
// a comment. Behind them come those of literature.txt.
class RulesetNames {
  public:
    // Reads the text of a catalogue file; errors name the line and the column.
    static Result<RulesetNames> parse(std::string_view text);
    static Result<RulesetNames> load(const std::string& path);

    // The names of the file with the ruleset texts that they stand for, sorted.
    const std::map<std::string, std::string>& all() const { return texts_; }
    // The ruleset text of a name; of a code alone the canonical text; any other text unchanged.
    RulesetText expand(RulesetText ruleset) const;
    // Reads a position with every such name replaced by the ruleset text that it stands for.
    Result<protocol::Position> read_position(std::string_view text) const;

  private:
    std::optional<std::string> find(const std::string& name) const;

    std::map<std::string, std::string> texts_;
};

}  // namespace engine
