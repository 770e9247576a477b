// A build is a program of a stranger, as a bot is, but it writes and takes more memory. It runs
// in the sandbox that players run in, in a folder of memory whose size the kernel bounds; the
// results directory, other submissions and the rubric are not there to be seen. Once it has
// succeeded, what is in that folder comes out as an archive, and tree_writer.hpp decides what
// of it is kept. So a build never writes to a disk, and no link, mode or device of it survives.
//
// A disk bounded by a look at its size now and then was ruled out: in half a second a build
// writes gigabytes. So were quotas and loop devices, which need rights that a grader seldom
// has.
#include "arena/submissions/bot_build.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iterator>
#include <regex>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/json.hpp>

#include "arena/base/bad_input.hpp"
#include "arena/base/compute.hpp"
#include "arena/base/files.hpp"
#include "arena/base/shell_words.hpp"
#include "arena/players/diagnosis.hpp"
#include "arena/process/fingerprint.hpp"
#include "arena/submissions/build_folders.hpp"
#include "arena/submissions/tree_copy.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using protocol::Result;

constexpr std::uint64_t kScratch = std::uint64_t{1} << 30;  // bytes that a build may write
constexpr TreeLimits kBuilt{.bytes = std::uint64_t{256} << 20, .entries = 20'000};
constexpr std::size_t kLinesTold = 12;
constexpr int kNotFound = 127;  // the shell's status for a program that is not there

// $1: the command. The archive, on standard output, is kept from what is built.
constexpr char kBoxScript[] = R"(
cp -R -P /submission/. . && exec 4>&1 >&2 </dev/null && /bin/sh -c "$1" 4>&- &&
    chmod -R u+rwX . && exec tar --hard-dereference -cf - . >&4
)";

// A file that this process may not read; empty: it may read all.
std::string unreadable_in(const fs::path& folder) {
    std::error_code failed;
    for (fs::recursive_directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (!entry->is_symlink() && ::access(entry->path().c_str(), R_OK) != 0)
            return entry->path().lexically_relative(folder).string();
    }
    return failed ? failed.message() : "";
}

// A build has a HOME of its own, where rustup would look for toolchains; the sandbox shows
// those of the system alone.
void show_toolchains(PlayOptions& play) {
    if (play.sandbox.on) return;
    const char* given = std::getenv("RUSTUP_HOME");
    const char* home = std::getenv("HOME");
    const fs::path own = fs::path(home == nullptr ? "" : home) / ".rustup";
    std::error_code missing;
    if (given != nullptr) {
        play.players.back().environment.emplace_back("RUSTUP_HOME", given);
    } else if (own.is_absolute() && fs::is_directory(own, missing)) {
        play.players.back().environment.emplace_back("RUSTUP_HOME", own.string());
    }
}

// In the sandbox a build has the room that compilers take; their caches lie in its /tmp.
PlayOptions play_options_of(const BuildOptions& options) {
    PlayOptions play;
    play.environment = EnvironmentMode::Clean;
    play.startup = options.time;
    play.run_as = options.run_as;
    play.sandbox.on = options.sandbox;
    play.sandbox.memory = std::uint64_t{3} << 30;
    play.sandbox.processes = 256;
    play.sandbox.disk = std::uint64_t{1} << 30;
    return play;
}

// Whether a line names a line and a column: "./main.go:5:2: undefined: x".
bool names_column(const std::string& line) {
    static const std::regex kPlace(":[0-9]+:[0-9]+:");
    return std::regex_search(line, kPlace);
}

// Each line of the last few of a log, indented, after the first error if that comes before.
std::string told_lines(const std::string& log) {
    std::string text;
    for (const std::string& line : last_lines(log, kLinesTold, kBytesOfLine)) {
        text += "\n  " + line;
    }
    const std::string first = first_error(log);
    const bool is_told = text.find(first) != text.npos;
    return is_told ? text : fmt::format("\n  {}\n  …{}", first, text);
}

// The sandbox shows, besides the folder, the files that a command names; here these are words
// of a stranger. A shell inside names none.
Result<std::vector<std::string>> confined_command(const std::string& command) {
    const auto words = split_shell_words(command);
    if (!words) return bad_input("run: {}", words.error().text);
    std::string script = "exec";
    for (const std::string& word : *words) script += " " + shell_word(word);
    return std::vector<std::string>{"/bin/sh", "-c", script};
}

PlayerSpec build_spec(const fs::path& folder, const BotPlan& plan,
                      const BuildOptions& options) {
    PlayerSpec spec;
    spec.name = "build";
    spec.command = {"/bin/sh", "-c", "exec </dev/null >&2\n" + plan.build};  // all is the log
    spec.directory = folder.string();
    spec.data_limit = 0;
    if (options.sandbox) {
        spec.command = {"/bin/sh", "-c", kBoxScript, "sh", plan.build};
        spec.scratch = Scratch{folder.string(), kScratch};
    }
    return spec;
}

// The folder by a path that passes no link. Its own name stays: what was no link may be one
// now.
fs::path folder_itself(const fs::path& given) {
    fs::path path = fs::absolute(given);
    if (!path.has_filename()) path = path.parent_path();
    const fs::path name = path.filename();
    return name == "." || name == ".." ? resolved(path) : resolved(path.parent_path()) / name;
}

// The bot that a plan has found in the folder that was taken in.
class BotBuild {
  public:
    // All outlives this.
    BotBuild(const fs::path& folder, const fs::path& place, const BotPlan& plan,
             const BuildOptions& options, const BuildContext& context)
        : plan_(plan),
          options_(options),
          context_(context),
          source_(plan.inside.empty() ? folder_itself(folder)
                                      : folder_itself(folder) / plan.inside),
          home_(resolved(place)) {}

    // As build_bot().
    Awaitable<BuildResult> build() {
        const std::function<void()> look = [this] { look_at_source(); };
        co_await compute(context_.loop.compute, look);
        if (!result_.reason.empty()) {
            fs::remove(home_ / "build.log");
            co_return std::move(result_);
        }
        const std::string text = about();
        const bool is_known = load_end(text);
        if (!is_known || (options_.retries && !result_.reason.empty()))
            co_await build_anew(text);
        if (result_.reason.empty()) find_start();
        co_return std::move(result_);
    }

  private:
    void look_at_source() {
        std::string fault = too_large(source_);
        if (fault.empty()) {
            fault = unreadable_in(source_);
            if (!fault.empty()) fault = "what cannot be read: " + fault;
            fingerprint_ = fingerprint_of(source_);
        }
        if (!fault.empty()) result_.reason = protocol::printable("the folder has " + fault);
    }

    std::string about() const {
        return protocol::printable(  // for JSON: paths are any bytes
            fmt::format("{}\x1f{}\x1f{}\x1ftime={} sandbox={} run-as={}", source_.string(),
                        fingerprint_, plan_.build, options_.time.count(), options_.sandbox,
                        options_.run_as));
    }

    // How a build of the same ended in an earlier run; false: there was none, or what it made
    // is gone.
    bool load_end(const std::string& text) {
        const auto built = load_object(home_ / "build.json", "build", text);
        if (!built || !built->contains("error")) return false;
        const std::string error = text_at(*built, "error");
        std::error_code missing;
        if (error.empty() && !fs::is_directory(copy_, missing)) return false;
        result_.reason = error;
        const json::value* idle = built->if_contains("changed_nothing");
        if (idle != nullptr && *idle == json::value(true)) note_idle_build();
        return true;
    }

    void note_idle_build() {
        result_.notes.push_back(fmt::format("the build, `{}`, made no new or changed file",
                                            protocol::printable(plan_.build, 200)));
    }

    Awaitable<void> build_anew(const std::string& text) {
        result_ = {};
        co_await remove_folder(copy_, context_);
        co_await remove_folder(built_, context_);
        fs::remove(home_ / "build.json");
        fs::remove(home_ / "build.log");
        fs::create_directories(home_);
        const bool has_time = Clock::now() < options_.end;
        if (has_time) co_await make();
        if (!has_time || (!result_.reason.empty() && Clock::now() >= options_.end)) {
            result_.reason = kBudgetUsedUp;
            result_.is_own = false;
        }
        if (!result_.is_own) co_return;
        const std::function<void()> compare = [this] {
            if (fingerprint_of(copy_) == fingerprint_) note_idle_build();
        };
        if (result_.reason.empty() && !plan_.build.empty())
            co_await compute(context_.loop.compute, compare);
        const json::object kept{{"build", text},
                                {"error", result_.reason},
                                {"changed_nothing", !result_.notes.empty()}};
        write_whole(home_ / "build.json", json::serialize(kept) + "\n");
    }

    // Makes build/. What it has written is removed where that fails, and only then the disk is
    // looked at: a submission that has filled it is to blame, one that has found it full is
    // not.
    Awaitable<void> make() {
        std::exception_ptr thrown;
        try {
            co_await copy_and_build();
        } catch (...) {
            thrown = std::current_exception();
        }
        const bool is_well = !thrown && result_.reason.empty();
        if (!is_well) co_await remove_folder(copy_, context_);
        if (!is_well) co_await remove_folder(built_, context_);
        if (thrown) result_.reason = full_disk(thrown);
        if (!plan_.build.empty()) write_whole(home_ / "build.log", log_);
        if (!is_well) excuse_full_disk(result_, home_);
    }

    Awaitable<void> copy_and_build() {
        std::string refused;
        const std::function<void()> copying = [&] { refused = copy_tree(source_, copy_); };
        co_await compute(context_.loop.compute, copying);
        if (!refused.empty()) {
            result_.reason = "the folder has " + refused;
            co_return;
        }
        co_await give_to(options_.run_as, copy_, context_);
        if (plan_.build.empty()) co_return;
        co_await run_build();
        if (!result_.reason.empty()) co_return;
        co_await remove_folder(copy_, context_);
        fs::rename(built_, copy_);
        co_await give_to(options_.run_as, copy_, context_);
    }

    // Builds from the copy into build.part/. Throws where the arena could not:
    // std::system_error on a full disk.
    Awaitable<void> run_build() {
        PlayOptions play = play_options_of(options_);
        play.players.push_back(build_spec(copy_, plan_, options_));
        show_toolchains(play);
        const RunResult ran = co_await run_to_end(play);
        log_ = ran.output;
        // What came of a build that failed is refused as no archive.
        std::string trouble = ran.trouble.empty() ? ran.refused : ran.trouble;
        if (trouble.empty()) co_return;
        if (ran.took_too_long) {
            trouble = fmt::format("it took longer than {:g} s",
                                  static_cast<double>(options_.time.count()) / 1000);
        }
        result_.reason =
            fmt::format("the build failed, `{}`: {}{}", protocol::printable(plan_.build, 200),
                        trouble, told_lines(log_));
        // Of a rule's own command the shell says one line; a build that has run says more.
        const bool is_missing =
            ran.status == kNotFound && last_lines(log_, 2, kBytesOfLine).size() == 1;
        result_.is_own = !plan_.builds_by_rule || !is_missing;
    }

    // Runs the build, confined, and takes what it has made.
    Awaitable<RunResult> run_to_end(const PlayOptions& play) {
        const RunLimit time{options_.time, options_.end};
        if (options_.sandbox)
            co_return co_await run_and_unpack(play, time, built_, kBuilt, "it leaves",
                                              context_);
        const std::function<std::string()> look = [this] {
            const std::string size = too_large(copy_);
            return size.empty() ? size : "it filled its folder with " + size;
        };
        const ReadOutput no_output;
        RunResult ran = co_await run_confined(play, time, look, no_output, context_);
        const std::function<void()> copy_built = [&] {
            ran.refused = copy_tree(copy_, built_, kBuilt);
        };
        if (ran.trouble.empty()) co_await compute(context_.loop.compute, copy_built);
        if (!ran.refused.empty()) ran.refused = "it leaves " + ran.refused;
        co_return ran;
    }

    // The bot in build/, where it has been built or needs no build.
    void find_start() {
        const auto found = find_bot(copy_, plan_);
        auto command = found ? confined_command(*found) : found.error();
        if (command)
            result_.bot = BuiltBot{copy_.string(), *std::move(command), fingerprint_};
        else
            result_.reason = command.error().text;
    }

    const BotPlan& plan_;
    const BuildOptions& options_;
    const BuildContext& context_;
    const fs::path source_;
    const fs::path home_;
    const fs::path copy_ = home_ / "build";        // of the source, built once that is done
    const fs::path built_ = home_ / "build.part";  // what its build has made
    std::string fingerprint_;
    std::string log_;
    BuildResult result_;
};

}  // namespace

std::string first_error(std::string_view output) {
    std::string place;
    for (const std::string& line : split_printable(output)) {
        const auto shown = protocol::printable(protocol::trim(line), kBytesOfLine);
        for (const char* words : {"error:", "Error:", "error["}) {
            if (line.find(words) != line.npos) return shown;
        }
        const bool is_remark = line.find("warning:") != line.npos;
        const bool is_missing = line.find(": not found") != line.npos;  // says the shell
        if (place.empty() && !is_remark && (is_missing || names_column(shown))) place = shown;
    }
    return place;
}

std::optional<json::object> load_object(const fs::path& path, std::string_view key,
                                        const std::string& about) {
    std::error_code missing;
    if (!fs::exists(path, missing)) return std::nullopt;
    const auto text = read_file(path.string());
    if (!text) return std::nullopt;
    boost::system::error_code failed;
    json::value value = json::parse(*text, failed);
    if (failed || !value.is_object()) return std::nullopt;
    if (text_at(value.as_object(), key) != about) return std::nullopt;
    return std::move(value.as_object());
}

std::string text_at(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
}

void write_whole(const fs::path& path, const std::string& text) {
    if (const int error = replace_file(path, text); error != 0)
        throw fs::filesystem_error("cannot write", path, {error, std::generic_category()});
}

std::string cannot_write(const fs::filesystem_error& error) {
    const fs::path& path = error.path2().empty() ? error.path1() : error.path2();
    return fmt::format("cannot write {}: {}", protocol::quoted(path.string()),
                       error.code().message());
}

Awaitable<BuildResult> build_bot(const Submission& submission, const fs::path& place,
                                 std::span<const LanguageRule> rules, const std::string& run,
                                 const BuildOptions& options, const BuildContext& context) {
    BuildResult result;
    if (is_link(submission)) {
        result.reason = "it is a link, expected a folder or an archive";
        co_return result;
    }
    const fs::path folder =
        co_await take_in(submission, place, rules, run, options, context, result);
    const auto plan =
        result.reason.empty() ? plan_bot(folder, rules, run) : bad_input("{}", result.reason);
    if (!plan) {
        std::error_code missing;
        fs::remove(place / "build.log", missing);  // of another plan
        result.reason = plan.error().text;
        result.notes.clear();
        co_return result;
    }
    std::ranges::move(notes_of(*plan), std::back_inserter(result.notes));
    BotBuild build(folder, place, *plan, options, context);
    BuildResult built = co_await build.build();
    built.notes.insert(built.notes.begin(), result.notes.begin(), result.notes.end());
    co_return built;
}

}  // namespace arena
