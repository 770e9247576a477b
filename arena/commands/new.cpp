// `nim-arena new`: writes a starter kit, a small bot to change. The kits are the folders of
// bots/, and part of this program.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
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
#include "arena/base/option_table.hpp"
#include "arena/base/shell_words.hpp"
#include "arena/commands/commands.hpp"
#include "arena/commands/new_folder.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {

extern const std::vector<EmbeddedFile> kKitFiles;  // "python/nim_bot.py", …, and "connect.py"

namespace {

using protocol::Result;
namespace fs = std::filesystem;

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

Writes a starter kit, a small bot to edit. DIR is created; an existing one must be empty. The
kit has a bot for Nim with one marked place for your idea, a bot that plays every game, the
files to build them, a page that says how to check, play and debug, and connect.py, which
connects a bot to `nim-arena serve` from any computer. Then it prints the commands to try next. Without arguments it lists the languages and what each needs.
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

std::vector<std::string_view> names_of_languages() {
    std::vector<std::string_view> names;
    for (const KitLanguage& language : kLanguages) names.push_back(language.name);
    return names;
}

Result<const KitLanguage*> find_language(const std::string& word) {
    std::string name = word;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const KitLanguage& language : kLanguages) {
        const bool is_this = name == language.name || name == language.also;
        if (is_this && !name.empty()) return &language;
    }
    const auto names = names_of_languages();
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

Result<void> finish_new(NewOptions& options, const Given&) {
    if (options.language == nullptr || !options.directory.empty()) return {};
    return bad_input("read no DIR, expected a folder to write the kit to, such as my-bot");
}

// ---- the folder ----

Result<void> write_kit(const KitLanguage& language, const fs::path& folder) {
    if (const auto made = make_empty_folder(folder); !made) return made;
    const auto written = write_files(kKitFiles, fmt::format("{}/", language.name), folder);
    if (!written) return written;
    const auto connect = std::ranges::find(kKitFiles, "connect.py", &EmbeddedFile::name);
    return write_new_file(folder / connect->name, connect->text);
}

// ---- what is printed ----

std::string list_of_languages() {
    std::string text;
    for (const KitLanguage& language : kLanguages) {
        text += fmt::format("  {:<12}{}\n", language.name, language.needs);
    }
    return fmt::format("{}\nnext: nim-arena new {} my-bot\n", text, kLanguages.front().name);
}

// Whether a shell starts `program` for the command `name`.
bool is_in_path(const std::string& name, const fs::path& program) {
    const char* variable = std::getenv("PATH");
    std::string_view rest = variable == nullptr ? "" : variable;
    while (!rest.empty()) {
        const auto end = std::min(rest.find(':'), rest.size());
        const fs::path candidate = fs::path(rest.substr(0, end)) / name;
        std::error_code error;
        if (fs::exists(candidate, error)) return fs::equivalent(candidate, program, error);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

// This program, unless a shell finds it by its name; else empty.
fs::path own_path() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return self.empty() || is_in_path("nim-arena", self) ? fs::path() : self;
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
    Console console(stdout);
    if (options.language == nullptr) {
        console.write(list_of_languages());
        return console.finish(kExitPlayed);
    }
    std::error_code error;
    // Without the last slash, so that a file's name can be appended.
    fs::path folder = fs::absolute(options.directory, error).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    const auto written = write_kit(*options.language, folder);
    if (!written) {
        complain(fmt::format("nim-arena new: {}\n", written.error().text));
        return kExitInternal;
    }
    console.write(next_steps(*options.language, folder));
    return console.finish(kExitPlayed);
}

}  // namespace

int commands::new_kit(const Words& words, const Guardian&) {
    CommandLine<NewOptions> line("nim-arena new", {}, kNewHelpHead, kNewHelpTail);
    line.argument = take_kit_word;
    line.finish = finish_new;
    return run(parse(std::move(line), words), write_new);
}

}  // namespace arena
