// Options as tables. A row holds everything about an option: its help, how a value is read,
// checked and printed, and whether a record stores it. The same rows parse a command line and a
// tournament's file, print the help, and write and read the configuration of a record.
//
// A table is a vector of rows, made by the functions below (count(), choice(), flag() …), each
// for a member of a struct of options. Rows for a part of a struct (`within`) or for its base
// class serve for the whole. A command is a CommandLine: its table, its help and its checks.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <functional>
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

template <typename Options>
struct Option {
    using Read = std::function<protocol::Result<void>(Options&, const std::string&)>;

    OptionText text;  // "{}" in its help: the default value
    Read set;
    std::function<std::string(const Options&)> print = {};
    Read recall = {};        // reads what `print` wrote
    bool in_record = false;  // part of a record's configuration

    Option recorded() && {
        in_record = true;
        return std::move(*this);
    }

    // Rows of a base class serve for derived options.
    template <std::derived_from<Options> Derived>
    operator Option<Derived>() const {
        return {text, set, print, recall, in_record};
    }
};

template <typename Options>
using OptionTable = std::vector<Option<Options>>;

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

template <typename Member>
struct ValueOf {
    using Type = Member;
};
template <typename Value>
struct ValueOf<std::optional<Value>> {
    using Type = Value;
};

// Reads a member by `parse`, which returns a Result.
template <typename Options, typename Member, typename Parse>
typename Option<Options>::Read reads(Member Options::*member, Parse parse) {
    return
        [member, parse](Options& options, const std::string& text) -> protocol::Result<void> {
            auto value = parse(text);
            if (!value) return value.error();
            options.*member = static_cast<typename ValueOf<Member>::Type>(*std::move(value));
            return {};
        };
}

// A row of a member that `parse` reads and `print` writes. `recall` reads a record's value; it
// has no bounds, because the value was checked when it was recorded.
template <typename Options, typename Member, typename Parse, typename Print, typename Recall>
Option<Options> value(OptionText text, Member Options::*member, Parse parse, Print print,
                      Recall recall) {
    const auto recall_or_none = [member, read = reads(member, recall)](
                                    Options& options,
                                    const std::string& recorded) -> protocol::Result<void> {
        if constexpr (requires { (options.*member).reset(); }) {
            if (recorded.empty()) {
                (options.*member).reset();
                return {};
            }
        }
        return read(options, recorded);
    };
    return {std::move(text), reads(member, parse),
            [member, print](const Options& options) -> std::string {
                return std::string(print(options.*member));
            },
            recall_or_none};
}

constexpr auto kPrinted = [](const auto& value) { return value_text(value); };

template <typename Options, typename Member, typename Parse>
Option<Options> value(OptionText text, Member Options::*member, Parse parse) {
    return value(std::move(text), member, parse, kPrinted, parse);
}

inline protocol::Result<std::uint64_t> parse_any_count(const std::string& text) {
    return parse_count(text, 0, protocol::kMaxNumber);
}

template <typename Options, typename Member>
Option<Options> count(OptionText text, Member Options::*member, std::uint64_t least,
                      std::uint64_t most) {
    const auto parse = [=](const std::string& value) {
        return parse_count(value, least, most);
    };
    return value(std::move(text), member, parse, kPrinted, parse_any_count);
}

// A number of games, which come in pairs.
template <typename Options, typename Member>
Option<Options> even_count(OptionText text, Member Options::*member, std::uint64_t most) {
    const auto parse = [=](const std::string& value) -> protocol::Result<std::uint64_t> {
        const auto count = parse_count(value, 2, most);
        if (count && *count % 2 == 0) return count;
        return bad_input(
            "read {}, expected an even number 2..{}: from each position both players move "
            "first once",
            protocol::quoted(value), most);
    };
    return value(std::move(text), member, parse, kPrinted, parse_any_count);
}

template <typename Options, typename Member>
Option<Options> milliseconds(OptionText text, Member Options::*member, std::uint64_t least) {
    const auto parse = [=](const std::string& value) {
        return parse_milliseconds(value, least);
    };
    const auto recall = [](const std::string& value) { return parse_milliseconds(value, 0); };
    return value(std::move(text), member, parse, kPrinted, recall);
}

template <typename Options, typename Member>
Option<Options> size(OptionText text, Member Options::*member, std::uint64_t least) {
    const auto parse = [=](const std::string& value) { return parse_size(value, least); };
    return value(std::move(text), member, parse, size_text, parse);
}

// `what`: "a file", for the error if nothing is given.
template <typename Options>
Option<Options> text(OptionText words, std::string Options::*member, const char* what) {
    const auto parse = [=](const std::string& value) -> protocol::Result<std::string> {
        if (value.empty()) return bad_input("expected {}, found nothing", what);
        return value;
    };
    const auto recall = [](const std::string& value) -> protocol::Result<std::string> {
        return value;
    };
    return value(std::move(words), member, parse, kPrinted, recall);
}

template <typename Options, typename Member>
Option<Options> endpoint(OptionText text, Member Options::*member) {
    return value(std::move(text), member, protocol::parse_endpoint);
}

// Adds a value each time it is given.
template <typename Options, typename Value, typename Parse>
Option<Options> list(OptionText text, std::vector<Value> Options::*member, Parse parse) {
    text.repeats = true;
    return {std::move(text),
            [=](Options& options, const std::string& given) -> protocol::Result<void> {
                auto value = parse(given);
                if (!value) return value.error();
                (options.*member).push_back(*std::move(value));
                return {};
            }};
}

// "CERT,KEY": two PEM files.
template <typename Options>
Option<Options> certificate(OptionText text, std::string Options::*file,
                            std::string Options::*key) {
    return {std::move(text),
            [=](Options& options, const std::string& value) -> protocol::Result<void> {
                const auto files = parse_certificate(value);
                if (!files) return files.error();
                std::tie(options.*file, options.*key) = *files;
                return {};
            }};
}

template <typename Options>
Option<Options> flag(OptionText text, bool Options::*member) {
    return {std::move(text),
            [=](Options& options, const std::string& value) -> protocol::Result<void> {
                options.*member = value != kUnset;
                return {};
            }};
}

// One of some names.
template <typename Options, typename Member>
Option<Options> choice(OptionText text, Member Options::*member,
                       std::vector<std::pair<std::string, Member>> names) {
    const auto parse = [names](const std::string& value) -> protocol::Result<Member> {
        std::string expected;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i].first == value) return names[i].second;
            const char* joint = i == 0 ? "" : i + 1 < names.size() ? ", " : " or ";
            expected += joint + names[i].first;
        }
        return bad_input("read {}, expected {}", protocol::quoted(value), expected);
    };
    const auto print = [names](const Member& value) {
        return std::ranges::find(names, value, &std::pair<std::string, Member>::second)->first;
    };
    for (const auto& [name, member_value] : names) text.choices.push_back(name);
    return value(std::move(text), member, parse, print, parse);
}

template <typename Options>
Option<Options> color_row(OptionText text, ColorMode Options::*member) {
    return choice(std::move(text), member,
                  {{"auto", ColorMode::Auto},
                   {"always", ColorMode::Always},
                   {"never", ColorMode::Never}});
}

// ---- tables ----

// A row or a table for a part of other options. `part` is a member, or a function that returns
// the part.
template <typename Options, typename Part, typename Inner>
Option<Options> within(Part part, const Option<Inner>& row) {
    const auto on_part = [part](const typename Option<Inner>::Read& read) {
        typename Option<Options>::Read on_whole;
        if (read) {
            on_whole = [part, read](Options& options, const std::string& value) {
                return read(std::invoke(part, options), value);
            };
        }
        return on_whole;
    };
    Option<Options> lifted{row.text, on_part(row.set), {}, on_part(row.recall), row.in_record};
    if (row.print) {
        lifted.print = [part, print = row.print](const Options& options) {
            return print(std::invoke(part, options));
        };
    }
    return lifted;
}
template <typename Options, typename Part, typename Inner>
OptionTable<Options> within(Part part, const OptionTable<Inner>& rows) {
    OptionTable<Options> table;
    for (const Option<Inner>& row : rows) table.push_back(within<Options>(part, row));
    return table;
}

template <typename Options, typename Base>
void append(OptionTable<Options>& table, const OptionTable<Base>& rows) {
    table.insert(table.end(), rows.begin(), rows.end());
}

// The row of an option by its long name; null if there is none.
auto find_row(auto& table, std::string_view option) {
    const auto row = std::ranges::find_if(
        table, [&](const auto& candidate) { return long_name(candidate.text) == option; });
    return row == table.end() ? nullptr : &*row;
}

// The texts for the help, with defaults filled in.
template <typename Options>
std::vector<OptionText> texts_of(const OptionTable<Options>& table, const Options& defaults) {
    std::vector<OptionText> texts;
    for (const Option<Options>& row : table) {
        texts.push_back(row.text);
        std::string& help = texts.back().help;
        const auto place = help.find("{}");
        if (place != help.npos) help.replace(place, 2, row.print(defaults));
    }
    return texts;
}

// ---- the configuration of a record ----

template <typename Options>
Configuration configuration_of(const OptionTable<Options>& table, const Options& options) {
    Configuration all;
    for (const Option<Options>& row : table) {
        if (row.in_record) all.emplace_back(long_name(row.text), row.print(options));
    }
    std::ranges::sort(all);
    return all;
}

// Sets those options of the table that `configuration` has. Errors: values that
// configuration_of() does not write.
template <typename Options>
protocol::Result<void> recall(const OptionTable<Options>& table,
                              const Configuration& configuration, Options& options) {
    for (const auto& [name, value] : configuration) {
        const auto* row = find_row(table, name);
        if (row == nullptr || !row->in_record) continue;
        const auto done = row->recall(options, value);
        if (!done) return bad_input("the record's {}: {}", name, done.error().text);
    }
    return {};
}

// ---- the command line ----

using Words = std::vector<std::string>;
using Given = std::set<std::string, std::less<>>;  // names of the options that were given

template <typename Options>
using Parsed = std::variant<Options, HelpText, UsageError>;

// The options of a command, its help and its checks.
template <typename Options>
struct CommandLine {
    // `head` and `tail` are the help before and after the options.
    CommandLine(std::string_view the_program, OptionTable<Options> the_table,
                std::string_view the_head, std::string_view the_tail = {})
        : program(the_program), table(std::move(the_table)), head(the_head), tail(the_tail) {}

    std::string program;  // "nim-arena match"
    OptionTable<Options> table;
    std::string head, tail;
    // A long help is cut to one screen: --help lists these options alone. `nim-arena help
    // COMMAND all` and the manual have all of them, with `details` before and `reference` at
    // the end.
    std::vector<std::string_view> common;
    std::string details, reference;
    Options options;                          // the defaults
    typename Option<Options>::Read argument;  // takes a positional argument
    std::function<protocol::Result<void>(Options&, const Given&)> finish;
    // Adds arguments from elsewhere; the texts say which options there are.
    std::function<protocol::Result<void>(std::vector<Argument>&,
                                         const std::vector<OptionText>&)>
        expand;
};

template <typename Options>
std::string full_help(const CommandLine<Options>& line) {
    const auto texts = texts_of(line.table, line.options);
    if (texts.empty()) return line.head + line.tail;
    std::string head = line.head + line.details;
    while (head.ends_with("\n\n")) head.pop_back();  // the options begin with an empty line
    return head + describe_options(texts) + line.tail + line.reference;
}

// What --help prints.
template <typename Options>
std::string short_help(const CommandLine<Options>& line) {
    if (line.common.empty()) return full_help(line);
    CommandLine<Options> cut = line;
    cut.details = cut.reference = {};
    std::erase_if(cut.table, [&](const Option<Options>& row) {
        return std::ranges::find(line.common, long_name(row.text)) == line.common.end();
    });
    for (Option<Options>& row : cut.table) row.text.help = first_clause(row.text.help);
    cut.tail += refer_to_all(line.program);
    return full_help(cut);
}

template <typename Options>
protocol::Result<void> take(CommandLine<Options>& line, const Argument& argument) {
    if (argument.option.empty()) return line.argument(line.options, argument.value);
    const auto* row = find_row(line.table, argument.option);
    const bool is_missing = argument.value == kMissing;
    const auto done = row->set(line.options, is_missing ? "" : argument.value);
    if (is_missing) {
        return bad_input("--{} is given without its value: {}", argument.option,
                         done ? fmt::format("expected {}", row->text.value)
                              : protocol::describe(done.error()));
    }
    if (!done) return locate("--" + argument.option, argument.value, done.error());
    return {};
}

template <typename Options>
protocol::Result<void> take_all(CommandLine<Options>& line, std::vector<Argument> arguments,
                                const std::vector<OptionText>& texts) {
    if (line.expand) {
        const auto expanded = line.expand(arguments, texts);
        if (!expanded) return expanded;
    }
    Given given;
    for (const Argument& argument : arguments) {
        const auto taken = take(line, argument);
        if (!taken) return taken;
        given.insert(argument.option);
    }
    return line.finish ? line.finish(line.options, given) : protocol::Result<void>();
}

// Takes the options in the order of `words`.
template <typename Options>
Parsed<Options> parse(CommandLine<Options> line, const Words& words) {
    const auto texts = texts_of(line.table, line.options);
    auto arguments = split_arguments(texts, words);
    if (!arguments) return usage_error(line.program, arguments.error());
    if (find_value(*arguments, "help") != nullptr) return HelpText{short_help(line)};
    if (const auto* format = find_value(*arguments, "help-format")) {
        if (*format == kHelpAll) return HelpText{full_help(line)};
        auto help = format_help(*format, line.program, line.head + line.details, texts,
                                line.tail + line.reference);
        if (!help) return usage_error(line.program, help.error());
        return HelpText{*std::move(help)};
    }
    const auto taken = take_all(line, *std::move(arguments), texts);
    if (!taken) return usage_error(line.program, taken.error());
    return std::move(line.options);
}

// Takes the argument of a command whose only argument is the file of a record.
template <typename Options>
protocol::Result<void> take_record(Options& options, const std::string& file) {
    if (!options.record.empty()) {
        return bad_input("read {} after the record {}, expected options",
                         protocol::quoted(file), protocol::quoted(options.record));
    }
    options.record = file;
    return {};
}

// Prints the help or an error, or runs the command. Returns the exit status.
template <typename Options, typename Run>
int run(const Parsed<Options>& parsed, const Run& run_command) {
    if (const auto* help = std::get_if<HelpText>(&parsed)) return print_help(*help);
    if (const auto* error = std::get_if<UsageError>(&parsed)) return print_error(*error);
    return run_command(std::get<Options>(parsed));
}

}  // namespace arena
