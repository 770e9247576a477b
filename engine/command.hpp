// The commands of nim-engine: `nim-engine NAME …`. A row of the table in main.cpp is all there
// is to add for a new one, beside the file that does it.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/catalogue.hpp"
#include "engine/solver/budget.hpp"
#include "protocol/result.hpp"

namespace engine {

// Exit statuses of a command: done, could not be done, and could not be read.
inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

struct Command {
    std::string_view name;
    std::string_view usage;  // what stands behind the name
    std::string_view help;   // one line, at most 60 characters
    // Its options and an example, indented by two, for `NAME --help`; each line ends in '\n'.
    std::string_view details;
    // `words` are those behind the name, without --hash MB and --rulesets FILE. Returns the
    // exit status.
    int (*run)(const std::vector<std::string>& words, const RulesetNames& names,
               std::ostream& out, std::ostream& errors);
};

// All commands with a line each, and one command with its details, as --help shows them.
std::string list_of(std::span<const Command> commands);
std::string help_of(const Command& command);

// The words behind a command's name: options in any order, and the others, which are plain.
class CommandWords {
  public:
    struct Option {
        std::string_view name;        // "--limit"
        std::string_view value = "";  // "a number of heaps"; empty: it takes no value
    };

    // Values stand behind their option ("--limit 9") or with it ("--limit=9"). An unknown
    // option, a value too few or too many, an option given twice and more than `most_plain`
    // plain words are errors; `plain` says what those are ("a ruleset").
    static protocol::Result<CommandWords> read(const std::vector<std::string>& words,
                                               std::span<const Option> options,
                                               std::size_t most_plain, std::string_view plain);

    const std::vector<std::string>& plain() const { return plain_; }
    std::string joined() const;  // the plain ones, with blanks between them
    bool has(std::string_view option) const { return value(option).has_value(); }
    std::optional<std::string_view> value(std::string_view option) const;
    // The value as a number 0..2^63-1; `otherwise` where the option is not given.
    protocol::Result<Number> number(std::string_view option, Number otherwise) const;

  private:
    struct Given {
        std::string name, value;
    };
    std::vector<Given> options_;
    std::vector<std::string> plain_;
};

// A ruleset that a command is given.
struct NamedRuleset {
    protocol::RulesetText text;  // names of a catalogue file expanded
    std::shared_ptr<const Ruleset> rules;
};
// The first of the plain words, which may be missing.
protocol::Result<NamedRuleset> read_ruleset(const std::vector<std::string>& plain,
                                            const RulesetNames& names);

// "read the end, expected …".
protocol::Error missing(std::string_view expected);

// A budget that ends after so many milliseconds.
Budget budget_of(Number milliseconds);

// "nim-engine NAME: read 'x', expected …" to `errors`; below it the text with the column marked
// where there is one. Returns kExitUsage.
int refuse_usage(std::string_view command, const protocol::Error& error,
                 const std::string& text, std::ostream& errors);

}  // namespace engine
