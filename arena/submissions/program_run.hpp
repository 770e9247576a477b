// Runs a program beside the games, such as a stranger's build, to its end or for a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/base/io.hpp"
#include "arena/base/run_alone.hpp"
#include "arena/process/guardian.hpp"

namespace arena {

// The means that builds run with. All of them outlive the builds.
struct BuildContext {
    const AloneContext& alone;
    const Guardian& guardian;
    const std::vector<int>& cores;  // that a build may use; empty: all
};

inline constexpr Milliseconds kToolTime{60'000};  // for a tool that is trusted
inline constexpr std::size_t kBytesOfLine = 300;  // of what it wrote, in an error

// How a process ended.
struct Ran {
    std::string trouble;  // why it did not run to its end, or how it ended; empty: well
    bool has_started = false;
    bool took_too_long = false;
    std::string output;  // of stderr
};

// Runs it to its end or `deadline`. `look` is asked now and then, and stops it by a reason.
// `read_output` gets the descriptor of its standard output, on a thread of its own, and reads
// it to the end. What that throws is thrown on.
Awaitable<Ran> run_program(const SpawnRequest& request, Clock::time_point deadline,
                           const std::function<std::string()>& look,
                           const std::function<void(int)>& read_output,
                           const BuildContext& context);

// A tool of the system, trusted. Gives why it failed; throws where it could not be started.
Awaitable<std::string> run_tool(std::vector<std::string> command, const BuildContext& context);

// Makes `user` the owner of a folder, if there is one: outside the sandbox it writes there.
Awaitable<void> give_to(const std::string& user, const std::filesystem::path& folder,
                        const BuildContext& context);

// Removes a folder with whatever a stranger's program has put there.
Awaitable<void> remove_folder(const std::filesystem::path& folder, const BuildContext& context);

// Whether the disk has room again, now that what a submission wrote is gone.
bool has_room(const std::filesystem::path& folder);

}  // namespace arena
