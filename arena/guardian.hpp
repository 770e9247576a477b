// The arena's side of the guardian: the one process that starts players and sees to it that
// none outlives the arena. What the guardian itself does is in guardian_process.cpp.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arena/control_groups.hpp"
#include "arena/game_record.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

// The user that a player runs as, where that is not the arena's.
struct UserId {
    std::string name;
    std::uint32_t user = 0;
    std::uint32_t group = 0;
};

struct SpawnRequest {
    std::vector<std::string> command;  // program and arguments; no shell is run
    std::string directory;             // where it runs; empty: here
    std::vector<std::pair<std::string, std::string>> environment;  // beside what is inherited
    std::vector<int> cores;  // those it may run on; empty: all that the arena may use

    bool clean_environment = false;  // PATH and LANG alone are inherited
    // HOME and TMPDIR are a new directory, which is removed once the player is gone.
    bool private_directory = false;
    // Limits of each of its processes, beside those that hold for all; 0: none.
    std::uint64_t data_limit = 0;  // bytes (RLIMIT_DATA)
    std::uint64_t cpu_limit = 0;   // seconds (RLIMIT_CPU), see raise_cpu_limit()
    std::optional<UserId> user{};

    // Where `command` is that of the sandbox: what it reads as a filter of system calls, from
    // descriptor 3. Empty: there is no sandbox.
    std::string filter{};
    std::vector<ControlGroup> groups{};  // in each of which it gets a group of its own
};

// How a player's process ended, and the CPU time that it and the children it waited for took.
struct Ended {
    ExitStatus status;
    Microseconds cpu{};
    bool out_of_memory = false;  // some process of its group was killed, which had no more
};

// The wire to the guardian that belongs to one player. To let go of it kills the player at
// once, with all that it started; after end() it does not, then end() runs its course.
class PlayerControl {
  public:
    explicit PlayerControl(protocol::UniqueFd channel) : channel_(std::move(channel)) {}

    // Readable once ended() has something to say.
    int fd() const { return channel_.get(); }

    // nullopt: still running. Asked from one thread at a time; after an answer the player is
    // gone, and all that it started has been sent SIGKILL. What it wrote is still in its pipes:
    // read them until they are empty, not until they end. An error: the guardian is dead, and
    // so is the player.
    protocol::Result<std::optional<Ended>> ended();

    // Ends the player in steps, without waiting: 250 ms for the `quit` that it was sent,
    // SIGTERM, 250 ms, SIGKILL to it and all it started.
    void end();
    // The last step at once.
    void kill();

  private:
    void tell(char command);

    protocol::UniqueFd channel_;
};

struct PlayerProcess {
    pid_t pid = 0;                    // of its session and process group as well
    protocol::UniqueFd in, out, err;  // our ends of its pipes: nonblocking, closed on exec
    PlayerControl control;
};

// No player can run any more. Nobody's fault but the arena's.
struct GuardianGone : std::runtime_error {
    GuardianGone()
        : runtime_error("the guardian process is gone, and all players with it; start again") {}
};

class Guardian {
  public:
    // Forks: call it once, before there are threads or anything else worth copying.
    static protocol::Result<Guardian> start();

    Guardian(Guardian&&) = default;
    Guardian& operator=(Guardian&&) = delete;
    // Kills all players with all they started, and waits until nothing is left of them, even if
    // the guardian is dead: this process must have no other children then.
    ~Guardian();

    // Returns once the program runs, or says in words why it cannot. Any thread may call this;
    // it takes about a millisecond, at most ten seconds.
    protocol::Result<PlayerProcess> spawn(const SpawnRequest& request) const;

    pid_t pid() const { return pid_; }

  private:
    Guardian(protocol::UniqueFd requests, pid_t pid)
        : requests_(std::move(requests)), pid_(pid) {}

    protocol::UniqueFd requests_;
    pid_t pid_;
};

}  // namespace arena
