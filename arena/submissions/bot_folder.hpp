// Finds the bot in a folder and how it is built and started: by a player.toml there, or by a
// rule for its language.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/result.hpp"

namespace arena {

// The steps taken if a file is there. `|` stands between choices, of which the first one that
// is there is taken. {file} in `build` and `run` is the file found, {name} is it without its
// ending.
struct LanguageRule {
    std::string file;   // names, with * and ? in the last part of a path: "bot.py|*.py"
    std::string build;  // a command of sh, run in the folder; empty: nothing is built
    std::string run;    // commands: "./bot|./*", where * is the only program that fits
};

// For Rust, Go, Python, JavaScript, Java and C++, and whatever has a Makefile.
std::span<const LanguageRule> built_in_languages();

// The value of --language: 'file=main.py run="python3 main.py"'.
protocol::Result<LanguageRule> parse_language(std::string_view keys);
// Whether a rule names a file and how that is run.
protocol::Result<void> check_language(const LanguageRule& rule);

// How the bot of a folder is built and started.
struct BotPlan {
    // The folder within it in which the bot lies, such as "ann-main"; empty: itself.
    std::string inside;
    std::vector<std::string> ignored;  // what else lies in folders passed on the way
    std::string taken;                 // the file that a rule has found; empty: none has
    std::vector<std::string> others;   // that might have been taken instead
    std::string build;                 // as in the rule, with its places filled in
    bool builds_by_rule = true;        // false: its author says how
    std::vector<std::string> runs;     // choices
};

// Whether a bot lies in the folder or, by a file that says so, in one within it.
bool has_bot(const std::filesystem::path& folder, std::span<const LanguageRule> rules,
             const std::string& run);

// By the keys of a player.toml, `build` and `run`; what these do not say, by the first rule
// whose file is there; else by `run`, which may be empty. If `folder` has none of these files,
// by those of the only folder within it, at most four deep, that has. Errors are for the author
// of the bot.
protocol::Result<BotPlan> plan_bot(const std::filesystem::path& folder,
                                   std::span<const LanguageRule> rules,
                                   const std::string& run = {});

// How the bot was found, if that is not obvious to its author.
std::vector<std::string> notes_of(const BotPlan& plan);

// The command that starts the bot, once it has been built in `folder`, that of `inside`.
protocol::Result<std::string> find_bot(const std::filesystem::path& folder,
                                       const BotPlan& plan);

}  // namespace arena
