// Manual pages and shell completions, made from what a program says of its options: the text of
// `--help` in other forms.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/bot.hpp"
#include "protocol/result.hpp"

namespace protocol {

enum class HelpFormat { Man, Bash, Zsh, Fish };

// Reads the value of --help-format.
Result<HelpFormat> parse_help_format(std::string_view text);

// The help of a program, or of one of its commands.
struct CommandHelp {
    std::string program;  // "nim-arena"
    std::string command;  // "match"; empty: the program
    // "Usage: …", an empty line, and paragraphs. The first sentence sums them up.
    std::string head;
    std::vector<OptionHelp> options;
    std::string tail;                   // paragraphs after the options
    std::vector<std::string> see_also;  // other manual pages
};

// A page of section 1, for man.
std::string manual_page(const CommandHelp& help);

struct CommandSummary {
    std::string name, summary;
};

// The script of a program with commands is a head, a part for each command, and an end. The
// program's own options are a part too, of an empty command; it comes last.
std::string completion_head(HelpFormat shell, const std::string& program,
                            std::span<const CommandSummary> commands);
std::string completion_part(HelpFormat shell, const CommandHelp& help);
std::string completion_end(HelpFormat shell, const std::string& program);

// The page, or the script of a program without commands.
std::string help_in(HelpFormat format, const CommandHelp& help);

// help_in() for the options of bot_main(); see BotInfo::manual. Error: no such format. `about`:
// paragraphs after the usage.
Result<std::string> bot_manual(std::string_view format, std::string_view program,
                               std::string_view about);

}  // namespace protocol
