#include "arena/grade/part_run.hpp"

#include <filesystem>
#include <memory>
#include <utility>

#include <boost/asio/awaitable.hpp>

#include "arena/players/launcher.hpp"
#include "arena/players/link.hpp"
#include "arena/players/stderr_text.hpp"

namespace arena {
namespace {

constexpr std::chrono::seconds kEnding{20};  // from the end of output to that of the process

}  // namespace

Awaitable<PartRun> run_nim_arena(std::vector<std::string> words, Clock::time_point deadline,
                                 const BuildContext& context) {
    PlayerSpec spec;
    spec.command = {std::filesystem::read_symlink("/proc/self/exe").string()};
    spec.command.insert(spec.command.end(), words.begin(), words.end());
    spec.data_limit = 0;
    const Launcher launcher;
    const PlayerResources resources{.guardian = context.guardian, .launcher = launcher};
    const PlayerContext players{context.alone, resources, context.cores};
    const LinkDeadlines deadlines{deadline, deadline};
    auto complaints = std::make_shared<StderrText>();
    Conversation::Listener listener = [complaints](char direction, std::string_view text) {
        if (direction == '!') complaints->add(text);
    };
    PartRun run;
    auto link = co_await open_link(spec, 0, players, deadlines, listener);
    if (!link) {
        run.stderr_text = link.error().text;
        co_return run;
    }
    for (;;) {
        const auto line = co_await (*link)->connection->read_line(deadline);
        if (line) {
            run.lines.emplace_back(*line);
            continue;
        }
        run.is_late = line.error().fault == protocol::Fault::TimedOut;
        break;
    }
    Child& child = *(*link)->child;
    // It ends its players first, which takes a while on a busy machine.
    if (!run.is_late) co_await child.wait_for_end(Clock::now() + kEnding);
    if (child.guardian_gone()) throw GuardianGone();
    const auto exit = child.exit_status();
    if (!run.is_late && exit) run.status = exit->code;
    child.read_stderr();
    run.stderr_text = complaints->text();
    co_return run;
}

}  // namespace arena
