// The commands of nim-engine: `nim-engine NAME …`. A new one needs its file and a row of the
// table in main.cpp.
#pragma once

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/rules/game.hpp"
#include "engine/sums/heap_range.hpp"
#include "protocol/manual/manual.hpp"
#include "protocol/result.hpp"

namespace engine {

// Exit statuses of a command: done, could not be done, and could not be read.
inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

// The numbers that an option may be, and the one where it is not given.
struct Numbers {
    Number otherwise = 0;
    Number least = 0;
    Number most = protocol::kMaxNumber;
};

// An option of a command, or a plain word that its help explains. From these rows it is read,
// and help, manual page and completions are printed.
struct Option {
    std::string_view name;         // "--limit"; of a plain word "RANGE"
    std::string_view value = "";   // "HEAPS"; empty: it takes no value
    std::string_view wanted = "";  // what an error expects: "a number of heaps"
    std::string_view help = "";    // one line
    std::span<const std::string_view> choices = {};  // all values there are
    std::optional<Numbers> numbers = {};             // of a value that is a number
};

constexpr Option number_option(std::string_view name, std::string_view value,
                               std::string_view wanted, std::string_view help,
                               const Numbers& numbers) {
    return {name, value, wanted, help, {}, numbers};
}
constexpr Option time_option(std::string_view help, Number otherwise = 10'000) {
    return number_option("--time", "MS", "a number of milliseconds", help, {otherwise});
}
inline constexpr Option kTime = time_option("what is not known by then is unknown (10000)");
inline constexpr Option kJson{"--json", "", "", "one line of JSON, for programs"};

class CommandWords;

struct Command {
    // Writes what the command finds. Fault::Failed: it could not be done, for the reason given,
    // or for one in `out`. Any other error: the words cannot be read.
    using Run = Result<void>(const CommandWords& words, std::ostream& out,
                             std::ostream& errors);

    std::string_view name;
    std::string_view help;   // one line, at most 60 characters
    std::string_view usage;  // the plain words after the name, "RULESET RANGE"
    std::string_view plain;  // what an error calls them, "a ruleset"
    std::size_t most_plain;  // how many of them
    std::span<const Option> options;
    std::string_view examples;  // indented by two; each line ends in '\n'
    Run* run;
};
// The `most_plain` of a command that takes a position, which may be typed as several words.
inline constexpr std::size_t kAnyNumber = -1;

// Each in a file of its own; see main.cpp for their table, engine/doc/commands.md for what they
// print.
extern const Command kAudit, kEval, kExplain, kGenus, kLine, kPerft, kPeriod, kQuotient,
    kRulesets, kValues;

// Reads the words after the command's name, without --hash MB and --rulesets FILE, and runs it.
// Returns the exit status.
int run_command(const Command& command, const std::vector<std::string>& words,
                const RulesetNames& names, std::ostream& out, std::ostream& errors);

// "; did you mean 'eval'?", or empty if nothing is meant.
std::string did_you_mean(std::string_view meant);

// All commands with a line each, and one command with its details, as --help shows them.
std::string list_of(std::span<const Command> commands);
std::string help_of(const Command& command);
// All of it as a manual page, or as what a shell completes.
std::string help_in(protocol::HelpFormat format, std::span<const Command> commands);

// The words after a command's name: options in any order, and plain words.
class CommandWords {
  public:
    // A value follows its option ("--limit 9") or is joined to it ("--limit=9"). Unknown
    // options, missing, extra or wrong values, repeated options and more plain words than the
    // command takes are errors. The command and the names must outlive the result.
    static Result<CommandWords> read(const std::vector<std::string>& words,
                                     const Command& command, const RulesetNames& names);

    // The plain words, each without the blanks that may be left out (see
    // protocol/position.hpp).
    const std::vector<std::string>& plain() const { return plain_; }
    // The first of them as a ruleset; all, or all but the last few, as one position, typed with
    // or without quotes. Errors are marked().
    Result<NamedRuleset> ruleset() const;
    Result<Game> game(std::size_t but_last = 0) const;
    bool has(std::string_view option) const { return value(option).has_value(); }
    std::optional<std::string_view> value(std::string_view option) const;
    // The value of an option of the command that has `numbers`.
    Number number(std::string_view option) const;
    const Command& command() const { return command_; }
    // What a catalogue file defines.
    const RulesetNames& names() const { return names_; }

  private:
    struct Given {
        std::string name, value;
    };

    CommandWords(const Command& command, const RulesetNames& names)
        : command_(command), names_(names) {}
    Result<void> add_plain(std::string_view word);
    // `i`: the option's place, then that of its last word.
    Result<void> add_option(const std::vector<std::string>& words, std::size_t& i);

    const Command& command_;
    const RulesetNames& names_;
    std::vector<Given> options_;
    std::vector<std::string> plain_;
};

// Numbers with blanks, commas or line ends between them; at least one.
Result<std::vector<Number>> read_sequence(std::string_view text);

// Whether the heaps are numbers without loops, so that they have a genus and a misere quotient.
Result<void> check_misere_heaps(const NamedRuleset& ruleset);

// "read 'x', expected the end", of a plain word more than a command takes.
Error unexpected_word(std::string_view word);

// "read the end, expected …".
Error missing(std::string_view expected);

// A budget that ends after this many milliseconds.
Budget budget_of(Number milliseconds);

// The error with the text below it in which its column is marked, where it has one.
Error marked(const Error& error, const std::string& text);

// ---- the terms that the commands print, explained: `nim-engine help TERM` (help.cpp) ----

struct Term {
    std::string_view name;
    std::string_view others = "";  // further words for it, a blank between any two
    std::string_view text;         // lines that end in '\n'
    std::string_view example;      // the words after nim-engine
};

// glossary.txt itself.
extern const std::string_view kGlossary;

std::span<const Term> all_terms();

// The term of this name, in any case and with an accent or without; null if there is none.
const Term* find_term(std::string_view word);

// Its text and its example.
std::string text_of(const Term& term);

// The names of all of them, with commas, in lines that are indented by two.
std::string list_of_terms();

}  // namespace engine
