// Builds the bot of a folder: in a copy, so that the folder stays as it was handed in, confined
// as a player is, within a time, and with its output kept.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "arena/base/clock.hpp"
#include "arena/base/io.hpp"
#include "arena/base/run_alone.hpp"
#include "arena/players/play_options.hpp"
#include "arena/process/guardian.hpp"
#include "arena/submissions/bot_folder.hpp"
#include "arena/submissions/submission.hpp"
#include "arena/submissions/tree_writer.hpp"

namespace arena {

// The reason given for work that is skipped because time is up, such as BuildOptions::end.
inline constexpr char kBudgetUsedUp[] = "the budget has been used up";

// The means that builds run with. All of them outlive the builds.
struct BuildContext {
    const EventLoop& loop;
    const Guardian& guardian;
    const std::vector<int>& cores;  // that a build may use; empty: all
};

struct BuildOptions {
    bool sandbox = false;
    std::string run_as;          // a user, instead of the sandbox; or empty
    Milliseconds time{300'000};  // for one build
    Clock::time_point end = Clock::time_point::max();  // of all; what it cuts short is not kept
    bool retries = false;  // what failed in an earlier run; else it stays as it ended
};

// A bot that can be started.
struct BuiltBot {
    std::string folder;                // absolute; where it is started
    std::vector<std::string> command;  // whose words name no file, see Sandbox
    std::string fingerprint;           // of what was handed in
};

struct BuildResult {
    std::optional<BuiltBot> bot;
    std::string reason;  // why there is none, or will be none; lines
    bool is_own = true;  // the bot's fault: another try would not help
    // For the author: what was unpacked, how the bot was found, if that is not obvious, and
    // whether its build did nothing.
    std::vector<std::string> notes;
};

// Takes in what was handed in (take_in()), finds its bot (plan_bot()), and builds it.
// `place`: a folder that gets handed-in/ if need be, build/ (a copy of the folder in which the
// bot lies, see tree_writer.hpp, in which the bot is built and started), build.log (what the
// build wrote) and build.json (how it ended). What is there of the same plan and the same files
// is taken, so that a run that was killed goes on. Throws on errors of the arena itself, and
// std::filesystem::filesystem_error where `place` cannot be written.
Awaitable<BuildResult> build_bot(const Submission& submission,
                                 const std::filesystem::path& place,
                                 std::span<const LanguageRule> rules, const std::string& run,
                                 const BuildOptions& options, const BuildContext& context);

// Makes a folder of what was handed in (take_in.cpp): files of a platform get the names that
// the student gave them, and an archive is unpacked, in the sandbox that builds run in. Returns
// the folder, and adds to `result` what has been done ("unpacked ann.zip"), or why there is no
// folder. `place` gets handed-in/, unless a folder was handed in; a folder, or files, with
// nothing to play but an archive count as that archive. The rest as with build_bot().
Awaitable<std::filesystem::path> take_in(const Submission& submission,
                                         const std::filesystem::path& place,
                                         std::span<const LanguageRule> rules,
                                         const std::string& run, const BuildOptions& options,
                                         const BuildContext& context, BuildResult& result);

// The first line of a build's output that says what is wrong, as compilers and the shell write
// it; empty: none.
std::string first_error(std::string_view output);

// The JSON object in a file of an earlier run whose `key` says `about`; nullopt: there is none.
std::optional<boost::json::object> load_object(const std::filesystem::path& path,
                                               std::string_view key, const std::string& about);

// The text under a key; empty: there is none.
std::string text_at(const boost::json::object& object, std::string_view key);

// Whole or not at all, also where this process is killed. Throws
// std::filesystem::filesystem_error where it cannot be written.
void write_whole(const std::filesystem::path& path, const std::string& text);

// What such an error says, for a person.
std::string cannot_write(const std::filesystem::filesystem_error& error);

// ---- programs beside the games, such as a build (program_run.cpp) ----

inline constexpr Milliseconds kToolTime{600'000};  // for a tool that is trusted, on a busy disk
inline constexpr std::size_t kBytesOfLine = 300;   // of what it wrote, in an error

// How a process ended.
struct RunResult {
    std::string trouble;  // why it did not run to its end, or how it ended; empty: well
    std::string refused;  // what is wrong with the archive that it wrote; empty: nothing
    bool has_started = false;
    bool took_too_long = false;
    std::string output;         // of stderr
    std::optional<int> status;  // nullopt: it was stopped, or ended by a signal
};

// How long a program may run, counted from when it runs: to be started, it waits for the
// compute thread, and so for other submissions.
struct RunLimit {
    Milliseconds most;
    Clock::time_point end = Clock::time_point::max();  // of all
};

// Reads the standard output of a program, which ends at `deadline`, to its end.
using ReadOutput = std::function<void(int output, Clock::time_point deadline)>;

// Runs it to its end, or as long as it may. `look` is asked now and then, and stops it by a
// reason. `read_output` runs on a thread of its own. What that throws is thrown on.
Awaitable<RunResult> run_program(const SpawnRequest& request, RunLimit time,
                                 const std::function<std::string()>& look,
                                 const ReadOutput& read_output, const BuildContext& context);

// The same of the only player of `play`, confined as that says. Throws where it could not be
// started.
Awaitable<RunResult> run_confined(const PlayOptions& play, RunLimit time,
                                  const std::function<std::string()>& look,
                                  const ReadOutput& read_output, const BuildContext& context);

// The same of one that writes a tar archive, which is unpacked into the new folder `to`. It is
// stopped once the archive is refused; `verb`: the word before what is refused.
Awaitable<RunResult> run_and_unpack(const PlayOptions& play, RunLimit time,
                                    const std::filesystem::path& to, const TreeLimits& limits,
                                    std::string_view verb, const BuildContext& context);

// A tool of the system, trusted. Gives why it failed; throws where it could not be started.
Awaitable<std::string> run_tool(std::vector<std::string> command, const BuildContext& context);

// Makes `user` the owner of a folder, if there is one: outside the sandbox it writes there.
Awaitable<void> give_to(const std::string& user, const std::filesystem::path& folder,
                        const BuildContext& context);

// Lets all users pass through a folder, but not list it. Throws where that is not allowed.
void let_pass(const std::filesystem::path& folder);

// Removes a folder with whatever a stranger's program has put there.
Awaitable<void> remove_folder(const std::filesystem::path& folder, const BuildContext& context);

// What an exception tells of a full disk; any other exception is thrown on.
std::string full_disk(const std::exception_ptr& thrown);

// If the disk is full although what a submission wrote is gone, a failure is not its own.
void excuse_full_disk(BuildResult& result, const std::filesystem::path& folder);

}  // namespace arena
