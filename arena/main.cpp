// nim-arena: referees matches between engines.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/command_line.hpp"
#include "arena/base/console.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/commands/commands.hpp"
#include "arena/process/guardian.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace {

using Words = std::vector<std::string>;

struct Command {
    std::string_view name;
    std::string_view words;  // that may follow it
    std::string_view help;
    int (*run)(const Words&, const arena::Guardian&);
};
constexpr Command kCommands[] = {
    {"match", "PLAYER PLAYER [options]", "play games and report them", arena::commands::match},
    {"tournament", "[FILE.toml] [options]", "play a tournament, or continue one",
     arena::commands::tournament},
    {"serve", "--listen HOST:PORT --tokens FILE [options]", "play one among bots that dial in",
     arena::commands::serve},
    {"web", "[options]", "play and look at records in a browser", arena::commands::web},
    {"init", "[FILE.toml]", "write an example of a tournament's file", arena::commands::init},
    {"export", "FILE.db --format FORMAT", "write what a record holds: pgn, jsonl, csv, …",
     arena::commands::export_record},
    {"standings", "FILE.db", "print the table of a record", arena::commands::standings},
    {"games", "FILE.db [options]", "list the games of a record", arena::commands::games},
    {"show", "FILE.db GAME", "print a game of a record", arena::commands::show},
    {"report", "FILE.db -o DIR", "write pages to look at of a record", arena::commands::report},
    {"replay", "FILE.db GAME [options]", "ask its players again, and compare their answers",
     arena::commands::replay},
    {"check", "PLAYER [options]", "test whether a bot keeps to the protocol",
     arena::commands::check},
    {"suite", "SPEC [options]", "draw positions by what they are to be like",
     arena::commands::suite},
    {"token", "add NAME --tokens FILE", "let a player in on a server", arena::commands::token},
    {"doctor", "", "measure this machine, and say what is wrong with it",
     arena::commands::doctor},
};

constexpr std::string_view kHelpTail =
    R"(  nim-arena COMMAND --help                  the options of a command
  nim-arena --version

A PLAYER is a command ("python3 bot.py"), tcp://HOST:PORT, listen://HOST:PORT,
builtin:perfect, builtin:random, builtin:greedy, builtin:eps:E (perfect, except for a share E of
mistakes), or human.

  nim-arena match "python3 bots/python/nim_bot.py" builtin:perfect --games 10

)";

std::string help() {
    constexpr std::size_t kColumn = 44;
    std::string text =
        "nim-arena: referees matches between engines that play impartial games\n\n";
    for (const Command& command : kCommands) {
        std::string line = fmt::format("  nim-arena {} {}", command.name, command.words);
        if (line.size() >= kColumn) line += fmt::format("\n{:{}}", "", kColumn);
        text += fmt::format("{:<{}}{}\n", line, kColumn, command.help);
    }
    return fmt::format("{}{}{}", text, kHelpTail, arena::kExitTable);
}

int dispatch(std::string_view name, const Words& words, const arena::Guardian& guardian) {
    std::vector<std::string_view> names;
    for (const Command& command : kCommands) {
        if (command.name == name) return command.run(words, guardian);
        names.push_back(command.name);
    }
    arena::complain(fmt::format("nim-arena: read {}, expected {}{}; see nim-arena --help\n",
                                protocol::quoted(name), fmt::join(names, ", "),
                                protocol::suggestion(name, names)));
    return arena::kExitUsage;
}

// What the arena opens must not get the number of a standard stream that it was started
// without. Output to one of those fails, as it should.
void fill_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);  // the lowest free one
    }
}

}  // namespace

int main(int argc, char** argv) {
    fill_standard_streams();
    std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone is told by write()
    std::signal(SIGXFSZ, SIG_IGN);  // so is a file that may not grow
    const Words words(argv + 1, argv + argc);
    if (words.empty()) return arena::print_error({help()});
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        return arena::print_help({help()});
    }
    if (words[0] == "--version") {
        return arena::print_help({fmt::format("nim-arena {}\n", NIMARENA_VERSION)});
    }
    // Before there are threads and tables: the guardian is a copy of what is here.
    const auto guardian = arena::Guardian::start();
    if (!guardian) {
        arena::complain(fmt::format("nim-arena: {}\n", describe(guardian.error())));
        return arena::kExitInternal;
    }
    return dispatch(words[0], {words.begin() + 1, words.end()}, *guardian);
}
