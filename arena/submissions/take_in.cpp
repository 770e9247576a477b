// An archive is a stranger's, and so are the many formats of its parts. It is read by nim-arena
// itself, in a process in the sandbox that sees that file alone, and comes out as a plain tar
// archive, which tree_writer.hpp judges like what a build leaves: its size, the number, names
// and kinds of its files. So whatever happens in that process, no more comes of it than of a
// build.
#include "arena/submissions/bot_build.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "arena/base/compute.hpp"
#include "arena/base/files.hpp"
#include "arena/game/game_record.hpp"
#include "arena/submissions/tree_archive.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostHandedIn = std::uint64_t{256} << 20;  // bytes, packed and unpacked
constexpr std::uint64_t kMostFiles = 20'000;
constexpr std::uint64_t kMostRatio = 100;  // of the size unpacked, where that exceeds
constexpr std::uint64_t kSmall = std::uint64_t{16} << 20;
constexpr std::string_view kMayHold =
    " (an archive may hold 16 MiB, or 100 times its own size up to 256 MiB)";
constexpr std::uint64_t kUnpackMemory = std::uint64_t{512} << 20;
constexpr Milliseconds kUnpackTime{60'000};  // of CPU: the rest is the machine's

// What an archive may hold: compilers' inputs do not shrink to a hundredth.
TreeLimits limits_of_archive(std::uintmax_t size) {
    const std::uint64_t most = std::min<std::uint64_t>(size, kMostHandedIn) * kMostRatio;
    return {.bytes = std::clamp(most, kSmall, kMostHandedIn),
            .entries = kMostFiles,
            .why_bytes = kMayHold};
}

// Copies files into the new folder `to`, under the names that the student gave them.
std::string copy_files(const std::vector<Submission::Part>& files, const fs::path& to) {
    fs::create_directory(to);
    std::uintmax_t bytes = 0;
    for (const Submission::Part& file : files) {
        const std::string shown =
            protocol::printable(fs::path(file.path).filename().string(), 200);
        const auto type = fs::symlink_status(file.path).type();
        if (type == fs::file_type::not_found)
            return shown + ": there is no such file or folder";
        if (type != fs::file_type::regular)
            return shown + ": expected a file, found a link, a pipe or the like";
        if (::access(file.path.c_str(), R_OK) != 0) return shown + ": it cannot be read";
        if (file.name == "." || file.name == "..")
            return shown + ": expected a file's name after the student's";
        bytes += fs::file_size(file.path);
        if (bytes > kMostHandedIn) return "it is larger than 256 MiB";
        if (!fs::copy_file(file.path, to / file.name, fs::copy_options::skip_existing))
            return "two files are called " + protocol::printable(file.name, 200);
    }
    return {};
}

// The only archive in a folder in which there is nothing to play.
std::optional<Submission::Part> archive_in(const fs::path& folder,
                                           std::span<const LanguageRule> rules,
                                           const std::string& run) {
    if (has_bot(folder, rules, run)) return std::nullopt;
    std::optional<Submission::Part> found;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        std::string name = entry->path().filename().string();
        if (archive_ending(name).empty() || name.starts_with('.') ||
            entry->symlink_status(failed).type() != fs::file_type::regular)
            continue;
        if (found) return std::nullopt;
        found = Submission::Part{entry->path().string(), std::move(name)};
    }
    return found;
}

// Has nim-arena read `stage`/archive in the sandbox.
PlayOptions reading_of(const fs::path& stage, const BuildOptions& options) {
    PlayOptions play;
    play.environment = EnvironmentMode::Clean;
    play.startup = kUnpackTime;
    play.run_as = options.run_as;
    play.sandbox.on = options.sandbox;
    play.sandbox.memory = kUnpackMemory;
    play.sandbox.processes = 8;
    PlayerSpec& spec = play.players.emplace_back();
    spec.name = "unpack";
    const fs::path seen = options.sandbox ? fs::path(kSubmission) : stage;
    spec.command = {fs::read_symlink("/proc/self/exe").string(), kUnpackCommand,
                    (seen / "archive").string()};
    spec.directory = stage.string();
    if (options.sandbox) spec.scratch = Scratch{stage.string(), 1 << 20};
    return play;
}

// Unpacks `stage`/archive into the new folder `to`. Returns why it is refused, or "".
Awaitable<std::string> unpack(const fs::path& stage, const fs::path& to,
                              const BuildOptions& options, const BuildContext& context) {
    const PlayOptions play = reading_of(stage, options);
    // Not bounded by the end of all, which leaves graded what an earlier run has graded.
    const RunLimit time{kToolTime};
    const TreeLimits limits = limits_of_archive(fs::file_size(stage / "archive"));
    const RunResult ran = co_await run_and_unpack(play, time, to, limits, "has", context);
    // It tells what it cannot read; what is refused here it never hears.
    const auto said = last_lines(ran.output, 1, kBytesOfLine);
    const bool is_told = ran.status == kUnreadable && !said.empty();
    if (!said.empty() && !is_told) throw std::runtime_error(said.front());
    // What is cut short because its time or memory ended is refused as well.
    const bool is_whole = ran.trouble.empty() || ran.trouble == ran.refused;
    if (!is_told && !ran.refused.empty() && is_whole) co_return ran.refused;
    if (!ran.trouble.empty())
        co_return "cannot be read: " + (is_told ? said.front() : ran.trouble);
    fs::create_directory(to);  // of an empty archive
    co_return "";
}

// Copies files into the new folder `to`, and unpacks a single archive among them on the way.
Awaitable<void> lay_out(std::vector<Submission::Part> files, const fs::path& to,
                        const fs::path& stage, const BuildOptions& options,
                        const BuildContext& context, BuildResult& result) {
    const bool is_packed = files.size() == 1 && !archive_ending(files.front().name).empty();
    const std::string called = protocol::printable(files.front().name, 200);
    if (is_packed) files.front().name = "archive";
    std::exception_ptr thrown;
    try {
        const std::function<void()> copy = [&] {
            result.reason = copy_files(files, is_packed ? stage : to);
        };
        co_await compute(context.loop.compute, copy);
        if (is_packed && result.reason.empty()) {
            co_await give_to(options.run_as, stage, context);
            const std::string why = co_await unpack(stage, to, options, context);
            if (!why.empty()) result.reason = fmt::format("{} {}", called, why);
            result.notes.push_back("unpacked " + called);
        }
    } catch (...) {
        thrown = std::current_exception();
    }
    co_await remove_folder(stage, context);
    if (!thrown && result.reason.empty()) co_return;
    co_await remove_folder(to, context);
    if (!thrown) co_return;
    result.reason = full_disk(thrown);
    excuse_full_disk(result, to.parent_path());
}

}  // namespace

Awaitable<fs::path> take_in(const Submission& submission, const fs::path& place,
                            std::span<const LanguageRule> rules, const std::string& run,
                            const BuildOptions& options, const BuildContext& context,
                            BuildResult& result) {
    const fs::path to = fs::absolute(place).lexically_normal() / "handed-in";
    const fs::path stage = to.parent_path() / "handed-in.part";
    co_await remove_folder(to, context);
    co_await remove_folder(stage, context);
    std::vector<Submission::Part> files = submission.parts;
    std::error_code failed;
    if (fs::is_directory(files.front().path, failed)) {
        const fs::path folder = files.front().path;
        const auto archive = archive_in(folder, rules, run);
        if (!archive) co_return folder;
        files = {*archive};
    }
    co_await lay_out(files, to, stage, options, context, result);
    if (files.size() == 1 || !result.reason.empty()) co_return to;
    // Beside a report, say; only once the files have their names it is known if one is a bot.
    const auto archive = archive_in(to, rules, run);
    if (!archive) co_return to;
    std::erase_if(files, [&](const auto& file) { return file.name != archive->name; });
    co_await remove_folder(to, context);
    co_await lay_out(std::move(files), to, stage, options, context, result);
    co_return to;
}

}  // namespace arena
