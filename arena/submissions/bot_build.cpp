// A build is a program of a stranger, as a bot is, but it writes and takes more memory. It runs
// in the sandbox that players run in, where its folder alone can be written, and it is ended
// when its time is over or its folder has grown too large. The results directory, other
// submissions and the rubric are not there to be seen. Its output is no file of its own: what
// fills a disk is cut.
#include "arena/submissions/bot_build.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
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
#include "arena/process/child.hpp"
#include "arena/process/fingerprint.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using protocol::Result;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // of a folder
constexpr std::uint64_t kMostEntries = 100'000;
constexpr int kDeepest = 100;               // folders, each of which a walk holds open
constexpr std::size_t kLongestPath = 1000;  // within the folder
constexpr Milliseconds kLook{500};          // at the size of the folder
constexpr Milliseconds kToolTime{60'000};   // for cp and rm
constexpr std::size_t kLogHead = 64 << 10;
constexpr std::size_t kLogTail = 64 << 10;
constexpr std::uintmax_t kLeastSpace = 16 << 20;  // with less a disk counts as full
constexpr std::size_t kLinesTold = 12;
constexpr std::size_t kBytesOfLine = 300;

constexpr char kCopyScript[] = R"(
cp -R -P -- "$1/." "$2" && chmod -R u+rwX -- "$2" &&
    { [ -z "$3" ] || chown -R -h -- "$3" "$2"; }
)";
constexpr char kRemoveScript[] = R"(
rm -rf -- "$1" 2>/dev/null || { chmod -R u+rwx -- "$1"; rm -rf -- "$1"; }
)";

// The beginning and the end of what a build wrote.
class BuildLog {
  public:
    void add(std::string_view text) {
        const auto room = std::min(kLogHead - head_.size(), text.size());
        head_ += text.substr(0, room);
        tail_ += text.substr(room);
        if (tail_.size() <= 2 * kLogTail) return;
        left_out_ += tail_.size() - kLogTail;
        tail_.erase(0, tail_.size() - kLogTail);
    }
    std::string text() const {
        if (left_out_ == 0) return head_ + tail_;
        return fmt::format("{}\n[{} bytes left out]\n{}", head_, left_out_, tail_);
    }

  private:
    std::string head_, tail_;
    std::size_t left_out_ = 0;
};

// Why a folder is too large; empty: it is not.
std::string too_large(const fs::path& folder) {
    std::uint64_t bytes = 0;
    std::uint64_t entries = 0;
    std::error_code failed;
    constexpr auto kSkip = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(folder, kSkip, failed), end;
         !failed && entry != end; entry.increment(failed)) {
        std::error_code unknown;
        if (++entries > kMostEntries) return fmt::format("more than {} files", kMostEntries);
        if (entry.depth() > kDeepest) return fmt::format("folders more than {} deep", kDeepest);
        if (entry->path().native().size() > folder.native().size() + kLongestPath)
            return fmt::format("paths of more than {} bytes", kLongestPath);
        if (!entry->is_regular_file(unknown) || entry->is_symlink(unknown)) continue;
        const auto size = entry->file_size(unknown);
        if (!unknown) bytes += size;
        if (bytes > kMostBytes) return "more than 1 GiB";
    }
    return {};
}

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

// How a process ended.
struct Ran {
    std::string trouble;  // why it did not run to its end, or how it ended; empty: well
    bool has_started = false;
    std::string output;  // of stderr
};

std::string words_of_end(const Child& child) {
    if (!child.has_ended()) return "it took too long";
    if (child.ran_out_of_memory()) return "it took more memory than it may have";
    const auto exit = child.exit_status();
    if (!exit) return "its end was not seen";
    return exit->code == 0 ? "" : "it " + words_of(*exit);
}

// Runs it to its end or `deadline`. `look` is asked now and then, and stops it by a reason.
Awaitable<Ran> run_program(const SpawnRequest& request, Clock::time_point deadline,
                           const std::function<std::string()>& look,
                           const BuildContext& context) {
    Ran ran;
    std::optional<Result<PlayerProcess>> spawned;
    const std::function<void()> spawn = [&] { spawned = context.guardian.spawn(request); };
    co_await compute(context.alone.compute, spawn);
    if (!*spawned && spawned->error().fault == protocol::Fault::Disconnected)
        throw GuardianGone();
    if (!*spawned) {
        ran.trouble = spawned->error().text;
        co_return ran;
    }
    ran.has_started = true;
    BuildLog log;
    std::function<void(std::string_view)> keep = [&log](std::string_view text) {
        log.add(text);
    };
    std::function<void()> nothing = [] {};
    Child child(context.alone.io, **spawned, keep, nothing);
    while (!child.has_ended() && Clock::now() < deadline && ran.trouble.empty()) {
        co_await child.wait_for_end(std::min(deadline, Clock::now() + kLook));
        if (child.guardian_gone()) throw GuardianGone();
        if (!child.has_ended() && look) ran.trouble = look();
    }
    child.read_stderr();
    ran.output = log.text();
    if (ran.trouble.empty()) ran.trouble = words_of_end(child);
    co_return ran;
}

// A tool of the system, trusted. Gives why it failed; throws where it could not be started.
Awaitable<std::string> run_tool(std::vector<std::string> command, const BuildContext& context) {
    SpawnRequest request;
    request.command = std::move(command);
    const std::function<std::string()> no_look;
    const auto deadline = Clock::now() + kToolTime;
    Ran ran = co_await run_program(request, deadline, no_look, context);
    if (!ran.has_started) throw std::runtime_error(ran.trouble);
    if (ran.trouble.empty()) co_return "";
    const auto said = last_lines(ran.output, 1, kBytesOfLine);
    co_return said.empty() ? ran.trouble : said.front();
}

// Links stay links, and none is followed. `owner`: who builds there, or empty.
Awaitable<std::string> copy_folder(const fs::path& from, const fs::path& to,
                                   const std::string& owner, const BuildContext& context) {
    std::vector<std::string> command{"/bin/sh",     "-c",        kCopyScript, "sh",
                                     from.string(), to.string(), owner};
    std::string trouble = co_await run_tool(std::move(command), context);
    co_return trouble;
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

// The sandbox shows the folder to be read; a build writes there.
void allow_writing(const fs::path& folder, SpawnRequest& request) {
    std::vector<std::string>& words = request.command;
    for (std::size_t i = 0; i + 2 < words.size() && words[i] != "--"; ++i) {
        const bool is_folder =
            words[i + 1] == folder.string() && words[i + 2] == folder.string();
        if (words[i] == "--ro-bind" && is_folder) words[i] = "--bind";
    }
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

// How an earlier build of the same ended: "" is well. nullopt: there was none.
std::optional<std::string> load_end(const fs::path& file, const std::string& about) {
    const auto built = load_object(file, "build", about);
    const json::value* error = built ? built->if_contains("error") : nullptr;
    if (error == nullptr || !error->is_string()) return std::nullopt;
    return std::string(error->as_string());
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

// Whether a failed build found no room on a disk. What it has written may be gone, and the disk
// have room again, so its own words count, too.
bool has_filled_disk(const fs::path& folder, const std::string& output) {
    for (const char* words : {"No space left on device", "Disk quota exceeded"}) {
        if (output.find(words) != output.npos) return true;
    }
    std::error_code unknown;
    const fs::space_info space = fs::space(folder, unknown);
    return !unknown && space.available < kLeastSpace;
}

// Why a build failed; empty: it did not.
struct BuildFailure {
    std::string reason;
    bool is_own = true;  // the bot's
};

// Builds in `copy`, which is there. Throws where the arena could not.
Awaitable<BuildFailure> build_in(const fs::path& copy, const fs::path& place,
                                 const BotPlan& plan, const BuildOptions& options,
                                 const BuildContext& context) {
    PlayOptions play = play_options_of(options);
    PlayerSpec& spec = play.players.emplace_back();
    spec.name = "build";
    spec.command = {"/bin/sh", "-c", "exec </dev/null >&2\n" + plan.build};  // all is the log
    spec.directory = copy.string();
    spec.data_limit = 0;
    show_toolchains(play);
    std::optional<Result<Launcher>> launcher;
    const std::function<void()> open = [&] {
        launcher.emplace(Launcher::open(play, {}, context.guardian));
    };
    co_await compute(context.alone.compute, open);
    if (!*launcher) throw std::runtime_error(launcher->error().text);

    const std::function<std::string()> look = [&copy] {
        const std::string size = too_large(copy);
        return size.empty() ? size : "it filled its folder with " + size;
    };
    const auto deadline = std::min(Clock::now() + options.time, options.end);
    SpawnRequest request = (*launcher)->request(spec);
    request.cores = context.cores;
    if (options.sandbox) allow_writing(copy, request);
    const Ran ran = co_await run_program(request, deadline, look, context);
    if (!ran.has_started) throw std::runtime_error(ran.trouble);
    write_whole(place / "build.log", ran.output);
    std::string trouble = ran.trouble.empty() ? look() : ran.trouble;
    BuildFailure failure;
    if (trouble.empty()) co_return failure;
    if (trouble == "it took too long") {
        trouble = fmt::format("it took longer than {:g} s",
                              static_cast<double>(options.time.count()) / 1000);
    }
    failure.is_own = !has_filled_disk(place, ran.output);
    failure.reason =
        fmt::format("{}the build failed, `{}`: {}{}",
                    failure.is_own ? "" : "the disk was full, make room and run this again: ",
                    protocol::printable(plan.build, 200), trouble, told_lines(ran.output));
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

Awaitable<void> remove_folder(const fs::path& folder, const BuildContext& context) {
    std::error_code missing;
    if (!fs::exists(fs::symlink_status(folder, missing))) co_return;
    std::vector<std::string> command{"/bin/sh", "-c", kRemoveScript, "sh", folder.string()};
    const std::string trouble = co_await run_tool(std::move(command), context);
    if (!trouble.empty()) {
        throw std::runtime_error(
            fmt::format("cannot remove {}: {}", protocol::quoted(folder.string()), trouble));
    }
}

Awaitable<BuildResult> build_bot(const fs::path& folder, const fs::path& place,
                                 const BotPlan& plan, const BuildOptions& options,
                                 const BuildContext& context) {
    const fs::path source = fs::absolute(folder).lexically_normal();
    const fs::path home = fs::absolute(place).lexically_normal();
    std::string fault;
    std::string fingerprint;
    const std::function<void()> look = [&] {
        if (const std::string size = too_large(source); !size.empty()) {
            fault = "the folder has " + size;
            return;
        }
        if (!plan.build.empty()) fault = unreadable_in(source);
        if (!fault.empty()) fault = "the folder has what cannot be read: " + fault;
        fingerprint = fingerprint_of(source);
    };
    co_await compute(context.alone.compute, look);
    if (!fault.empty()) {
        fs::remove(home / "build.log");
        co_return BuildResult{std::nullopt, protocol::printable(fault), true};
    }
    if (plan.build.empty()) co_return started_in(source, plan, fingerprint);
    const fs::path copy = home / "build";
    const std::string text = about(source, fingerprint, plan, options);
    auto error = load_end(home / "build.json", text);
    if (!error || (options.retries && !error->empty())) {
        co_await remove_folder(copy, context);
        fs::remove(home / "build.json");
        fs::remove(home / "build.log");
        fs::create_directories(copy);
        const BuildResult no_time{std::nullopt, kBudgetUsedUp, false};
        if (Clock::now() >= options.end) co_return no_time;
        const std::string trouble = co_await copy_folder(source, copy, options.run_as, context);
        if (!trouble.empty())
            co_return BuildResult{std::nullopt, "cannot copy it: " + trouble, false};
        BuildFailure failure = co_await build_in(copy, home, plan, options, context);
        if (!failure.reason.empty()) co_await remove_folder(copy, context);
        if (!failure.reason.empty() && Clock::now() >= options.end) co_return no_time;
        if (!failure.is_own) co_return BuildResult{std::nullopt, failure.reason, false};
        json::object end{{"build", text}, {"error", failure.reason}};
        write_whole(home / "build.json", json::serialize(end) + "\n");
        error = std::move(failure.reason);
    }
    if (!error->empty()) co_return BuildResult{std::nullopt, *error, true};
    co_return started_in(copy, plan, fingerprint);
}

}  // namespace arena
