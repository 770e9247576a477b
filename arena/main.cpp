// nim-arena: referees matches between engines.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/check.hpp"
#include "arena/check_options.hpp"
#include "arena/console.hpp"
#include "arena/doctor.hpp"
#include "arena/exit_codes.hpp"
#include "arena/export/export.hpp"
#include "arena/export/export_options.hpp"
#include "arena/export/show.hpp"
#include "arena/guardian.hpp"
#include "arena/match.hpp"
#include "arena/match_options.hpp"
#include "arena/pages/report_command.hpp"
#include "arena/pages/report_options.hpp"
#include "arena/replay.hpp"
#include "arena/replay_options.hpp"
#include "arena/seeds.hpp"
#include "arena/suggest.hpp"
#include "arena/suite_command.hpp"
#include "arena/suite_options.hpp"
#include "arena/token_command.hpp"
#include "arena/token_options.hpp"
#include "arena/tournament.hpp"
#include "arena/tournament_init.hpp"
#include "arena/tournament_options.hpp"
#include "protocol/text.hpp"

namespace {

using Arguments = std::vector<std::string>;

constexpr std::string_view kUsage =
    R"(nim-arena: referees matches between engines that play impartial games

  nim-arena match PLAYER PLAYER [options]   play games and report them
  nim-arena tournament [FILE.toml] [options]  play a tournament, or go on with one
  nim-arena serve --listen HOST:PORT --tokens FILE [options]
                                            play one among bots that dial in
  nim-arena init [FILE.toml]                write an example of such a file
  nim-arena export FILE.db --format FORMAT  write what a record holds: pgn, jsonl, csv, grades
  nim-arena show FILE.db GAME               print a game of a record
  nim-arena report FILE.db -o DIR           write pages to look at of a record
  nim-arena replay FILE.db GAME [options]   ask its players again, and compare their answers
  nim-arena check PLAYER [options]          test whether a bot keeps to the protocol
  nim-arena suite SPEC [options]            draw positions by what they are to be like
  nim-arena token add NAME --tokens FILE    let a player in on a server
  nim-arena doctor                          measure this machine, and say what is wrong with it
  nim-arena COMMAND --help                  all there is to say about a command
  nim-arena --version

A PLAYER is a command ("python3 bot.py"), tcp://HOST:PORT, listen://HOST:PORT,
builtin:perfect, builtin:random, builtin:greedy, builtin:eps:E (perfect, but for a share E of
mistakes), or human.

  nim-arena match "python3 bots/python/nim_bot.py" builtin:perfect --games 10

)";

// What was asked for instead of a match.
int show(std::string_view text) {
    arena::Console console(stdout);
    console.write(text);
    return console.finish(arena::kExitPlayed);
}

// What the options of a command came to: its help, an error of usage, or something to run.
template <typename Options>
int run(const std::variant<Options, arena::HelpText, arena::UsageError>& command,
        int (*run_command)(const Options&, const arena::Guardian&),
        const arena::Guardian& guardian) {
    if (const auto* help = std::get_if<arena::HelpText>(&command)) {
        return show(help->text);
    }
    if (const auto* error = std::get_if<arena::UsageError>(&command)) {
        arena::complain(error->text);
        return arena::kExitUsage;
    }
    return run_command(std::get<Options>(command), guardian);
}

int match(const Arguments& arguments, const arena::Guardian& guardian) {
    const auto command = arena::parse_match_options(arguments, arena::fresh_seed());
    return run(command, arena::run_match, guardian);
}

int tournament(const Arguments& arguments, const arena::Guardian& guardian) {
    const auto command = arena::parse_tournament_options(arguments, arena::fresh_seed());
    return run(command, arena::run_tournament, guardian);
}

int serve(const Arguments& arguments, const arena::Guardian& guardian) {
    const auto command = arena::parse_serve_options(arguments, arena::fresh_seed());
    return run(command, arena::run_serve, guardian);
}

int init(const Arguments& arguments, const arena::Guardian&) {
    return arena::write_example(arguments);
}

int report(const Arguments& arguments, const arena::Guardian& guardian) {
    return run(arena::parse_report_options(arguments), arena::run_report, guardian);
}

int check(const Arguments& arguments, const arena::Guardian& guardian) {
    const auto command = arena::parse_check_options(arguments, arena::fresh_seed());
    return run(command, arena::run_check, guardian);
}

int suite(const Arguments& arguments, const arena::Guardian& guardian) {
    const auto command = arena::parse_suite_options(arguments, arena::fresh_seed());
    return run(command, arena::run_suite, guardian);
}

int token(const Arguments& arguments, const arena::Guardian& guardian) {
    return run(arena::parse_token_options(arguments), arena::run_token, guardian);
}

int export_record(const Arguments& arguments, const arena::Guardian& guardian) {
    return run(arena::parse_export_options(arguments), arena::run_export, guardian);
}

int show_game(const Arguments& arguments, const arena::Guardian& guardian) {
    return run(arena::parse_show_options(arguments), arena::run_show, guardian);
}

int replay(const Arguments& arguments, const arena::Guardian& guardian) {
    return run(arena::parse_replay_options(arguments), arena::run_replay, guardian);
}

struct Command {
    std::string_view name;
    int (*run)(const Arguments&, const arena::Guardian&);
};
constexpr Command kCommands[] = {
    {"match", match},    {"tournament", tournament},
    {"init", init},      {"export", export_record},
    {"show", show_game}, {"replay", replay},
    {"report", report},  {"check", check},
    {"suite", suite},    {"doctor", arena::run_doctor},
    {"token", token},    {"serve", serve},
};

int dispatch(std::string_view name, const Arguments& arguments,
             const arena::Guardian& guardian) {
    for (const Command& command : kCommands) {
        if (command.name == name) return command.run(arguments, guardian);
    }
    std::vector<std::string_view> names;
    for (const Command& command : kCommands) names.push_back(command.name);
    arena::complain(fmt::format("nim-arena: read {}, expected {}{}; see nim-arena --help\n",
                                protocol::quoted(name), fmt::join(names, ", "),
                                arena::suggestion(name, names)));
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
    const Arguments words(argv + 1, argv + argc);
    if (words.empty()) {
        arena::complain(fmt::format("{}{}", kUsage, arena::kExitTable));
        return arena::kExitUsage;
    }
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        return show(fmt::format("{}{}", kUsage, arena::kExitTable));
    }
    if (words[0] == "--version") return show(fmt::format("nim-arena {}\n", NIMARENA_VERSION));
    // Before there are threads and tables: the guardian is a copy of what is here.
    const auto guardian = arena::Guardian::start();
    if (!guardian) {
        arena::complain(fmt::format("nim-arena: {}\n", describe(guardian.error())));
        return arena::kExitInternal;
    }
    return dispatch(words[0], {words.begin() + 1, words.end()}, *guardian);
}
