// The rulesets by name: built in, one row each, and those a catalogue file names.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/rules/ruleset.hpp"
#include "protocol/position.hpp"

namespace engine {

// From now on graph{@FILE} reads files of this machine, in this process. Before that it is an
// error: who plays for others must not open what they name. Call it before threads start.
void allow_graph_files();

// The ruleset that a text stands for. Parsed once and cached by its text (a bounded cache, safe
// to call from any thread). The error's column counts from the text's first byte.
Result<std::shared_ptr<const Ruleset>> find_ruleset(const protocol::RulesetText& text);

// Names defined by `--rulesets FILE`: "evens = take{2,4,6}", one a definition, `#` starts a
// comment.
class RulesetNames {
  public:
    // Reads the text of a catalogue file; errors name the line and the column.
    static Result<RulesetNames> parse(std::string_view text);
    static Result<RulesetNames> load(const std::string& path);

    // The ruleset text that a name stands for; any other text as it is.
    protocol::RulesetText expand(protocol::RulesetText ruleset) const;
    // Reads a position with every such name replaced by the ruleset text that it stands for.
    Result<protocol::Position> read_position(std::string_view text) const;

  private:
    std::unordered_map<std::string, std::string> texts_;
};

}  // namespace engine
