// `--sandbox bwrap`: players in namespaces of their own, made by bubblewrap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arena/process/control_groups.hpp"
#include "arena/process/executables.hpp"
#include "arena/process/guardian.hpp"
#include "protocol/result.hpp"

namespace arena {

inline constexpr std::uint64_t kMaxSandboxProcesses = 32'768;

// --sandbox bwrap, and its limits for each player.
struct SandboxOptions {
    bool on = false;
    std::uint64_t memory = std::uint64_t{1} << 30;  // bytes
    int processes = 128;                            // threads count
    std::uint64_t disk = std::uint64_t{64} << 20;   // bytes, of each of /tmp and /dev/shm
    bool shared = false;                            // players may see each other's files
};
// The form in a record: "none", "bwrap memory=1G processes=128 disk=64M".
std::string to_string(const SandboxOptions& options);
protocol::Result<SandboxOptions> parse_recorded_sandbox(std::string_view text);

// A seccomp filter for the kernel: an array of sock_filter. Refuses what players do not need:
// sockets except AF_UNIX, other programs' memory, keys, io_uring, namespaces, mounts, BPF, the
// kernel's own administration. Without `shares_memory` also refuses memory that no limit of a
// process counts: shared memory, and mappings that grow like a stack.
protocol::Result<std::string> sandbox_filter(bool shares_memory);

class Sandbox {
  public:
    // Determines how memory and processes are limited on this machine, starts a program inside,
    // and checks that the sandbox holds. `hidden`: files that no player may see; they need not
    // exist. An error says what does not hold, and how to fix it.
    static protocol::Result<Sandbox> open(const SandboxOptions& options,
                                          const std::optional<UserId>& user,
                                          const std::vector<std::string>& hidden,
                                          const Guardian& guardian);

    // Fails if the player would see one of the hidden files, would not see a file that its
    // command names, or could talk to programs outside by what lies in dir=.
    protocol::Result<void> admit(const Program& spec) const;
    // Fails if one of the players would see the files of another. Those that start the same
    // command in the same directory are one.
    static protocol::Result<void> keep_apart(const std::vector<const Program*>& players);
    // The file of the program that it starts inside; nullopt: there is none.
    static std::optional<std::string> program(const Program& spec);
    // Turns a request to start the player into one that starts it inside.
    void wrap(const Program& spec, SpawnRequest& request) const;

    // "memory 1G, 128 processes and 64M of files for each player, bounded by cgroup v1".
    std::string description() const;

    // The groups that enforce its limits; nullptr: limits inside do.
    const ControlGroups* groups() const { return groups_ ? &*groups_ : nullptr; }

  private:
    Sandbox() = default;

    std::vector<std::string> walls() const;
    protocol::Result<void> probe(const Guardian& guardian) const;

    SandboxOptions options_;
    std::optional<UserId> user_;
    std::vector<std::string> hidden_;
    std::string program_;  // bwrap
    std::string filter_;
    std::optional<ControlGroups> groups_;  // nullopt: limits inside
};

}  // namespace arena
