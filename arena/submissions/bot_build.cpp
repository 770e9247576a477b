// A build is a program of a stranger, as a bot is, but it writes and takes more memory. It runs
// in the sandbox that players run in, in a folder of memory whose size the kernel bounds; the
// results directory, other submissions and the rubric are not there to be seen. Once it has
// succeeded, what is in that folder comes out as an archive, and tree_copy.hpp decides what of
// it is kept. So a build never writes to a disk, and no link, mode or device of it survives.
//
// A disk bounded by a look at its size now and then was ruled out: in half a second a build
// writes gigabytes. So were quotas and loop devices, which need rights that a grader seldom
// has.
#include "arena/submissions/bot_build.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/json.hpp>

#include "arena/base/bad_input.hpp"
#include "arena/base/compute.hpp"
#include "arena/base/files.hpp"
#include "arena/base/shell_words.hpp"
#include "arena/players/launcher.hpp"
#include "arena/process/fingerprint.hpp"
#include "arena/submissions/take_in.hpp"
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
bool names_column(std::string_view line) {
    const auto skip_number = [&line] {
        const auto end = std::min(line.find_first_not_of("0123456789"), line.size());
        line.remove_prefix(end);
        return end > 0 && line.starts_with(':');
    };
    while (!line.empty()) {
        line.remove_prefix(std::min(line.find(':'), line.size() - 1) + 1);
        if (!skip_number()) continue;
        line.remove_prefix(1);
        if (skip_number()) return true;
    }
    return false;
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

std::string about(const fs::path& folder, const std::string& fingerprint, const BotPlan& plan,
                  const BuildOptions& options) {
    return protocol::printable(  // for JSON: paths are any bytes
        fmt::format("{}\x1f{}\x1f{}\x1ftime={} sandbox={} run-as={}", folder.string(),
                    fingerprint, plan.build, options.time.count(), options.sandbox,
                    options.run_as));
}

// How a build ended, in this run or an earlier one.
struct BuildEnd {
    std::string error;  // empty: well
    bool changed_nothing = false;
};

// nullopt: there was none of the same.
std::optional<BuildEnd> load_end(const fs::path& file, const std::string& about) {
    const auto built = load_object(file, "build", about);
    const json::value* error = built ? built->if_contains("error") : nullptr;
    if (error == nullptr || !error->is_string()) return std::nullopt;
    const json::value* idle = built->if_contains("changed_nothing");
    return BuildEnd{std::string(error->as_string()),
                    idle != nullptr && idle->is_bool() && idle->as_bool()};
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

// The bot in `folder`, where it has been built or needs no build.
BuildResult started_in(const fs::path& folder, const BotPlan& plan,
                       const std::string& fingerprint) {
    const auto found = find_bot(folder, plan);
    if (!found) return {std::nullopt, found.error().text, true};
    auto command = confined_command(*found);
    if (!command) return {std::nullopt, command.error().text, true};
    return {BuiltBot{folder.string(), *std::move(command), fingerprint}, "", false};
}

// Why a build failed; empty: it did not.
struct BuildFailure {
    std::string reason;
    bool is_own = true;  // the bot's
    std::string log;     // what the build wrote
};

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

// Builds from `copy`, a copy of the submission, into `built`. Throws where the arena could not:
// std::system_error on a full disk.
Awaitable<BuildFailure> build_in(const fs::path& copy, const fs::path& built,
                                 const BotPlan& plan, const BuildOptions& options,
                                 const BuildContext& context) {
    PlayOptions play = play_options_of(options);
    play.players.push_back(build_spec(copy, plan, options));
    show_toolchains(play);
    const auto deadline = std::min(Clock::now() + options.time, options.end);
    std::string refused;
    std::atomic<bool> is_unpacked{false};
    std::function<std::string()> look;
    std::function<void(int)> unpack;
    if (options.sandbox) {
        unpack = [&](int output) {
            refused = unpack_tree(output, deadline + kToolTime, built, kBuilt);
            is_unpacked = true;
        };
        look = [&] {
            return is_unpacked && !refused.empty() ? "it leaves " + refused : std::string();
        };
    } else {
        look = [&copy] {
            const std::string size = too_large(copy);
            return size.empty() ? size : "it filled its folder with " + size;
        };
    }
    const Ran ran = co_await run_confined(play, deadline, look, unpack, context);
    const std::function<void()> copy_built = [&] { refused = copy_tree(copy, built, kBuilt); };
    if (!options.sandbox && ran.trouble.empty())
        co_await compute(context.alone.compute, copy_built);
    // What came of a build that failed is refused as no archive.
    std::string trouble = ran.trouble;
    if (trouble.empty() && !refused.empty()) trouble = "it leaves " + refused;
    BuildFailure failure;
    failure.log = ran.output;
    if (trouble.empty()) co_return failure;
    if (ran.took_too_long) {
        trouble = fmt::format("it took longer than {:g} s",
                              static_cast<double>(options.time.count()) / 1000);
    }
    failure.reason =
        fmt::format("the build failed, `{}`: {}{}", protocol::printable(plan.build, 200),
                    trouble, told_lines(ran.output));
    co_return failure;
}

// Makes `home`/build: a copy of the submission, built if it needs that. What it has written is
// removed where that fails, and only then the disk is looked at: a submission that has filled
// it is to blame, one that has found it full is not.
Awaitable<BuildFailure> make_bot(const fs::path& source, const fs::path& home,
                                 const BotPlan& plan, const BuildOptions& options,
                                 const BuildContext& context) {
    const fs::path copy = home / "build";
    const fs::path built = home / "build.part";
    BuildFailure failure;
    std::exception_ptr thrown;
    try {
        const std::function<void()> copying = [&] { failure.reason = copy_tree(source, copy); };
        co_await compute(context.alone.compute, copying);
        if (!failure.reason.empty()) failure.reason = "the folder has " + failure.reason;
        if (failure.reason.empty() && !plan.build.empty()) {
            co_await give_to(options.run_as, copy, context);
            failure = co_await build_in(copy, built, plan, options, context);
        }
        if (failure.reason.empty() && !plan.build.empty()) {
            co_await remove_folder(copy, context);
            fs::rename(built, copy);
        }
        if (failure.reason.empty()) co_await give_to(options.run_as, copy, context);
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::no_space_on_device) {
            failure.reason =
                fmt::format("the disk has no room for its files: {}", error.what());
        } else {
            thrown = std::current_exception();
        }
    } catch (const std::exception&) {
        thrown = std::current_exception();
    }
    const bool is_well = !thrown && failure.reason.empty();
    if (!is_well) co_await remove_folder(copy, context);
    if (!is_well) co_await remove_folder(built, context);
    if (thrown) std::rethrow_exception(thrown);
    if (!plan.build.empty()) write_whole(home / "build.log", failure.log);
    if (is_well) co_return failure;
    failure.is_own = has_room(home);
    if (!failure.is_own)
        failure.reason = "the disk was full, make room and run this again: " + failure.reason;
    co_return failure;
}

}  // namespace

std::string first_error(std::string_view output) {
    std::string place;
    while (!output.empty()) {
        const std::string_view line = output.substr(0, output.find('\n'));
        output.remove_prefix(std::min(line.size() + 1, output.size()));
        const auto lines = last_lines(protocol::trim(line), 1, kBytesOfLine);
        const std::string shown = lines.empty() ? "" : lines.front();
        for (const char* words : {"error:", "Error:", "error["}) {
            if (line.find(words) != line.npos) return shown;
        }
        const bool is_remark = line.find("warning:") != line.npos;
        if (place.empty() && !is_remark && names_column(line)) place = shown;
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
    const json::value* what = value.as_object().if_contains(key);
    if (what == nullptr || !what->is_string() || what->as_string() != about)
        return std::nullopt;
    return std::move(value.as_object());
}

void write_whole(const fs::path& path, const std::string& text) {
    if (const int error = replace_file(path, text); error != 0)
        throw std::runtime_error(fmt::format(
            "cannot write {}: {}", protocol::quoted(path.string()), std::strerror(error)));
}

namespace {

// As build_bot(), of the bot that `plan` has found in `folder`.
Awaitable<BuildResult> build_planned(const fs::path& folder, const fs::path& place,
                                     const BotPlan& plan, const BuildOptions& options,
                                     const BuildContext& context) {
    const fs::path within = plan.inside.empty() ? folder : folder / plan.inside;
    const fs::path source = fs::absolute(within).lexically_normal();
    const fs::path home = fs::absolute(place).lexically_normal();
    std::string fault;
    std::string fingerprint;
    const std::function<void()> look = [&] {
        if (const std::string size = too_large(source); !size.empty()) {
            fault = "the folder has " + size;
            return;
        }
        fault = unreadable_in(source);
        if (!fault.empty()) fault = "the folder has what cannot be read: " + fault;
        fingerprint = fingerprint_of(source);
    };
    co_await compute(context.alone.compute, look);
    if (!fault.empty()) {
        fs::remove(home / "build.log");
        co_return BuildResult{std::nullopt, protocol::printable(fault), true};
    }
    const fs::path copy = home / "build";
    const std::string text = about(source, fingerprint, plan, options);
    auto end = load_end(home / "build.json", text);
    if (!end || (options.retries && !end->error.empty())) {
        co_await remove_folder(copy, context);
        co_await remove_folder(home / "build.part", context);
        fs::remove(home / "build.json");
        fs::remove(home / "build.log");
        fs::create_directories(home);
        const BuildResult no_time{std::nullopt, kBudgetUsedUp, false};
        if (Clock::now() >= options.end) co_return no_time;
        BuildFailure failure = co_await make_bot(source, home, plan, options, context);
        if (!failure.reason.empty() && Clock::now() >= options.end) co_return no_time;
        if (!failure.is_own) co_return BuildResult{std::nullopt, failure.reason, false};
        end = BuildEnd{std::move(failure.reason)};
        const std::function<void()> compare = [&] {
            end->changed_nothing = fingerprint_of(copy) == fingerprint;
        };
        if (end->error.empty() && !plan.build.empty())
            co_await compute(context.alone.compute, compare);
        const json::object kept{
            {"build", text}, {"error", end->error}, {"changed_nothing", end->changed_nothing}};
        write_whole(home / "build.json", json::serialize(kept) + "\n");
    }
    if (!end->error.empty()) co_return BuildResult{std::nullopt, end->error, true};
    BuildResult built = started_in(copy, plan, fingerprint);
    if (end->changed_nothing) {
        built.notes.push_back(fmt::format("the build, `{}`, made no new or changed file",
                                          protocol::printable(plan.build, 200)));
    }
    co_return built;
}

}  // namespace

Awaitable<BuildResult> build_bot(const Submission& submission, const fs::path& place,
                                 std::span<const LanguageRule> rules, const std::string& run,
                                 const BuildOptions& options, const BuildContext& context) {
    std::error_code missing;
    const TakenIn taken = co_await take_in(submission, place, rules, run, options, context);
    const auto plan = taken.refused.empty() ? plan_bot(taken.folder, rules, run)
                                            : bad_input("{}", taken.refused);
    if (!plan) {
        fs::remove(place / "build.log", missing);  // of another plan
        co_return BuildResult{std::nullopt, plan.error().text, taken.is_own};
    }
    BuildResult built = co_await build_planned(taken.folder, place, *plan, options, context);
    std::vector<std::string> notes = taken.notes;
    std::ranges::move(notes_of(*plan), std::back_inserter(notes));
    built.notes.insert(built.notes.begin(), notes.begin(), notes.end());
    co_return built;
}

}  // namespace arena
