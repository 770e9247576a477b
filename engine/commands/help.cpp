// The help, manual page and completions of nim-engine, from the rows of its commands.
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "engine/commands/command.hpp"

namespace engine {
namespace {

const std::string kProgram = "nim-engine";

constexpr std::array kOfEveryCommand{
    Option{"--hash", "MB", "", "memory limit of all tables together (512)"},
    Option{"--rulesets", "FILE", "", "names for rulesets, one `name = ruleset` a line"}};

// "--limit HEAPS"
std::string shown(const Option& option) {
    std::string text(option.name);
    if (!option.value.empty()) text.append(" ").append(option.value);
    return text;
}

std::string usage_of(const Command& command) {
    return fmt::format("{} {} {} [OPTION]...", kProgram, command.name, command.usage);
}

// A line for each, what it does in a column of its own.
std::string lines_of(std::span<const Option> options) {
    std::size_t width = 0;
    for (const Option& option : options) width = std::max(width, shown(option).size());
    std::string text;
    for (const Option& option : options)
        text += fmt::format("  {:<{}}  {}\n", shown(option), width, option.help);
    return text;
}

std::vector<protocol::OptionHelp> help_of(std::span<const Option> options) {
    std::vector<protocol::OptionHelp> helps;
    for (const Option& option : options) {
        if (!option.name.starts_with("--")) continue;
        helps.push_back({"Options",
                         std::string(option.name.substr(2)),
                         "",
                         std::string(option.value),
                         std::string(option.help),
                         {option.choices.begin(), option.choices.end()}});
    }
    return helps;
}

std::vector<protocol::OptionHelp> with_common(std::vector<protocol::OptionHelp> options) {
    const auto common = help_of(kOfEveryCommand);
    options.insert(options.end(), common.begin(), common.end());
    return options;
}

std::string manual_of(std::span<const Command> commands) {
    protocol::CommandHelp help{kProgram, "", {}, with_common(protocol::bot_options()), {}, {}};
    help.head = fmt::format(
        "Usage: {0} [OPTION]...\n       {0} COMMAND [ARGUMENT]...\n\n"
        "Plays impartial games perfectly, or runs one command. Without a command it speaks the "
        "Universal Game Interface over standard input and output.\n\n{1}",
        kProgram, list_of(commands));
    for (const Command& command : commands) {
        help.tail +=
            fmt::format("{}:\n  {}\n\n{}.\n\n{}\n{}\n", command.name, usage_of(command),
                        command.help, lines_of(command.options), command.examples);
    }
    return manual_page(help);
}

}  // namespace

std::string list_of(std::span<const Command> commands) {
    std::string text;
    for (const Command& command : commands)
        text += fmt::format("  {:<10}{}\n", command.name, command.help);
    return text;
}

std::string help_of(const Command& command) {
    return fmt::format("usage: {}\n\n{}\n\n{}\nAs for every command:\n{}\n{}",
                       usage_of(command), command.help, lines_of(command.options),
                       lines_of(kOfEveryCommand), command.examples);
}

std::string help_in(protocol::HelpFormat format, std::span<const Command> commands) {
    if (format == protocol::HelpFormat::Man) return manual_of(commands);
    std::vector<protocol::CommandSummary> summaries;
    std::string parts;
    for (const Command& command : commands) {
        const std::string name(command.name);
        summaries.push_back({name, std::string(command.help)});
        parts += completion_part(
            format, {kProgram, name, {}, with_common(help_of(command.options)), {}, {}});
    }
    parts += completion_part(format,
                             {kProgram, "", {}, with_common(protocol::bot_options()), {}, {}});
    return completion_head(format, kProgram, summaries) + parts +
           completion_end(format, kProgram);
}

// ---- the terms ----

namespace {

// "Misère quotient" as "misere-quotient".
std::string plain(std::string_view word) {
    constexpr std::string_view kAccent = "è";
    std::string text(word);
    if (const auto at = text.find(kAccent); at != text.npos)
        text.replace(at, kAccent.size(), "e");
    std::ranges::replace(text, ' ', '-');
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

// A paragraph each: "NAME: OTHERS", lines of text, and "Try: nim-engine EXAMPLE".
std::vector<Term> read_terms() {
    constexpr std::string_view kTry = "Try: nim-engine ";
    std::vector<Term> terms;
    std::string_view rest = kGlossary;
    while (!rest.empty()) {
        const std::size_t head = rest.find('\n'), end = rest.find(kTry),
                          after = rest.find('\n', end);
        const std::size_t colon = rest.find(':'), example = end + kTry.size();
        terms.push_back({rest.substr(0, colon), rest.substr(colon + 1, head - colon - 1),
                         rest.substr(head + 1, end - head - 1),
                         rest.substr(example, after - example)});
        rest.remove_prefix(std::min(after + 2, rest.size()));
    }
    return terms;
}

}  // namespace

std::span<const Term> all_terms() {
    static const auto terms = read_terms();
    return terms;
}

const Term* find_term(std::string_view word) {
    const std::string wanted = plain(word);
    if (wanted.empty()) return nullptr;
    const auto means = [&](const Term& term) {
        if (plain(term.name) == wanted) return true;
        return fmt::format(" {} ", term.others).find(" " + wanted + " ") != std::string::npos;
    };
    const auto found = std::ranges::find_if(all_terms(), means);
    return found == all_terms().end() ? nullptr : &*found;
}

std::string text_of(const Term& term) {
    return fmt::format("{}\n{}\nTry: nim-engine {}\n", term.name, term.text, term.example);
}

std::string list_of_terms() {
    constexpr std::size_t kWidth = 76;
    std::string text, line = " ";
    for (const Term& term : all_terms()) {
        const std::string word =
            fmt::format(" {}{}", term.name, &term == &all_terms().back() ? "" : ",");
        if (line.size() + word.size() > kWidth) {
            text += line + "\n";
            line = " ";
        }
        line += word;
    }
    return text + line + "\n";
}

}  // namespace engine
