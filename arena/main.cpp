// nim-arena: referees matches between engines.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/command_line.hpp"
#include "arena/base/console.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/heartbeat.hpp"
#include "arena/commands/commands.hpp"
#include "arena/players/sockets.hpp"
#include "arena/process/guardian.hpp"
#include "arena/submissions/tree_archive.hpp"
#include "protocol/manual/manual.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace {

namespace commands = arena::commands;
using commands::Words;

struct Command {
    std::string_view name;
    std::string_view help;
    commands::Run* run;
};
constexpr Command kCommands[] = {
    {"new", "write a bot to start from, in six languages", commands::new_kit},
    {"match", "play games between two players", commands::match},
    {"tournament", "play a tournament, or continue one", commands::tournament},
    {"work", "play for a tournament that machines share", commands::work},
    {"status", "show which machines play into a database, and how far", commands::status},
    {"serve", "run a contest among bots that dial in", commands::serve},
    {"web", "play in a browser, and browse records", commands::web},
    {"init", "write an example of a tournament's file, or an autograder", commands::init},
    {"export", "convert a record: pgn, jsonl, csv, …", commands::export_record},
    {"copy", "copy a record, also between SQLite and PostgreSQL", commands::copy},
    {"standings", "print the table of a record", commands::standings},
    {"games", "list the games of a record", commands::games},
    {"show", "print a game of a record", commands::show},
    {"report", "write pages about a record", commands::report},
    {"replay", "ask its players again, and compare the answers", commands::replay},
    {"check", "test whether a bot follows the protocol", commands::check},
    {"certify", "ask a bot in every position, and prove it right or wrong", commands::certify},
    {"grade", "grade submissions by a rubric", commands::grade},
    {"suite", "draw positions with given properties", commands::suite},
    {"token", "manage the players of a server", commands::token},
    {"doctor", "measure whether this machine can judge by the clock", commands::doctor},
};

constexpr std::string_view kHelpHead =
    R"(Usage: nim-arena COMMAND [ARGUMENT]...

Referees matches between engines that play impartial games.

)";
constexpr std::string_view kHelpTail = R"(
  nim-arena help COMMAND [all]  the options of a command that most need, or all
  nim-arena --version
  nim-arena [COMMAND] --help-format man
                                a page for man
  nim-arena --help-format bash|zsh|fish
                                the completions for a shell

Example:
  nim-arena match "python3 bots/python/nim_bot.py" builtin:perfect --games 10
)";

std::string list_of_commands() {
    std::string text;
    for (const Command& command : kCommands)
        text += fmt::format("  {:<12}{}\n", command.name, command.help);
    return text;
}

std::string help() { return fmt::format("{}{}{}", kHelpHead, list_of_commands(), kHelpTail); }

const Command* find_command(std::string_view name) {
    const auto* command = std::ranges::find(kCommands, name, &Command::name);
    return command == std::end(kCommands) ? nullptr : command;
}

// `others`: what could be there besides a command.
int refuse(std::string_view name, std::initializer_list<std::string_view> others) {
    std::vector<std::string_view> names;
    for (const Command& command : kCommands) names.push_back(command.name);
    const std::string commands = fmt::format("{}", fmt::join(names, ", "));
    names.insert(names.end(), others.begin(), others.end());
    const std::string_view meant = protocol::nearest(name, names);
    const std::string expected =
        meant.empty() ? commands + "; see"
                      : fmt::format("a command; did you mean {}? See", protocol::quoted(meant));
    arena::complain(fmt::format("nim-arena: read {}, expected {} nim-arena --help\n",
                                protocol::quoted(name), expected));
    return arena::kExitUsage;
}

// Prints the help of all commands in a format of --help-format.
int print_formatted_help(const Words& words, const arena::Guardian& guardian) {
    using protocol::HelpFormat;
    const auto format = protocol::parse_help_format(words.empty() ? "" : words[0]);
    if (!format) {
        arena::complain(fmt::format("nim-arena: --help-format: {}\n", format.error().text));
        return arena::kExitUsage;
    }
    const std::string program = "nim-arena";
    protocol::CommandHelp own{
        program, "", std::string(kHelpHead) + list_of_commands(), {}, std::string(kHelpTail),
        {}};
    std::vector<protocol::CommandSummary> summaries;
    for (const Command& command : kCommands) {
        own.see_also.push_back(fmt::format("{}-{}", program, command.name));
        summaries.push_back({std::string(command.name), std::string(command.help)});
    }
    if (*format == HelpFormat::Man) return arena::print_help({manual_page(own)});
    own.options = {{"", "help", "h", "", "the commands"},
                   {"", "version", "", "", "the version"},
                   {"", "help-format", "", protocol::kHelpFormats, protocol::kHelpFormatHelp}};
    summaries.push_back({"help", "the options of a command"});
    int status = arena::print_help({completion_head(*format, program, summaries)});
    for (const Command& command : kCommands) {
        if (status == 0) status = command.run({"--help-format", words[0]}, guardian);
    }
    if (status != 0) return status;
    return arena::print_help(
        {completion_part(*format, own) + completion_end(*format, program)});
}

// `help COMMAND`, and `help COMMAND all` for the options that few need, too.
int print_command_help(const Words& words, const arena::Guardian& guardian) {
    const Command* command = find_command(words[0]);
    if (command == nullptr) return refuse(words[0], {});
    if (words.size() == 1) return command->run({"--help"}, guardian);
    const bool is_all = words[1] == arena::kHelpAll;
    if (is_all && words.size() == 2) return command->run({"--help-format", words[1]}, guardian);
    arena::complain(fmt::format("nim-arena: help {}: read {}, expected {}\n", words[0],
                                protocol::quoted(words[is_all ? 2 : 1]),
                                is_all ? "nothing after 'all'" : "'all' or nothing"));
    return arena::kExitUsage;
}

int dispatch(std::string_view name, const Words& words, const arena::Guardian& guardian) {
    if (name == "--help-format") return print_formatted_help(words, guardian);
    if (name == "help") return print_command_help(words, guardian);
    const Command* command = find_command(name);
    if (command != nullptr) return command->run(words, guardian);
    return refuse(name, {"help", "--help", "--help-format", "--version"});
}

// If the arena was started without a standard stream, the next file that it opens would get its
// number, and output for the stream would go there. Opened for reading, the number only makes
// output fail.
void fill_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);  // the lowest free one
    }
}

// For nim-arena itself, in the sandbox: an archive, which a stranger made, as a tar archive.
int unpack(const std::string& file) {
    std::setlocale(LC_CTYPE, "C.UTF-8");  // names are mostly in UTF-8
    const std::string why = arena::write_as_tar(file, STDOUT_FILENO);
    if (!why.empty()) arena::complain(why + "\n");
    // At exit(), sanitizers would look for leaks by means that the sandbox denies.
    ::_exit(why.empty() ? arena::kExitPlayed : arena::kUnreadable);
}

}  // namespace

int main(int argc, char** argv) {
    fill_standard_streams();
    std::signal(SIGPIPE, SIG_IGN);  // write() reports a reader that has ended
    std::signal(SIGXFSZ, SIG_IGN);  // and a file that may not grow
    const Words words(argv + 1, argv + argc);
    if (words.empty()) return arena::print_error({help()});
    if (words[0] == "--help" || words[0] == "-h" || (words[0] == "help" && words.size() == 1)) {
        return arena::print_help({help()});
    }
    if (words[0] == "--version") {
        return arena::print_help({fmt::format("nim-arena {}\n", NIMARENA_VERSION)});
    }
    if (words[0] == arena::kUnpackCommand && words.size() == 2) return unpack(words[1]);
    // Of this process and the guardian, which hold files for each player; players get fewer.
    arena::raise_file_limit();
    // First of all: the guardian is a fork, and should have no threads and little memory.
    const auto guardian = arena::Guardian::start();
    if (!guardian) {
        arena::complain(fmt::format("nim-arena: {}\n", describe(guardian.error())));
        return arena::kExitInternal;
    }
    const arena::Heartbeat heartbeat;
    try {
        return dispatch(words[0], {words.begin() + 1, words.end()}, *guardian);
    } catch (const std::exception& error) {  // no more descriptors, threads or memory
        arena::complain(fmt::format("nim-arena: {}\n", protocol::printable(error.what())));
        return arena::kExitInternal;
    }
}
