// The help of nim-engine as a manual page and as completions, from the rows of its commands.
#include <algorithm>

#include <fmt/format.h>

#include "engine/commands/command.hpp"
#include "protocol/text.hpp"

namespace engine {
namespace {

const std::string kProgram = "nim-engine";
const std::vector<protocol::OptionHelp> kOfEveryCommand{
    {"Options", "rulesets", "", "FILE", "names for rulesets, one `name = ruleset` a line"},
    {"Options", "hash", "", "MB",
     "what all tables may hold together (512), for a command or with --listen"}};

// What `details` says after "  --limit HEAPS"; empty where it has no such line.
std::string help_of_option(std::string_view details, const std::string& words) {
    while (!details.empty()) {
        const auto end = std::min(details.find('\n'), details.size());
        std::string_view line = details.substr(0, end);
        details.remove_prefix(std::min(end + 1, details.size()));
        if (line.starts_with("  " + words + " "))
            return std::string(protocol::trim(line.substr(words.size() + 2)));
    }
    return {};
}

// The options in a usage such as "POSITION [--time MS] [--json]".
std::vector<protocol::OptionHelp> options_of(const Command& command) {
    std::string usage(command.usage);
    std::ranges::replace_if(
        usage, [](char c) { return c == '[' || c == ']' || c == '|' || c == '\n'; }, ' ');
    const auto words = protocol::split_words(usage);
    std::vector<protocol::OptionHelp> options;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!words[i].starts_with("--")) continue;
        const std::string name(words[i].substr(2));
        if (std::ranges::find(options, name, &protocol::OptionHelp::name) != options.end())
            continue;
        const bool has_value =
            i + 1 < words.size() && words[i + 1].front() >= 'A' && words[i + 1].front() <= 'Z';
        const std::string value(has_value ? words[i + 1] : "");
        const std::string shown = "--" + name + (has_value ? " " + value : "");
        options.push_back({"Options", name, "", value, help_of_option(command.details, shown)});
        if (name == "losing") options.back().choices = {"random", "longest", "trap"};
    }
    options.insert(options.end(), kOfEveryCommand.begin(), kOfEveryCommand.end());
    return options;
}

std::string manual_of(std::span<const Command> commands) {
    protocol::CommandHelp help{kProgram, "", {}, protocol::bot_options(), {}, {}};
    help.head = fmt::format(
        "Usage: {0} [OPTION]...\n       {0} COMMAND [ARGUMENT]...\n\n"
        "Plays impartial games perfectly, or runs one command. Without a command it speaks the "
        "Universal Game Interface over standard input and output.\n\n{1}",
        kProgram, list_of(commands));
    help.options.insert(help.options.end(), kOfEveryCommand.begin(), kOfEveryCommand.end());
    for (const Command& command : commands) {
        help.tail += fmt::format("{0}:\n  {1} {0} {2}\n\n{3}.\n\n{4}\n", command.name, kProgram,
                                 command.usage, command.help, command.details);
    }
    return manual_page(help);
}

}  // namespace

std::string help_in(protocol::HelpFormat format, std::span<const Command> commands) {
    if (format == protocol::HelpFormat::Man) return manual_of(commands);
    std::vector<protocol::CommandSummary> summaries;
    std::string parts;
    for (const Command& command : commands) {
        const std::string name(command.name);
        summaries.push_back({name, std::string(command.help)});
        parts += completion_part(format, {kProgram, name, {}, options_of(command), {}, {}});
    }
    auto own = protocol::bot_options();
    own.insert(own.end(), kOfEveryCommand.begin(), kOfEveryCommand.end());
    parts += completion_part(format, {kProgram, "", {}, std::move(own), {}, {}});
    return completion_head(format, kProgram, summaries) + parts +
           completion_end(format, kProgram);
}

}  // namespace engine
