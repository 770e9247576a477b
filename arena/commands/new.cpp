// Commands that write files for people to edit, and never over others. `nim-arena new` writes a
// starter kit, a small bot to change: the kits are the folders of bots/, and part of this
// program. `nim-arena init` writes an example of a tournament's file, or what a course's
// platform runs to grade submissions.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/console.hpp"
#include "arena/base/embedded_file.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/files.hpp"
#include "arena/base/option_table.hpp"
#include "arena/base/shell_words.hpp"
#include "arena/commands/commands.hpp"
#include "arena/process/executables.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {

extern const std::vector<EmbeddedFile> kClassroomFiles;  // "gradescope/setup.sh", …
extern const std::vector<EmbeddedFile> kRubricFiles;     // "nim.toml"

namespace {

namespace fs = std::filesystem;

// ---- new files ----

protocol::Error folder_failure(std::string_view what, const fs::path& path,
                               const std::string& why) {
    return bad_input("cannot {} {}: {}", what, protocol::quoted(path.string()), why);
}

// Creates the folder, or accepts an empty one.
Result<void> make_empty_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return folder_failure("make the folder", folder, error.message());
    const fs::directory_iterator first(folder, error);
    if (error) return folder_failure("read the folder", folder, error.message());
    if (first == fs::directory_iterator()) return {};
    return bad_input("{} is not empty, expected a new folder or an empty one: give another DIR",
                     protocol::quoted(folder.string()));
}

// Writes a new file, whole or not at all, and its folders; makes a script (`#!`) executable.
Result<void> write_new_file(const fs::path& path, std::string_view text) {
    std::error_code error;
    const fs::path folder = fs::absolute(path, error).parent_path();
    fs::create_directories(folder, error);
    if (error) return folder_failure("make the folder", folder, error.message());
    const mode_t mode = text.starts_with("#!") ? 0777 : 0666;
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0) return folder_failure("create", path, std::strerror(errno));
    int failed = write_all(file, text);
    if (::close(file) != 0 && failed == 0) failed = errno;
    if (failed == 0) return {};
    fs::remove(path, error);
    return folder_failure("write", path, std::strerror(failed));
}

// The files whose names begin with `prefix`, without the prefix.
std::vector<EmbeddedFile> files_under(std::string_view prefix,
                                      const std::vector<EmbeddedFile>& files) {
    std::vector<EmbeddedFile> found;
    for (const EmbeddedFile& file : files) {
        if (!file.name.starts_with(prefix)) continue;
        found.push_back({file.name.substr(prefix.size()), file.text});
    }
    return found;
}

// Writes all files to a new folder or an empty one. If one fails, removes those before it and
// their folders, so that the folder is empty again.
Result<void> write_files(const std::vector<EmbeddedFile>& files, const fs::path& folder) {
    if (const auto made = make_empty_folder(folder); !made) return made;
    for (std::size_t count = 0; count < files.size(); ++count) {
        const auto written = write_new_file(folder / files[count].name, files[count].text);
        if (written) continue;
        for (std::size_t i = 0; i <= count; ++i) {
            fs::path made = files[i].name;
            if (i == count) made = made.parent_path();
            std::error_code error;  // a folder that is not empty stays
            for (; !made.empty(); made = made.parent_path()) fs::remove(folder / made, error);
        }
        return written;
    }
    return {};
}

int print(std::string_view text) {
    Console console(stdout);
    console.write(text);
    return console.finish(kExitPlayed);
}

// ---- new ----

struct KitLanguage {
    std::string_view name;   // of its folder, too
    std::string_view also;   // another name for it, if any
    std::string_view needs;  // in addition to this program
    std::string_view build;  // a command, in the kit's folder; empty: nothing to build
    std::string_view bot;    // the program, or the script that starts it
    std::string_view idea;   // the file to edit
};
constexpr std::array kLanguages{
    KitLanguage{"python", "py", "Python 3.9 or later", "", "nim_bot.py", "nim_bot.py"},
    KitLanguage{"cpp", "c++", "g++ or clang++ with C++17, and make", "make", "nim_bot",
                "nim_bot.cpp"},
    KitLanguage{"java", "", "Java 16 or later with its compiler, and make", "make", "nim_bot",
                "NimBot.java"},
    KitLanguage{"javascript", "js", "Node.js 16 or later", "", "nim_bot.js", "nim_bot.js"},
    KitLanguage{"rust", "rs", "Rust 1.63 or later, with cargo", "cargo build --release",
                "target/release/nim_bot", "src/bin/nim_bot.rs"},
    KitLanguage{"go", "golang", "Go 1.19 or later", "go build -o bin/ ./...", "bin/nim_bot",
                "nim_bot/main.go"},
};

constexpr std::string_view kNewHelpHead = R"(Usage: nim-arena new LANGUAGE DIR
       nim-arena new

Writes a starter kit, a small bot to edit. DIR is created; an existing one must
be empty. The kit has a bot for Nim with one marked place for your idea, a bot
that plays every game, the files to build them, a page that says how to check,
play and debug, and connect.py, which connects a bot to `nim-arena serve` from
any computer. Then it prints the commands to try next. Without arguments it
lists the languages and what each needs.
)";

constexpr std::string_view kNewHelpTail = R"(
Examples:
  nim-arena new python my-bot
  nim-arena new c++ ~/nim/my-bot

Exit status:
  0        done
  1        DIR is not empty, or cannot be written
  2        the command line is wrong; nothing was written
)";

struct NewOptions {
    const KitLanguage* language = nullptr;
    std::string directory;
};

// ---- the command line ----

Result<const KitLanguage*> find_language(const std::string& word) {
    const std::string name = protocol::lower_case(word);
    std::vector<std::string_view> names;
    for (const KitLanguage& language : kLanguages) {
        const bool is_this = name == language.name || name == language.also;
        if (is_this && !name.empty()) return &language;
        names.push_back(language.name);
    }
    return bad_input("read {}, expected a language: {}{}", protocol::quoted(word),
                     fmt::join(names, ", "), protocol::suggestion(name, names));
}

Result<void> take_kit_word(NewOptions& options, const std::string& word) {
    if (options.language == nullptr) {
        const auto language = find_language(word);
        if (!language) return language.error();
        options.language = *language;
    } else if (options.directory.empty() && !word.empty()) {
        options.directory = word;
    } else {
        return bad_input("read {}, expected one LANGUAGE and one DIR", protocol::quoted(word));
    }
    return {};
}

Result<void> finish_new(NewOptions& options) {
    if (options.language == nullptr || !options.directory.empty()) return {};
    return bad_input("read no DIR, expected a folder to write the kit to, such as my-bot");
}

// ---- what is printed ----

std::string list_of_languages() {
    std::string text;
    for (const KitLanguage& language : kLanguages) {
        text += fmt::format("  {:<12}{}\n", language.name, language.needs);
    }
    return fmt::format("{}\nnext: nim-arena new {} my-bot\n", text, kLanguages.front().name);
}

// This program, unless a shell finds it by its name; else empty.
fs::path own_path() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    const auto found = find_program("nim-arena", ".");
    return found && fs::equivalent(*found, self, error) ? fs::path() : self;
}

std::string next_steps(const KitLanguage& language, const fs::path& folder) {
    const fs::path self = own_path();
    const std::string arena = self.empty() ? "nim-arena" : shell_word(self.string());
    // Quoted twice: a PLAYER is one word for the shell, and a command line for the arena.
    const std::string player = shell_word(inner_shell_word((folder / language.bot).string()));
    std::string text = fmt::format("your idea goes into {}\n",
                                   protocol::printable((folder / language.idea).string()));
    if (!self.empty()) {
        text += fmt::format(
            "the pages and the make of the kit find nim-arena in PATH: export "
            "PATH={}:\"$PATH\"\n",
            shell_word(self.parent_path().string()));
    }
    text += "next:\n";
    if (!language.build.empty()) {
        text += fmt::format("  (cd {} && {})\n", shell_word(folder.string()), language.build);
    }
    text += fmt::format(
        "  {0} check {1}\n  {0} match {1} builtin:perfect --games 20\n"
        "  {0} certify {1} --family 'nim;heaps=1..3;size=0..7'\n",
        arena, player);
    if (language.build.empty()) text += fmt::format("  {} match human {}\n", arena, player);
    return text;
}

int write_new(const NewOptions& options) {
    if (options.language == nullptr) return print(list_of_languages());
    std::error_code error;
    // Without the last slash, so that a file's name can be appended.
    fs::path folder = fs::absolute(options.directory, error).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    auto files = files_under(fmt::format("{}/", options.language->name), kKitFiles);
    files.push_back(*std::ranges::find(kKitFiles, "connect.py", &EmbeddedFile::name));
    const auto written = write_files(files, folder);
    if (!written) return refuse({written.error()}, "nim-arena new");
    return print(next_steps(*options.language, folder));
}

// ---- init ----

constexpr std::string_view kInitHead =
    R"(Usage: nim-arena init [FILE.toml]
       nim-arena init --gradescope DIR
       nim-arena init --github-classroom DIR

Writes a commented example of a tournament to FILE.toml (default:
tournament.toml; -: standard output); an existing file is an error. Or writes
the files with which a course's platform grades each submission by nim-arena
grade, with a rubric to edit and a page that says what to do next.

)";

constexpr std::string_view kInitTail = R"(
DIR is created; an existing one must be empty.

Examples:
  nim-arena init spring.toml
  nim-arena init --gradescope autograder

Exit status:
  0        done
  1        the file is there already, DIR is not empty, or something cannot be
           written
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

struct InitOptions {
    std::string file;
    std::string gradescope;        // a folder
    std::string github_classroom;  // a folder
};

OptionTable init_table(InitOptions& options) {
    return {
        text({"Options", "gradescope", "DIR",
              "write an autograder for Gradescope: setup.sh, run_autograder, rubric.toml"},
             options.gradescope, "a folder"),
        text({"Options", "github-classroom", "DIR",
              "write a workflow for GitHub Classroom, and rubric.toml, to .github in DIR"},
             options.github_classroom, "a folder"),
    };
}

int write_example(const InitOptions& options) {
    const std::string path = options.file.empty() ? "tournament.toml" : options.file;
    if (path == "-") return print(kExampleTournament);
    const auto written = write_new_file(path, kExampleTournament);
    if (!written) return refuse({written.error()}, "nim-arena init");
    return print(fmt::format("wrote {}; next: nim-arena tournament {}\n",
                             protocol::printable(path),
                             shell_word((path.starts_with('-') ? "./" : "") + path)));
}

// The files under `prefix`, and the rubric as `rubric`.
int write_platform(std::string_view prefix, const fs::path& folder, std::string_view rubric,
                   std::string_view page) {
    auto files = files_under(prefix, kClassroomFiles);
    files.push_back({rubric, kRubricFiles.front().text});
    const auto written = write_files(files, folder);
    if (!written) return refuse({written.error()}, "nim-arena init");
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

Result<void> finish_init(InitOptions& options) {
    const std::array given{options.file, options.gradescope, options.github_classroom};
    if (std::ranges::count(given, "") >= 2) return {};
    return bad_input("expected one of FILE.toml, --gradescope and --github-classroom");
}

}  // namespace

int commands::new_kit(const Words& words, const Guardian&) {
    NewOptions options;
    CommandLine line("nim-arena new", {}, kNewHelpHead, kNewHelpTail);
    line.argument = [&](const std::string& text) { return take_kit_word(options, text); };
    line.finish = [&](const Given&) { return finish_new(options); };
    return run(parse(line, words, options), write_new);
}

int commands::init(const Words& words, const Guardian&) {
    InitOptions options;
    CommandLine line("nim-arena init", init_table(options), kInitHead, kInitTail);
    line.argument = [&](const std::string& word) { return take_file_name(options, word); };
    line.finish = [&](const Given&) { return finish_init(options); };
    return run(parse(line, words, options), write_init);
}

}  // namespace arena
