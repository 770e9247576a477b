// The rulesets by name: built in, one row each, and those a catalogue file names.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/rules/ruleset.hpp"
#include "protocol/position.hpp"

namespace engine {

// The ruleset that a text stands for. Parsed once and cached by its text (a bounded cache, safe
// to call from any thread). The error's column counts from the text's first byte.
Result<std::shared_ptr<const Ruleset>> find_ruleset(const protocol::RulesetText& text);

// Names defined by `--rulesets FILE`: "evens = take{2,4,6}", one a definition, `#` starts a
// comment.
class RulesetNames {
  public:
    // Reads the text of a catalogue file; errors name the line.
    static Result<RulesetNames> parse(std::string_view text);
    static Result<RulesetNames> load(const std::string& path);

    // The position with every such name replaced by the ruleset text it stands for.
    protocol::Position expand(protocol::Position position) const;

  private:
    std::unordered_map<std::string, std::string> texts_;
};

}  // namespace engine
