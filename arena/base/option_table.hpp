// Options as tables. A row holds everything about an option: its help, the variable that it
// sets, how a value is read, checked and printed, and whether a record stores it. The same rows
// parse a command line and a tournament's file, print the help, and write and read the
// configuration of a record.
//
// A table is a vector of rows, made by the functions below (count(), choice(), flag() …). A row
// refers to its variable, usually a member of a struct of options, which must outlive the row.
// Defaults are the values that the variables have before anything is set. A command is a
// CommandLine: its table, its help and its checks.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "arena/base/bad_input.hpp"
#include "arena/base/command_line.hpp"
#include "arena/base/configuration.hpp"
#include "arena/base/console.hpp"
#include "protocol/endpoint.hpp"
#include "protocol/heap.hpp"
#include "protocol/text.hpp"

namespace arena {

// ---- rows ----

struct Option {
    using Read = std::function<protocol::Result<void>(const std::string&)>;

    OptionText text;  // "{}" in its help: the default value
    Read set;
    std::function<std::string()> print = {};
    Read recall = {};        // reads what `print` wrote
    bool in_record = false;  // part of a record's configuration

    Option recorded() && {
        in_record = true;
        return std::move(*this);
    }
};

using OptionTable = std::vector<Option>;

inline std::string value_text(const std::string& value) { return value; }
inline std::string value_text(std::chrono::milliseconds value) {
    return std::to_string(value.count());
}
inline std::string value_text(const protocol::Endpoint& value) { return to_string(value); }
inline std::string value_text(std::integral auto value) { return std::to_string(value); }
template <typename Value>
std::string value_text(const std::optional<Value>& value) {
    return value ? value_text(*value) : "";
}

template <typename Variable>
struct ValueOf {
    using Type = Variable;
};
template <typename Value>
struct ValueOf<std::optional<Value>> {
    using Type = Value;
};

// Reads a variable by `parse`, which returns a Result.
template <typename Variable, typename Parse>
Option::Read reads(Variable& variable, Parse parse) {
    return [&variable, parse](const std::string& text) -> protocol::Result<void> {
        auto value = parse(text);
        if (!value) return value.error();
        variable = static_cast<typename ValueOf<Variable>::Type>(*std::move(value));
        return {};
    };
}

// A row of a variable that `parse` reads and `print` writes. `recall` reads a record's value;
// it has no bounds, because the value was checked when it was recorded.
template <typename Variable, typename Parse, typename Print, typename Recall>
Option value(OptionText text, Variable& variable, Parse parse, Print print, Recall recall) {
    Option::Read recall_or_none = reads(variable, recall);
    if constexpr (requires { variable.reset(); }) {
        recall_or_none = [&variable, read = std::move(recall_or_none)](
                             const std::string& recorded) -> protocol::Result<void> {
            if (!recorded.empty()) return read(recorded);
            variable.reset();
            return {};
        };
    }
    return {std::move(text), reads(variable, parse),
            [&variable, print] { return std::string(print(variable)); },
            std::move(recall_or_none)};
}

constexpr auto kPrinted = [](const auto& value) { return value_text(value); };

template <typename Variable, typename Parse>
Option value(OptionText text, Variable& variable, Parse parse) {
    return value(std::move(text), variable, parse, kPrinted, parse);
}

protocol::Result<std::uint64_t> parse_any_count(const std::string& text);

template <typename Variable>
Option count(OptionText text, Variable& variable, std::uint64_t least, std::uint64_t most) {
    const auto parse = [=](const std::string& value) {
        return parse_count(value, least, most);
    };
    return value(std::move(text), variable, parse, kPrinted, parse_any_count);
}

protocol::Result<std::uint64_t> parse_even_count(const std::string& text, std::uint64_t most);

// A number of games, which come in pairs.
template <typename Variable>
Option even_count(OptionText text, Variable& variable, std::uint64_t most) {
    const auto parse = [=](const std::string& value) { return parse_even_count(value, most); };
    return value(std::move(text), variable, parse, kPrinted, parse_any_count);
}

Option milliseconds(OptionText text, std::chrono::milliseconds& variable, std::uint64_t least);

Option size(OptionText text, std::uint64_t& variable, std::uint64_t least);

// `what`: "a file", for the error if nothing is given.
Option text(OptionText words, std::string& variable, const char* what);

template <typename Variable>
Option endpoint(OptionText text, Variable& variable) {
    return value(std::move(text), variable, protocol::parse_endpoint);
}

// Adds a value each time it is given.
template <typename Value, typename Parse>
Option list(OptionText text, std::vector<Value>& values, Parse parse) {
    text.repeats = true;
    return {std::move(text),
            [&values, parse](const std::string& given) -> protocol::Result<void> {
                auto value = parse(given);
                if (!value) return value.error();
                values.push_back(*std::move(value));
                return {};
            }};
}

// "CERT,KEY": two PEM files.
Option certificate(OptionText text, std::string& file, std::string& key);

Option flag(OptionText text, bool& variable);

// The error for a value that is none of some names.
protocol::Error refuse_choice(const std::string& value, const std::vector<std::string>& names);

// One of some names.
template <typename Variable>
Option choice(OptionText text, Variable& variable,
              std::vector<std::pair<std::string, typename ValueOf<Variable>::Type>> names) {
    using Value = typename ValueOf<Variable>::Type;
    for (const auto& [name, value] : names) text.choices.push_back(name);
    const auto parse =
        [names, choices = text.choices](const std::string& given) -> protocol::Result<Value> {
        for (const auto& [name, value] : names) {
            if (name == given) return value;
        }
        return refuse_choice(given, choices);
    };
    const auto print = [names](const Variable& value) {
        const auto has_value = [&](const auto& name) { return name.second == value; };
        const auto found = std::ranges::find_if(names, has_value);
        return found == names.end() ? "" : found->first;
    };
    return value(std::move(text), variable, parse, print, parse);
}

Option color_row(OptionText text, ColorMode& variable);

// ---- tables ----

// The rows of all parts, in their order.
OptionTable join(std::initializer_list<OptionTable> parts);

// The row of an option by its long name; null if there is none.
auto find_row(auto& table, std::string_view option) {
    const auto row = std::ranges::find_if(
        table, [&](const Option& candidate) { return long_name(candidate.text) == option; });
    return row == table.end() ? nullptr : &*row;
}

// The texts for the help. Defaults are filled in: what the variables hold now.
std::vector<OptionText> texts_of(const OptionTable& table);

// ---- the configuration of a record ----

// What the variables of the table hold now.
Configuration configuration_of(const OptionTable& table);

// Sets those options of the table that `configuration` has. Errors: values that
// configuration_of() does not write.
protocol::Result<void> recall(const OptionTable& table, const Configuration& configuration);

// ---- the command line ----

using Words = std::vector<std::string>;
using Given = std::set<std::string, std::less<>>;  // names of the options that were given

template <typename Options>
using Parsed = std::variant<Options, HelpText, UsageError>;

// The options of a command, its help and its checks.
struct CommandLine {
    // `head` and `tail` are the help before and after the options.
    CommandLine(std::string_view the_program, OptionTable the_table, std::string_view the_head,
                std::string_view the_tail = {});

    std::string program;  // "nim-arena match"
    OptionTable table;
    std::string head, tail;
    // A long help is cut to one screen: --help lists these options alone. `nim-arena help
    // COMMAND all` and the manual have all of them, with `details` before and `reference` at
    // the end.
    std::vector<std::string_view> common;
    std::string details, reference;
    Option::Read argument;  // takes a positional argument
    std::function<protocol::Result<void>(const Given&)> finish;
    // Adds arguments from elsewhere; the texts say which options there are.
    std::function<protocol::Result<void>(std::vector<Argument>&,
                                         const std::vector<OptionText>&)>
        expand;
};

// Sets the variables of the table, in the order of `words`.
Parsed<std::monostate> parse(const CommandLine& line, const Words& words);

// The same for a line that sets `options`, which are moved into the result.
template <typename Options>
Parsed<Options> parse(const CommandLine& line, const Words& words, Options& options) {
    auto parsed = parse(line, words);
    if (auto* help = std::get_if<HelpText>(&parsed)) return *std::move(help);
    if (auto* error = std::get_if<UsageError>(&parsed)) return *std::move(error);
    return std::move(options);
}

// Takes the argument of a command whose only argument is the file of a record.
Option::Read takes_record(std::string& record);
// Refuses a command line without one.
protocol::Result<void> needs_record(const std::string& record);
// Takes all positional arguments as they are.
Option::Read takes_words(std::vector<std::string>& words);

// Prints the help or an error, or runs the command. Returns the exit status.
template <typename Options, typename Run>
int run(const Parsed<Options>& parsed, const Run& run_command) {
    if (const auto* help = std::get_if<HelpText>(&parsed)) return print_help(*help);
    if (const auto* error = std::get_if<UsageError>(&parsed)) return print_error(*error);
    return run_command(std::get<Options>(parsed));
}

}  // namespace arena
