// `nim-arena init`: writes an example of a tournament's file, or what a course's platform runs
// to grade submissions.
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "arena/base/console.hpp"
#include "arena/base/embedded_file.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/option_table.hpp"
#include "arena/commands/commands.hpp"
#include "arena/commands/new_folder.hpp"
#include "protocol/text.hpp"

namespace arena {

extern const std::vector<EmbeddedFile> kClassroomFiles;  // "gradescope/setup.sh", …
extern const std::vector<EmbeddedFile> kRubricFiles;     // "nim.toml"

namespace {

namespace fs = std::filesystem;
using protocol::Result;

constexpr std::string_view kInitHead =
    R"(Usage: nim-arena init [FILE.toml]
       nim-arena init --gradescope DIR
       nim-arena init --github-classroom DIR

Writes a commented example of a tournament to FILE.toml (default: tournament.toml; -: standard
output); an existing file is an error. Or writes the files with which a course's platform grades
each submission by nim-arena grade, with a rubric to edit and a page that says what to do next.

)";

constexpr std::string_view kInitTail = R"(
DIR is created; an existing one must be empty.

Examples:
  nim-arena init spring.toml
  nim-arena init --gradescope autograder

Exit status:
  0        done
  1        the file is there already, DIR is not empty, or something cannot be written
  2        the command line is wrong; nothing was written
)";

constexpr std::string_view kExampleTournament =
    R"(# A tournament of Nimarena: `nim-arena tournament FILE.toml`. Each key is an option of the
# command line, see `nim-arena tournament --help`; options given there override this file. After
# an interruption the same command plays exactly the missing games. Paths are relative to the
# current directory, not to this file.

name = "Spring term"
format = "round-robin"        # round-robin, gauntlet, swiss, knockout or ladder
games = 6                     # a pairing: two from each position, sides swapped
# cycles = 2                  # round-robin: how often each player meets each other player
# rounds = 7                  # swiss
# seeds = 2                   # gauntlet: the first two meet all the others
# budget = "90m"              # ladder: as many fair rounds as fit

# Where games start. Without any: random heaps of nim; the first mover can win half of them.
position = ["nim:3,4,5", "take{1,3,4}:21 misere", "kayles:7+grundy:9"]
# positions = "positions.txt" # one on each line
# suite = "…"                 # positions are drawn: one for each pair of games of a pairing,
#                             # the same for all pairings of a round; nim-arena suite --help

movetime = 1000               # milliseconds for a move; or tc = "60000+600", base and increment
margin = 50                   # how late a move may come
faults = "forfeit"            # or "replace" (a random move instead), or "strikes=3"
startup = 10000               # milliseconds to start and shake hands
seed = 1                      # all randomness derives from it

# sandbox = "bwrap"           # the players are programs of strangers

record = "spring-term.db"     # every game; export, show and report read it
# report = "pages"            # a folder of pages, written at the end

[[player]]
name = "Perfect"
cmd = "builtin:perfect"

[[player]]
name = "Random"
cmd = "builtin:random"

# [[player]]
# name = "Ann"
# cmd = "python3 ann.py --fast"
# dir = "bots/ann"            # the directory in which it runs
# movetime = 2000             # its own clock
# [player.option]
# Hash = 16                   # sent as `setoption name Hash value 16`
# [player.env]
# PYTHONHASHSEED = 0
)";

int complain_of(const protocol::Error& error) {
    complain(fmt::format("nim-arena init: {}\n", error.text));
    return kExitInternal;
}

int print(std::string_view text) {
    Console console(stdout);
    console.write(text);
    return console.finish(kExitPlayed);
}

struct InitOptions {
    std::string file;
    std::string gradescope;        // a folder
    std::string github_classroom;  // a folder
};

OptionTable<InitOptions> init_table() {
    return {
        text({"Options", "gradescope", "DIR",
              "write an autograder for Gradescope: setup.sh, run_autograder, rubric.toml"},
             &InitOptions::gradescope, "a folder"),
        text({"Options", "github-classroom", "DIR",
              "write a workflow for GitHub Classroom, and rubric.toml, to .github in DIR"},
             &InitOptions::github_classroom, "a folder"),
    };
}

int write_example(const InitOptions& options) {
    const std::string path = options.file.empty() ? "tournament.toml" : options.file;
    if (path == "-") return print(kExampleTournament);
    const auto written = write_new_file(path, kExampleTournament);
    if (!written) return complain_of(written.error());
    return print(
        fmt::format("wrote {0}; next: nim-arena tournament {0}\n", protocol::printable(path)));
}

// The files under `prefix`, and the rubric as `rubric`.
int write_platform(std::string_view prefix, const fs::path& folder, std::string_view rubric,
                   std::string_view page) {
    auto done = make_empty_folder(folder);
    if (done) done = write_files(kClassroomFiles, prefix, folder);
    if (done) done = write_new_file(folder / rubric, kRubricFiles.front().text);
    if (!done) return complain_of(done.error());
    return print(fmt::format("wrote {0}; next: read {1}\n",
                             protocol::printable(folder.string()),
                             protocol::printable((folder / page).string())));
}

int write_init(const InitOptions& options) {
    if (!options.gradescope.empty()) {
        return write_platform("gradescope/", options.gradescope, "rubric.toml", "README.md");
    }
    if (!options.github_classroom.empty()) {
        return write_platform("github/", options.github_classroom,
                              ".github/classroom/rubric.toml", ".github/classroom/README.md");
    }
    return write_example(options);
}

Result<void> take_file_name(InitOptions& options, const std::string& word) {
    if (!options.file.empty() || word.empty()) {
        return bad_input("read {}, expected one FILE.toml", protocol::quoted(word));
    }
    options.file = word;
    return {};
}

Result<void> finish_init(InitOptions& options, const Given&) {
    const int given = static_cast<int>(!options.file.empty()) +
                      static_cast<int>(!options.gradescope.empty()) +
                      static_cast<int>(!options.github_classroom.empty());
    if (given <= 1) return {};
    return bad_input("expected one of FILE.toml, --gradescope and --github-classroom");
}

}  // namespace

int commands::init(const Words& words, const Guardian&) {
    CommandLine<InitOptions> line("nim-arena init", init_table(), kInitHead, kInitTail);
    line.argument = take_file_name;
    line.finish = finish_init;
    return run(parse(std::move(line), words), write_init);
}

}  // namespace arena
