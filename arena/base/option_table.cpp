#include "arena/base/option_table.hpp"

#include <iterator>
#include <tuple>

#include <fmt/format.h>

#include "arena/base/counted.hpp"

namespace arena {

using protocol::Result;

// ---- rows ----

Result<std::uint64_t> parse_any_count(const std::string& text) {
    return parse_count(text, 0, protocol::kMaxNumber);
}

Result<std::uint64_t> parse_even_count(const std::string& text, std::uint64_t most) {
    const auto count = parse_count(text, 2, most);
    if (count && *count % 2 == 0) return count;
    return bad_input(
        "read {}, expected an even number 2..{}: from each position both players move first "
        "once",
        protocol::quoted(text), most);
}

Option milliseconds(OptionText text, std::chrono::milliseconds& variable, std::uint64_t least) {
    const auto parse = [=](const std::string& value) {
        return parse_milliseconds(value, least);
    };
    const auto recall = [](const std::string& value) { return parse_milliseconds(value, 0); };
    return value(std::move(text), variable, parse, kPrinted, recall);
}

Option size(OptionText text, std::uint64_t& variable, std::uint64_t least) {
    const auto parse = [=](const std::string& value) { return parse_size(value, least); };
    return value(std::move(text), variable, parse, size_text, parse);
}

Option text(OptionText words, std::string& variable, const char* what) {
    const auto parse = [=](const std::string& value) -> Result<std::string> {
        if (value.empty()) return bad_input("expected {}, found nothing", what);
        return value;
    };
    const auto recall = [](const std::string& value) { return Result<std::string>(value); };
    return value(std::move(words), variable, parse, kPrinted, recall);
}

Option certificate(OptionText text, std::string& file, std::string& key) {
    return {std::move(text), [&](const std::string& value) -> Result<void> {
                const auto files = parse_certificate(value);
                if (!files) return files.error();
                std::tie(file, key) = *files;
                return {};
            }};
}

Option flag(OptionText text, bool& variable) {
    return {std::move(text), [&](const std::string& value) -> Result<void> {
                variable = value != kUnset;
                return {};
            }};
}

protocol::Error refuse_choice(const std::string& value, const std::vector<std::string>& names) {
    return bad_input("read {}, expected {}", protocol::quoted(value), listed(names, "or"));
}

Option color_row(OptionText text, ColorMode& variable) {
    return choice(std::move(text), variable,
                  {{"auto", ColorMode::Auto},
                   {"always", ColorMode::Always},
                   {"never", ColorMode::Never}});
}

// ---- tables ----

OptionTable join(std::initializer_list<OptionTable> parts) {
    OptionTable table;
    for (const OptionTable& part : parts) table.insert(table.end(), part.begin(), part.end());
    return table;
}

std::vector<OptionText> texts_of(const OptionTable& table) {
    std::vector<OptionText> texts;
    for (const Option& row : table) {
        texts.push_back(row.text);
        std::string& help = texts.back().help;
        const auto place = help.find("{}");
        if (place != help.npos) help.replace(place, 2, row.print());
    }
    return texts;
}

// ---- the configuration of a record ----

Configuration configuration_of(const OptionTable& table) {
    Configuration all;
    for (const Option& row : table) {
        if (row.in_record) all.emplace_back(long_name(row.text), row.print());
    }
    std::ranges::sort(all);
    return all;
}

Result<void> recall(const OptionTable& table, const Configuration& configuration) {
    for (const auto& [name, value] : configuration) {
        const auto* row = find_row(table, name);
        if (row == nullptr || !row->in_record) continue;
        const auto done = row->recall(value);
        if (!done) return bad_input("the record's {}: {}", name, done.error().text);
    }
    return {};
}

// ---- the command line ----

CommandLine::CommandLine(std::string_view the_program, OptionTable the_table,
                         std::string_view the_head, std::string_view the_tail)
    : program(the_program), table(std::move(the_table)), head(the_head), tail(the_tail) {}

namespace {

std::string full_help(const CommandLine& line) {
    const auto texts = texts_of(line.table);
    if (texts.empty()) return line.head + line.tail;
    std::string head = line.head + line.details;
    while (head.ends_with("\n\n")) head.pop_back();  // the options begin with an empty line
    return head + describe_options(texts) + line.tail + line.reference;
}

// What --help prints.
std::string short_help(const CommandLine& line) {
    if (line.common.empty()) return full_help(line);
    CommandLine cut = line;
    cut.details = cut.reference = {};
    std::erase_if(cut.table, [&](const Option& row) {
        return std::ranges::find(line.common, long_name(row.text)) == line.common.end();
    });
    for (Option& row : cut.table) {
        row.text.group = "Options";
        row.text.help = first_clause(row.text.help);
    }
    cut.tail += refer_to_all(line.program);
    return full_help(cut);
}

Result<void> take(const CommandLine& line, const Argument& argument) {
    if (argument.option.empty()) return line.argument(argument.value);
    const auto* row = find_row(line.table, argument.option);
    const bool is_missing = argument.value == kMissing;
    const auto done = row->set(is_missing ? "" : argument.value);
    if (is_missing) {
        return bad_input("--{} is given without its value: {}", argument.option,
                         done ? fmt::format("expected {}", row->text.value)
                              : protocol::describe(done.error()));
    }
    if (!done) return locate("--" + argument.option, argument.value, done.error());
    return {};
}

Result<void> take_all(const CommandLine& line, std::vector<Argument> arguments,
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
    return line.finish ? line.finish(given) : Result<void>();
}

}  // namespace

Parsed<std::monostate> parse(const CommandLine& line, const Words& words) {
    const auto texts = texts_of(line.table);
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
    return {};
}

Option::Read takes_record(std::string& record) {
    return [&record](const std::string& file) -> Result<void> {
        if (!record.empty()) {
            return bad_input("read {} after the record {}, expected options",
                             protocol::quoted(file), protocol::quoted(record));
        }
        record = file;
        return {};
    };
}

Result<void> needs_record(const std::string& record) {
    if (!record.empty()) return {};
    return bad_input("read no record, expected its file");
}

Option::Read takes_words(std::vector<std::string>& words) {
    return [&words](const std::string& word) {
        words.push_back(word);
        return Result<void>();
    };
}

}  // namespace arena
