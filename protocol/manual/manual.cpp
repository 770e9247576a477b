// Manual pages and completion scripts from one table of options. A page is --help in roff: an
// indented block stays as it is, a line that ends in ':' is a heading, the rest is filled. A
// completion script offers options, the values of those that take one of some words
// ("on|off|LIST": on, off), and files elsewhere.
#include "protocol/manual/manual.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/replace.hpp>

#include "protocol/text.hpp"

namespace protocol {
namespace {

// ---- texts ----

constexpr std::array<std::pair<std::string_view, HelpFormat>, 4> kFormats{
    {{"man", HelpFormat::Man},
     {"bash", HelpFormat::Bash},
     {"zsh", HelpFormat::Zsh},
     {"fish", HelpFormat::Fish}}};

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    return boost::replace_all_copy(std::string(text), from, to);
}

std::string_view take_line(std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

// Lines up to an empty one.
std::vector<std::string_view> take_block(std::string_view& text) {
    std::vector<std::string_view> block;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (line.empty() && !block.empty()) break;
        if (!line.empty()) block.push_back(line);
    }
    return block;
}

// The words that a value may be.
std::vector<std::string> choices_of(const OptionHelp& option) {
    std::vector<std::string> choices = option.choices;
    if (!choices.empty() || option.value.find('|') == std::string::npos) return choices;
    std::string_view rest = option.value;
    while (!rest.empty()) {
        const auto end = std::min(rest.find('|'), rest.size());
        std::string_view word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const auto is_variable = [](char c) { return (c >= 'A' && c <= 'Z') || c == '['; };
        word = word.substr(0, static_cast<std::size_t>(std::ranges::find_if(word, is_variable) -
                                                       word.begin()));
        if (!word.empty()) choices.emplace_back(word);
    }
    return choices;
}

bool takes_file(const OptionHelp& option) {
    return option.value.find("FILE") != std::string::npos ||
           option.value.find("DIR") != std::string::npos || option.value == "CERT,KEY";
}

// A word of a script, between single quotes.
std::string shell_quoted(std::string_view text) {
    return "'" + replaced(text, "'", "'\\''") + "'";
}
// fish has two escapes between single quotes: \\ and \'.
std::string fish_quoted(std::string_view text) {
    return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

// The names as one word of a script.
std::string names_of(std::span<const CommandSummary> commands) {
    std::vector<std::string> names;
    for (const CommandSummary& command : commands) names.push_back(command.name);
    return shell_quoted(boost::join(names, " "));
}

std::string function_name(const std::string& program) {
    return "_" + replaced(program, "-", "_");
}

// ---- the page ----

// A line of text in roff.
std::string roff(std::string_view line) {
    std::string text = replaced(replaced(line, "\\", "\\e"), "-", "\\-");
    const bool is_request = text.starts_with('.') || text.starts_with('\'');
    return (is_request ? "\\&" : "") + text;
}

class Page {
  public:
    explicit Page(const CommandHelp& help) : help_(help) {}

    std::string text() && {
        std::string_view head = help_.head;
        const auto usage = take_block(head);
        add_name(head);
        add_heading("SYNOPSIS");
        std::vector<std::string_view> lines;
        for (std::string_view line : usage) {
            const auto skipped = line.starts_with("Usage: ") ? 7 : line.find_first_not_of(' ');
            line.remove_prefix(std::min(skipped, line.size()));
            lines.push_back(line);
        }
        add_as_it_is(lines);
        add_heading("DESCRIPTION");
        add_blocks(head);
        add_options();
        add_blocks(help_.tail);
        add_see_also();
        return std::move(page_);
    }

  private:
    std::string name() const {
        return help_.command.empty() ? help_.program : help_.program + "-" + help_.command;
    }

    // The first sentence without its end.
    void add_name(std::string_view description) {
        std::string sentence;
        for (const std::string_view line : take_block(description)) {
            sentence += (sentence.empty() ? "" : " ") + std::string(line);
        }
        sentence = sentence.substr(0, sentence.find(". "));
        while (sentence.ends_with('.') || sentence.ends_with(':')) sentence.pop_back();
        page_ = ".TH " + boost::to_upper_copy(name()) +
                " 1 \"\" \"Nimarena " NIMARENA_VERSION "\"\n";
        add_heading("NAME");
        page_ += roff(name()) + " \\- " + roff(sentence) + "\n";
    }

    void add_heading(std::string_view heading) {
        page_ += ".SH " + boost::to_upper_copy(std::string(heading)) + "\n";
    }

    void add_as_it_is(std::span<const std::string_view> lines) {
        page_ += ".nf\n";
        for (const std::string_view line : lines) page_ += roff(line) + "\n";
        page_ += ".fi\n";
    }

    // Paragraphs, each of filled lines, indented ones, or both.
    void add_blocks(std::string_view text) {
        while (!text.empty()) {
            const auto block = take_block(text);
            auto next = block.begin();
            if (next != block.end() && is_heading(block)) {
                add_heading(next->substr(0, next->size() - 1));
                ++next;
            } else if (next != block.end()) {
                page_ += ".PP\n";
            }
            const auto is_indented = [](std::string_view line) {
                return line.starts_with(' ');
            };
            while (next != block.end()) {
                const auto indented = std::find_if(next, block.end(), is_indented);
                for (; next != indented; ++next) page_ += roff(*next) + "\n";
                const auto filled = std::find_if_not(next, block.end(), is_indented);
                if (next != filled) add_as_it_is({next, filled});
                next = filled;
            }
        }
    }

    // "Examples:" above indented lines.
    static bool is_heading(const std::vector<std::string_view>& block) {
        return block.size() > 1 && block[0].ends_with(':') &&
               block[0].size() <= std::string_view("Exit status: ").size() &&
               block[1].starts_with(' ');
    }

    void add_options() {
        if (help_.options.empty()) return;
        add_heading("OPTIONS");
        std::string_view group;
        for (const OptionHelp& option : help_.options) {
            if (option.group != group && option.group != "Options") {
                page_ += ".SS " + option.group + "\n";
            }
            group = option.group;
            page_ += ".TP\n\\fB" + roff("--" + option.name) + "\\fR";
            if (!option.letter.empty()) page_ += ", \\fB\\-" + option.letter + "\\fR";
            if (!option.value.empty()) page_ += " \\fI" + roff(option.value) + "\\fR";
            page_ += "\n" + roff(option.help) + "\n";
        }
    }

    void add_see_also() {
        if (help_.see_also.empty()) return;
        add_heading("SEE ALSO");
        std::string text;
        for (const std::string& page : help_.see_also) {
            text += (text.empty() ? ".BR " : " (1),\n.BR ") + replaced(page, "-", "\\-");
        }
        page_ += text + " (1)\n";
    }

    const CommandHelp& help_;
    std::string page_;
};

// ---- bash ----

std::string bash_part(const CommandHelp& help) {
    std::vector<std::string> options;
    std::string values;
    for (const OptionHelp& option : help.options) {
        options.push_back("--" + option.name);
        const auto choices = choices_of(option);
        if (choices.empty()) continue;
        values += "            --" + option.name +
                  ") values=" + shell_quoted(boost::join(choices, " ")) + " ;;\n";
    }
    std::string part = "        " + (help.command.empty() ? "*" : help.command) + ")\n";
    part += "            options=" + shell_quoted(boost::join(options, " ")) + "\n";
    if (!values.empty()) {
        part += "            case $previous in\n" + values + "            esac\n";
    }
    return part + "            ;;\n";
}

std::string bash_head(const std::string& program, std::span<const CommandSummary> commands) {
    return "# Completion of " + program + " for bash, made by `" + program +
           " --help-format bash`.\n" + function_name(program) +
           "() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    # --color=auto is three words: bash breaks at '='.\n"
           "    if [[ $current == = ]]; then\n"
           "        current=\n"
           "    elif [[ $previous == = ]]; then\n"
           "        previous=${COMP_WORDS[COMP_CWORD-2]}\n"
           "    fi\n"
           "    local commands=" +
           names_of(commands) +
           " options= values=\n"
           "    case ${COMP_WORDS[1]} in\n";
}

std::string bash_end(const std::string& program) {
    return "    esac\n"
           "    if [[ -z $values && $current == -* ]]; then\n"
           "        values=$options\n"
           "    elif [[ $COMP_CWORD == 1 || ($COMP_CWORD == 2 && $previous == help) ]]; then\n"
           "        values=${values:-$commands}\n"
           "    fi\n"
           "    COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
           "}\n"
           "complete -o default -F " +
           function_name(program) + " " + program + "\n";
}

// ---- zsh ----

// Escapes what has a meaning in a specification of _arguments.
std::string zsh_text(std::string_view text) {
    return replaced(replaced(replaced(text, "[", "\\["), "]", "\\]"), ":", "\\:");
}

std::string zsh_part(const CommandHelp& help) {
    std::string part = "        " + (help.command.empty() ? "*" : help.command) + ")\n";
    part += "            _arguments \\\n";
    for (const OptionHelp& option : help.options) {
        std::string spec = "*--" + option.name + (option.value.empty() ? "" : "=") + "[" +
                           zsh_text(option.help) + "]";
        const auto choices = choices_of(option);
        if (!option.value.empty()) {
            spec += ":" + zsh_text(option.value) + ":";
            if (!choices.empty()) spec += "(" + boost::join(choices, " ") + ")";
            if (takes_file(option)) spec += "_files";
        }
        part += "                " + shell_quoted(spec) + " \\\n";
    }
    return part + "                '*: :_files'\n            ;;\n";
}

std::string zsh_head(const std::string& program, std::span<const CommandSummary> commands) {
    std::string head = "#compdef " + program + "\n# Made by `" + program +
                       " --help-format zsh`.\n" + function_name(program) + "() {\n";
    if (!commands.empty()) {
        head += "    local -a commands=(\n";
        for (const CommandSummary& command : commands) {
            head += "        " +
                    shell_quoted(command.name + ":" + replaced(command.summary, ":", "\\:")) +
                    "\n";
        }
        head +=
            "    )\n"
            "    if [[ $CURRENT == 2 && $words[2] != -* ||\n"
            "          $CURRENT == 3 && $words[2] == help ]]; then\n"
            "        _describe command commands\n"
            "        return\n"
            "    fi\n";
    }
    return head + "    case $words[2] in\n";
}

std::string zsh_end(const std::string& program) {
    return "    esac\n}\n" + function_name(program) + " \"$@\"\n";
}

// ---- fish ----

std::string fish_part(const CommandHelp& help) {
    std::string part;
    for (const OptionHelp& option : help.options) {
        part += "complete -c " + help.program;
        if (!help.command.empty()) {
            part += " -n '__fish_seen_subcommand_from " + help.command + "'";
        }
        part += " -l " + option.name;
        if (!option.letter.empty()) part += " -s " + option.letter;
        const auto choices = choices_of(option);
        if (!choices.empty()) {
            part += " -x -a " + fish_quoted(boost::join(choices, " "));
        } else if (takes_file(option)) {
            part += " -r -F";
        } else if (!option.value.empty()) {
            part += " -x";
        }
        part += " -d " + fish_quoted(option.help) + "\n";
    }
    return part;
}

std::string fish_head(const std::string& program, std::span<const CommandSummary> commands) {
    std::string head = "# Completion of " + program + " for fish, made by `" + program +
                       " --help-format fish`.\n";
    for (const CommandSummary& command : commands) {
        head += "complete -c " + program + " -n __fish_use_subcommand -f -a " + command.name +
                " -d " + fish_quoted(command.summary) + "\n";
    }
    if (commands.empty()) return head;
    return head + "complete -c " + program + " -n '__fish_seen_subcommand_from help' -f -a " +
           names_of(commands) + "\n";
}

// How the script for a shell begins, what it says of a command, and how it ends.
struct Shell {
    std::string (*head)(const std::string& program, std::span<const CommandSummary> commands);
    std::string (*part)(const CommandHelp& help);
    std::string (*end)(const std::string& program);
};

// Of a format that is not Man.
const Shell& shell_of(HelpFormat format) {
    static constexpr Shell kBash{bash_head, bash_part, bash_end};
    static constexpr Shell kZsh{zsh_head, zsh_part, zsh_end};
    static constexpr Shell kFish{fish_head, fish_part,
                                 [](const std::string&) { return std::string(); }};
    return format == HelpFormat::Bash ? kBash : format == HelpFormat::Zsh ? kZsh : kFish;
}

}  // namespace

Result<HelpFormat> parse_help_format(std::string_view text) {
    for (const auto& [name, format] : kFormats) {
        if (name == text) return format;
    }
    return Error{Fault::BadInput, "read " + quoted(text) + ", expected man, bash, zsh or fish",
                 0};
}

std::string manual_page(const CommandHelp& help) { return Page(help).text(); }

std::string completion_head(HelpFormat shell, const std::string& program,
                            std::span<const CommandSummary> commands) {
    return shell_of(shell).head(program, commands);
}

std::string completion_part(HelpFormat shell, const CommandHelp& help) {
    return shell_of(shell).part(help);
}

std::string completion_end(HelpFormat shell, const std::string& program) {
    return shell_of(shell).end(program);
}

std::string help_in(HelpFormat format, const CommandHelp& help) {
    if (format == HelpFormat::Man) return manual_page(help);
    return completion_head(format, help.program, {}) + completion_part(format, help) +
           completion_end(format, help.program);
}

Result<std::string> bot_manual(std::string_view name, std::string_view program,
                               std::string_view about) {
    const auto format = parse_help_format(name);
    if (!format) return format.error();
    CommandHelp help{std::string(program), {}, {}, bot_options(), {}, {}};
    help.head = "Usage: " + help.program + " [OPTION]...\n\n" + std::string(about);
    return help_in(*format, help);
}

}  // namespace protocol
