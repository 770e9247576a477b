#include "arena/submissions/bot_build.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <future>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "arena/base/compute.hpp"
#include "arena/game/game_record.hpp"
#include "arena/players/launcher.hpp"
#include "arena/players/stderr_text.hpp"
#include "arena/process/child.hpp"
#include "arena/submissions/tree_archive.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
using protocol::Result;

constexpr Milliseconds kLook{500};  // at the size of a folder outside the sandbox
constexpr std::size_t kLogHead = 64 << 10;
constexpr std::size_t kLogTail = 64 << 10;
constexpr std::uintmax_t kLeastSpace = 16 << 20;  // with less a disk counts as full
constexpr char kRemoveScript[] = R"(
rm -rf -- "$1" 2>/dev/null || { chmod -R u+rwx -- "$1"; rm -rf -- "$1"; }
)";

std::string words_of_end(const Child& child) {
    if (!child.has_ended()) return "it took too long";
    const auto exit = child.exit_status();
    if (!exit) return "its end was not seen";
    if (exit->signal == SIGXCPU) return "it used too much CPU time";
    if (exit->out_of_memory) return "it took more memory than it may have";
    return exit->code == 0 ? "" : "it " + words_of(*exit);
}

// Waits until the process has ended, `look` has a reason to stop it, which is returned, or the
// deadline has passed.
Awaitable<std::string> wait_for(Child& child, Clock::time_point deadline,
                                const std::function<std::string()>& look) {
    std::string stop;
    while (!child.has_ended() && Clock::now() < deadline && stop.empty()) {
        co_await child.wait_for_end(std::min(deadline, Clock::now() + kLook));
        if (child.guardian_gone()) throw GuardianGone();
        if (!child.has_ended() && look) stop = look();
    }
    child.read_stderr();
    co_return stop;
}

// Starts the process; nullopt: `ran` says why not.
Awaitable<std::optional<PlayerProcess>> spawn(const SpawnRequest& request,
                                              const BuildContext& context, RunResult& ran) {
    std::optional<Result<PlayerProcess>> spawned;
    const std::function<void()> start = [&] { spawned = context.guardian.spawn(request); };
    co_await compute(context.loop.compute, start);
    ran.has_started = spawned->has_value();
    if (ran.has_started) co_return **std::move(spawned);
    if (spawned->error().fault == protocol::Fault::Disconnected) throw GuardianGone();
    ran.trouble = spawned->error().text;
    co_return std::nullopt;
}

}  // namespace

Awaitable<RunResult> run_program(const SpawnRequest& request, RunLimit time,
                                 const std::function<std::string()>& look,
                                 const ReadOutput& read_output, const BuildContext& context) {
    RunResult ran;
    std::optional<PlayerProcess> process = co_await spawn(request, context, ran);
    if (!process) co_return ran;
    const auto deadline = std::min(Clock::now() + time.most, time.end);
    std::future<void> reading;
    if (read_output)
        reading = std::async(std::launch::async, read_output, process->out.get(), deadline);
    StderrText log(kLogHead, kLogTail);
    std::function<void(std::string_view)> keep = [&log](auto text) { log.add(text); };
    std::function<void()> nothing = [] {};
    std::optional<Child> child(std::in_place, context.loop.io, *process, keep, nothing);
    ran.trouble = co_await wait_for(*child, deadline, look);
    ran.output = log.text();
    ran.took_too_long = ran.trouble.empty() && !child->has_ended();
    if (ran.trouble.empty()) ran.trouble = words_of_end(*child);
    if (const auto exit = child->exit_status()) ran.status = exit->code;
    child.reset();  // kills it with all that it started, so that its output ends
    const std::function<void()> finish = [&reading] { reading.get(); };
    if (reading.valid()) co_await compute(context.loop.compute, finish);
    co_return ran;
}

Awaitable<RunResult> run_confined(const PlayOptions& play, RunLimit time,
                                  const std::function<std::string()>& look,
                                  const ReadOutput& read_output, const BuildContext& context) {
    std::optional<Result<Launcher>> launcher;
    const std::function<void()> open = [&] {
        launcher.emplace(Launcher::open(play, {}, context.guardian));
    };
    co_await compute(context.loop.compute, open);
    if (!*launcher) throw std::runtime_error(launcher->error().text);
    SpawnRequest request = (*launcher)->request(play.players.front());
    request.cores = context.cores;
    RunResult ran = co_await run_program(request, time, look, read_output, context);
    if (!ran.has_started) throw std::runtime_error(ran.trouble);
    co_return ran;
}

Awaitable<RunResult> run_and_unpack(const PlayOptions& play, RunLimit time, const fs::path& to,
                                    const TreeLimits& limits, std::string_view verb,
                                    const BuildContext& context) {
    std::string refused;
    std::atomic<bool> is_read{false};
    const ReadOutput unpack = [&](int output, Clock::time_point deadline) {
        try {
            refused = unpack_tree(output, deadline + kToolTime, to, limits);
            if (!refused.empty()) refused = fmt::format("{} {}", verb, refused);
        } catch (const std::exception& error) {  // such as a full disk: nobody reads on
            refused = error.what();
            is_read = true;
            throw;
        }
        is_read = true;
    };
    const std::function<std::string()> look = [&] { return is_read ? refused : std::string(); };
    RunResult ran = co_await run_confined(play, time, look, unpack, context);
    ran.refused = refused;
    co_return ran;
}

Awaitable<std::string> run_tool(std::vector<std::string> command, const BuildContext& context) {
    SpawnRequest request;
    request.command = std::move(command);
    const std::function<std::string()> no_look;
    const ReadOutput no_output;
    const RunLimit time{kToolTime};
    RunResult ran = co_await run_program(request, time, no_look, no_output, context);
    if (!ran.has_started) throw std::runtime_error(ran.trouble);
    if (ran.trouble.empty()) co_return "";
    const auto said = last_lines(ran.output, 1, kBytesOfLine);
    co_return said.empty() ? ran.trouble : said.front();
}

Awaitable<void> give_to(const std::string& user, const fs::path& folder,
                        const BuildContext& context) {
    if (user.empty()) co_return;
    std::vector<std::string> command{"/bin/chown", "-R", "-h", "--", user, folder.string()};
    const std::string trouble = co_await run_tool(std::move(command), context);
    if (!trouble.empty()) throw std::runtime_error("chown: " + trouble);
}

void let_pass(const fs::path& folder) {
    fs::permissions(folder, fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add);
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

std::string full_disk(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::system_error& error) {
        if (error.code() != std::errc::no_space_on_device) throw;
        return fmt::format("the disk has no room for its files: {}",
                           protocol::printable(error.what()));
    }
}

void excuse_full_disk(BuildResult& result, const fs::path& folder) {
    std::error_code unknown;
    const fs::space_info space = fs::space(folder, unknown);
    if (unknown || space.available >= kLeastSpace) return;
    result.is_own = false;
    result.reason = "the disk was full, make room and run this again: " + result.reason;
}

}  // namespace arena
