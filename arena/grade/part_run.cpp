#include "arena/grade/part_run.hpp"

#include <filesystem>
#include <utility>

#include <boost/asio/awaitable.hpp>

#include "arena/base/files.hpp"

namespace arena {
namespace {

constexpr std::size_t kMostOutput = 64 << 20;  // bytes

}  // namespace

Awaitable<PartRun> run_nim_arena(std::vector<std::string> words, RunLimit time,
                                 const BuildContext& context) {
    SpawnRequest request;
    request.command = std::move(words);
    request.command.insert(request.command.begin(),
                           std::filesystem::read_symlink("/proc/self/exe").string());
    request.cores = context.cores;
    PartRun run;
    // What runs at the deadline is killed, which ends its output.
    const ReadOutput read = [&run](int output, Clock::time_point deadline) {
        run.output = read_until_end(output, deadline + kToolTime, kMostOutput);
        run.output.resize(run.output.rfind('\n') + 1);  // what was killed leaves half a line
    };
    const std::function<std::string()> no_look;
    RunResult ran = co_await run_program(request, time, no_look, read, context);
    run.stderr_text = ran.has_started ? std::move(ran.output) : std::move(ran.trouble);
    run.is_late = ran.took_too_long;
    run.status = ran.status;
    co_return run;
}

}  // namespace arena
