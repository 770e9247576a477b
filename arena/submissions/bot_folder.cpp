// A rule is known by a file: Cargo.toml is a bot in Rust, built by cargo. Languages whose
// programs are files come before a Makefile, because a Makefile may do other things than build:
// that of the kit for Python checks. Names that say which program is the bot come before "the
// only one", so that a folder with helpers, or a kit with its second bot, needs no player.toml.
#include "arena/submissions/bot_folder.hpp"

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <optional>
#include <ranges>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/bad_input.hpp"
#include "arena/base/files.hpp"
#include "arena/base/shell_words.hpp"
#include "arena/submissions/toml_keys.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
using protocol::Result;

constexpr std::size_t kMostNamed = 5;          // files that an error names
constexpr int kDeepestBot = 4;                 // folders around a bot
constexpr std::size_t kMostLookedAt = 10'000;  // entries of folders, in search of a bot
constexpr std::size_t kMostBytesOfFile = 64 << 10;
constexpr std::string_view kSmallFile = "expected a file of 64 KiB at most";
// Of `run`: quoted for two shells and an option, it must fit the command line of a part.
constexpr std::size_t kMostBytesOfRun = 4 << 10;

std::vector<std::string> choices_of(std::string_view text) {
    std::vector<std::string> choices;
    for (;;) {
        const auto end = std::min(text.find('|'), text.size());
        choices.emplace_back(protocol::trim(text.substr(0, end)));
        if (end == text.size()) return choices;
        text.remove_prefix(end + 1);
    }
}

bool is_pattern(std::string_view text) { return text.find_first_of("*?") != text.npos; }

// Files of `folder` that fit: "bot.py", "target/release/*". Sorted, as they are written there.
std::vector<std::string> files_like(const fs::path& folder, const std::string& pattern,
                                    const std::function<bool(const fs::path&)>& fits) {
    if (!is_pattern(pattern)) {
        return fits(folder / pattern) ? std::vector{pattern} : std::vector<std::string>();
    }
    const auto slash = pattern.rfind('/');
    const std::string parent = slash == pattern.npos ? "" : pattern.substr(0, slash + 1);
    const std::string name = pattern.substr(parent.size());
    std::vector<std::string> found;
    std::error_code failed;
    for (fs::directory_iterator entry(folder / parent, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        const std::string file = entry->path().filename().string();
        const bool is_like = ::fnmatch(name.c_str(), file.c_str(), FNM_PERIOD) == 0;
        if (is_like && fits(entry->path())) found.push_back(parent + file);
    }
    std::ranges::sort(found);
    return found;
}

bool is_file(const fs::path& path) {
    std::error_code failed;
    return fs::is_regular_file(path, failed);
}

bool is_program(const fs::path& path) {
    return is_file(path) && ::access(path.c_str(), X_OK) == 0;
}

std::string several(std::vector<std::string> files) {
    const bool is_cut = files.size() > kMostNamed;
    files.resize(std::min(files.size(), kMostNamed));
    return protocol::printable(
        fmt::format("{}{}", fmt::join(files, ", "), is_cut ? ", …" : ""));
}

// The first choice that is there; nullopt: none is. An error: it fits several.
Result<std::optional<std::string>> first_there(
    const fs::path& folder, const std::vector<std::string>& choices,
    const std::function<bool(const fs::path&)>& fits) {
    for (const std::string& choice : choices) {
        auto files = files_like(folder, choice, fits);
        if (files.size() == 1) return std::optional(std::move(files.front()));
        if (files.empty()) continue;
        return bad_input(
            "{} bots: {} fits {}, expected one: call the one that plays `bot`, or write a "
            "player.toml with run = \"COMMAND\"",
            files.size(), protocol::quoted(choice), several(files));
    }
    return std::optional<std::string>();
}

std::string filled(std::string text, const std::string& file) {
    const fs::path path(file);
    const std::array<std::pair<std::string_view, std::string>, 2> places{
        {{"{file}", shell_word(file)},
         {"{name}", shell_word((path.parent_path() / path.stem()).string())}}};
    for (const auto& [place, value] : places) {
        for (auto at = text.find(place); at != text.npos;
             at = text.find(place, at + value.size())) {
            text.replace(at, place.size(), value);
        }
    }
    return text;
}

// Whether the file of a rule is the program, or all of its source; else it says how to build.
bool names_program(const LanguageRule& rule) {
    const auto has_place = [](const std::string& text) {
        return text.find("{file}") != text.npos || text.find("{name}") != text.npos;
    };
    return has_place(rule.build) || has_place(rule.run);
}

// Files that might have been taken as the bot instead of `taken`, by `rule`: by their names
// alone, for what a pattern fits may be a helper. What a build reads is none.
std::vector<std::string> other_bots(const fs::path& folder, std::span<const LanguageRule> rules,
                                    const LanguageRule& rule, const std::string& taken) {
    std::vector<std::string> others;
    for (const LanguageRule& other : rules) {
        if (!names_program(other) || (!names_program(rule) && !other.build.empty())) continue;
        for (const std::string& choice : choices_of(other.file)) {
            const bool is_told = choice == taken || std::ranges::count(others, choice) > 0;
            if (!is_told && !is_pattern(choice) && is_file(folder / choice))
                others.push_back(choice);
        }
    }
    return others;
}

// By the rules alone; nullopt: no file is there that one names.
Result<std::optional<BotPlan>> plan_by_rules(const fs::path& folder,
                                             std::span<const LanguageRule> rules) {
    for (const LanguageRule& rule : rules) {
        const auto file = first_there(folder, choices_of(rule.file), is_file);
        if (!file) return file.error();
        if (!*file) continue;
        BotPlan plan;
        plan.taken = **file;
        plan.others = other_bots(folder, rules, rule, plan.taken);
        plan.build = filled(rule.build, **file);
        for (const std::string& run : choices_of(rule.run)) {
            plan.runs.push_back(filled(run, **file));
        }
        return std::optional(std::move(plan));
    }
    return std::optional<BotPlan>();
}

// The text of a small file; nullopt: there is none. Judged by the open file, so that nobody can
// put another in its place in between. A link is refused, because it may lead to a file of
// somebody else; so is a pipe, because it may never end.
Result<std::optional<std::string>> read_small_file(const fs::path& path) {
    const protocol::UniqueFd file(
        ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file && (errno == ENOENT || errno == ENOTDIR)) return std::optional<std::string>();
    const bool is_other = !file && (errno == ELOOP || errno == ENXIO);  // a link, a socket
    struct stat status {};
    if (!is_other && (!file || ::fstat(file.get(), &status) != 0))
        return bad_input("cannot read it: {}", std::strerror(errno));
    if (is_other || !S_ISREG(status.st_mode)) return bad_input(kSmallFile);
    std::string text = read_until_end(file.get(), Clock::time_point::max(), kMostBytesOfFile);
    if (text.size() > kMostBytesOfFile) return bad_input(kSmallFile);
    if (std::cmp_less(text.size(), status.st_size)) return bad_input("cannot read all of it");
    return std::optional(std::move(text));
}

// Reads player.toml; nothing if there is none.
Result<BotPlan> read_player_file(const fs::path& folder) {
    const std::string name = "player.toml";
    BotPlan plan;
    const auto read = read_small_file(folder / name);
    if (!read) return bad_input("{}: {}", name, read.error().text);
    const auto& text = *read;
    if (!text) return plan;
    try {
        const toml::table file = toml::parse(*text);
        TomlKeys keys(file, name);
        plan.build = keys.text("build");
        const std::string run = keys.text("run");
        if (auto error = keys.finish()) return *std::move(error);
        if (run.size() > kMostBytesOfRun) {
            return bad_input(
                "{}: run: read {} bytes, expected {} at most: put them into a script", name,
                run.size(), kMostBytesOfRun);
        }
        if (!run.empty()) plan.runs = {run};
        return plan;
    } catch (const toml::parse_error& error) {
        return toml_error(error.source(), name, protocol::printable(error.description()));
    }
}

// Whether something in the folder itself says what its bot is.
bool says_its_bot(const fs::path& folder, std::span<const LanguageRule> rules,
                  const std::string& run) {
    std::error_code missing;
    if (fs::exists(fs::symlink_status(folder / "player.toml", missing))) return true;
    for (const LanguageRule& rule : rules) {
        for (const std::string& choice : choices_of(rule.file)) {
            if (!files_like(folder, choice, is_file).empty()) return true;
        }
    }
    const auto words = split_shell_words(run);
    return words && std::ranges::any_of(*words, [&folder](const std::string& word) {
               return !word.empty() && word.front() != '/' && is_file(folder / word);
           });
}

// Whether a file of this name, or what is in a folder of this name, is no one's bot: what
// tools, editors and systems leave.
bool is_by_product(std::string_view name) {
    constexpr std::array<std::string_view, 8> kNames{"__MACOSX", "__pycache__", "node_modules",
                                                     "target",   "build",       "venv",
                                                     "env",      "virtualenv"};
    return name.starts_with('.') || std::ranges::find(kNames, name) != kNames.end();
}

// The names of what is in a folder, sorted; `folders`: of folders alone. Links do not count.
std::vector<std::string> names_in(const fs::path& folder, bool folders) {
    std::vector<std::string> names;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end;
         !failed && entry != end && names.size() < kMostLookedAt; entry.increment(failed)) {
        std::error_code unknown;
        if (folders && entry->symlink_status(unknown).type() != fs::file_type::directory)
            continue;
        names.push_back(entry->path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

// The folder within `folder` in which a bot lies; nullopt: there is none. The uppermost counts.
Result<std::optional<std::string>> folder_of_bot(const fs::path& folder,
                                                 std::span<const LanguageRule> rules,
                                                 const std::string& run) {
    if (says_its_bot(folder, rules, run)) return std::optional<std::string>("");
    std::vector<std::string> level{""};
    std::size_t looked_at = 0;
    for (int depth = 1; depth <= kDeepestBot && !level.empty(); ++depth) {
        std::vector<std::string> below, found;
        for (const std::string& outer : level) {
            for (const std::string& name : names_in(folder / outer, true)) {
                if (is_by_product(name) || ++looked_at > kMostLookedAt) continue;
                below.push_back((fs::path(outer) / name).string());
                const fs::path inner = folder / below.back();
                std::error_code missing;
                if (fs::exists(inner / "pyvenv.cfg", missing))
                    below.pop_back();
                else if (says_its_bot(inner, rules, run))
                    found.push_back(below.back());
            }
        }
        if (found.size() == 1) return std::optional(std::move(found.front()));
        if (found.empty()) {
            level = std::move(below);
            continue;
        }
        return bad_input(
            "found bots in several folders, {}, expected one bot: hand in the folder of one; "
            "for a class, give its folders",
            several(std::move(found)));
    }
    return std::optional<std::string>();
}

// What is in the folders from `folder` to that of the bot, beside the next one on the way.
std::vector<std::string> passed_on_the_way(const fs::path& folder, const fs::path& inside) {
    std::vector<std::string> passed;
    fs::path outer;
    for (const fs::path& step : inside) {
        for (const std::string& name : names_in(folder / outer, false)) {
            if (name != step) passed.push_back((outer / name).string());
        }
        outer /= step;
    }
    return passed;
}

std::string what_is_there(const fs::path& folder) {
    std::error_code failed;
    const fs::directory_iterator opened(folder, failed);
    if (failed) return "the folder cannot be read: " + failed.message();
    auto names = names_in(folder, false);
    if (names.empty()) return "the folder is empty";
    std::ranges::stable_partition(names,
                                  [](const std::string& name) { return !is_by_product(name); });
    return "there is " + several(std::move(names));
}

std::string expected_files(std::span<const LanguageRule> rules) {
    std::vector<std::string> names;
    for (const LanguageRule& rule : rules) names.push_back(choices_of(rule.file).front());
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

// Builds make all anew: a program that was handed in with its source, or instead of it, must
// not play for it.
std::span<const LanguageRule> built_in_languages() {
    static const std::array<LanguageRule, 10> kRules{{
        {"Cargo.toml", "rm -rf target && cargo build --release --offline",
         "target/release/bot|target/release/nim_bot|target/release/*"},
        {"go.mod", "go build -buildvcs=false -o bin/ ./...", "bin/bot|bin/nim_bot|bin/*"},
        {"bot.py|main.py|nim_bot.py", "", "python3 {file}"},
        {"bot.js|main.js|index.js|nim_bot.js", "", "node {file}"},
        {"Makefile|makefile", "make -B", "./bot|./nim_bot|./*"},
        {"CMakeLists.txt", "rm -rf build && cmake -S . -B build && cmake --build build",
         "build/bot|build/nim_bot|build/*"},
        {"Bot.java|Main.java|NimBot.java|*.java", "javac -d classes *.java",
         "java -cp classes {name}"},
        {"bot.cpp|main.cpp|nim_bot.cpp|*.cpp", "g++ -std=c++17 -O2 -pthread -o bot {file}",
         "./bot"},
        {"*.py", "", "python3 {file}"},
        {"*.js", "", "node {file}"},
    }};
    return kRules;
}

Result<LanguageRule> parse_language(std::string_view keys) {
    const auto words = scan_shell_words(keys);
    if (!words) return words.error();
    LanguageRule rule;
    for (const ShellWord& word : *words) {
        constexpr std::array<std::string_view, 3> kKeys{"file", "build", "run"};
        const std::array<std::string*, 3> values{&rule.file, &rule.build, &rule.run};
        const auto equals = std::min(word.text.find('='), word.text.size());
        const std::string key = word.text.substr(0, equals);
        const auto known = std::ranges::find(kKeys, key);
        if (equals == word.text.size() || known == kKeys.end()) {
            return bad_input_at(word.column, "read {}, expected file=, build= or run={}",
                                protocol::quoted(word.text), protocol::suggestion(key, kKeys));
        }
        std::string& value = *values[static_cast<std::size_t>(known - kKeys.begin())];
        if (!value.empty()) {
            return bad_input_at(word.column, "key {} is given twice", protocol::quoted(key));
        }
        value = word.text.substr(equals + 1);
    }
    const auto checked = check_language(rule);
    if (!checked) return checked.error();
    return rule;
}

Result<void> check_language(const LanguageRule& rule) {
    if (rule.file.empty()) {
        return bad_input("expected the key 'file', by which the language is known");
    }
    if (rule.run.empty()) return bad_input("expected the key 'run', the command of the bot");
    for (const std::string& run : choices_of(rule.run)) {
        const auto words = split_shell_words(run);
        if (!words) return bad_input("run: {}", words.error().text);
        if (words->empty()) return bad_input("run: expected a command, found nothing");
    }
    return {};
}

bool has_bot(const fs::path& folder, std::span<const LanguageRule> rules,
             const std::string& run) {
    const auto found = folder_of_bot(folder, rules, run);
    return !found || found->has_value();  // several are an error
}

Result<BotPlan> plan_bot(const fs::path& given, std::span<const LanguageRule> rules,
                         const std::string& run) {
    auto inside = folder_of_bot(given, rules, run);
    if (!inside) return inside.error();
    const std::string inner = inside->value_or("");
    const fs::path folder = inner.empty() ? given : given / inner;
    auto own = read_player_file(folder);
    if (!own) return own.error();
    // With `run` alone, what is known about the language still says how to build.
    auto by_rules = plan_by_rules(folder, rules);
    if (!by_rules && own->runs.empty()) return by_rules.error();
    BotPlan plan = by_rules && *by_rules ? **std::move(by_rules) : BotPlan{};
    if (plan.runs.empty() && !run.empty()) plan.runs = {run};
    plan.builds_by_rule = own->build.empty();
    if (!own->build.empty()) plan.build = std::move(own->build);
    if (!own->runs.empty()) {
        plan.runs = std::move(own->runs);
        plan.others.clear();  // its author has chosen
    }
    plan.inside = inner;
    plan.ignored = passed_on_the_way(given, inner);
    // A command for all need not name a file, but of nothing no bot comes.
    const bool is_bare = std::ranges::all_of(names_in(folder, false), is_by_product) &&
                         !says_its_bot(folder, rules, run);
    if (!plan.runs.empty() && !is_bare) return plan;
    if (!plan.runs.empty()) return bad_input("found no bot: {}", what_is_there(folder));
    return bad_input(
        "found no bot, expected one of {}, or a player.toml with run = \"COMMAND\"; {}",
        expected_files(rules), what_is_there(folder));
}

std::vector<std::string> notes_of(const BotPlan& plan) {
    std::vector<std::string> notes;
    if (!plan.inside.empty())
        notes.push_back("the bot is in the folder " + protocol::printable(plan.inside));
    if (!plan.others.empty())
        notes.push_back(fmt::format("took {}; {} {} there, too",
                                    protocol::printable(plan.taken), several(plan.others),
                                    plan.others.size() == 1 ? "is" : "are"));
    if (!plan.ignored.empty()) notes.push_back("ignored: " + several(plan.ignored));
    return notes;
}

Result<std::string> find_bot(const fs::path& folder, const BotPlan& plan) {
    if (plan.runs.size() == 1 && !is_pattern(plan.runs.front())) return plan.runs.front();
    for (const std::string& run : plan.runs) {
        auto words = split_shell_words(run);
        if (!words) return bad_input("run: {}", words.error().text);
        if (words->empty()) continue;
        std::string& program = words->front();
        if (program.find('/') == program.npos) return run;  // of the system
        auto found = first_there(folder, {program}, is_program);
        if (!found) return found.error();
        if (!*found) continue;
        program = **std::move(found);
        return fmt::format("{}", fmt::join(*words | std::views::transform(shell_word), " "));
    }
    return bad_input("there is no program {}",
                     protocol::printable(fmt::format("{}", fmt::join(plan.runs, " or "))));
}

}  // namespace arena
