// `--sandbox bwrap`: players in namespaces of their own, made by bubblewrap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arena/control_groups.hpp"
#include "arena/guardian.hpp"
#include "arena/play_options.hpp"

namespace arena {

class Sandbox {
  public:
    // Finds out what bounds memory and processes here, starts a program inside, and checks that
    // the walls hold. `hidden`: files that no player may see; they need not exist. An error
    // says what does not hold here, and how to mend it.
    static protocol::Result<Sandbox> open(const SandboxOptions& options,
                                          const std::optional<UserId>& user,
                                          const std::vector<std::string>& hidden,
                                          const Guardian& guardian);

    // An error where the player would see one of the hidden files, or more than its directory.
    protocol::Result<void> admit(const PlayerSpec& spec) const;
    // The file of the program that it starts inside; nullopt: there is none.
    static std::optional<std::string> program(const PlayerSpec& spec);
    // Turns a request to start the player into one that starts it inside.
    void wrap(const PlayerSpec& spec, SpawnRequest& request) const;

    // "memory 1G, 128 processes and 64M of files for each player, bounded by cgroup v1".
    std::string description() const;

  private:
    Sandbox() = default;

    std::vector<std::string> walls(const SandboxOptions& options) const;
    void wrap(const SandboxOptions& options, const std::vector<std::string>& folders,
              const std::string& directory, SpawnRequest& request) const;
    protocol::Result<void> probe(const Guardian& guardian) const;

    SandboxOptions options_;
    std::optional<UserId> user_;
    std::vector<std::string> hidden_;
    std::string program_;  // bwrap
    std::string filter_;
    std::optional<ControlGroups> groups_;  // nullopt: limits inside
};

}  // namespace arena
