// The arena's side of the guardian, the process that starts players and ensures that none
// outlives the arena. The guardian itself is in guardian_process.cpp.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/base/exit_status.hpp"
#include "arena/process/control_groups.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

// The user that a player runs as, if it is not the arena's.
struct UserId {
    std::string name;
    std::uint32_t user = 0;
    std::uint32_t group = 0;
};

// How a player is kept from running while it is not its turn.
enum class Rest : std::uint8_t {
    None,     // it may run at any time
    Signals,  // SIGSTOP to each descendant that the guardian finds
    Groups,   // the freezer of one of its control groups
};

struct SpawnRequest {
    std::vector<std::string> command;  // program and arguments; no shell is run
    std::string directory;             // where it runs; empty: here
    std::vector<std::pair<std::string, std::string>> environment;  // besides what is inherited
    std::vector<int> cores;  // where it may run; empty: on all cores that the arena may use

    // Only PATH and LANG are inherited. HOME and TMPDIR are a new directory, which is removed
    // once the player is gone; the sandbox has its own.
    bool clean_environment = false;
    // Limits of each of its processes, in addition to the common ones; 0: none.
    std::uint64_t data_limit = 0;  // bytes (RLIMIT_DATA)
    std::uint64_t cpu_limit = 0;   // seconds (RLIMIT_CPU), see raise_cpu_limit()
    std::optional<UserId> user{};

    // If `command` is that of the sandbox: the filter of system calls that it reads from
    // descriptor 3. Empty: no sandbox.
    std::string filter{};
    std::vector<ControlGroup> groups{};  // it gets a group of its own for each of these
    Rest rest = Rest::None;
};

// The channel to the guardian for one player. Destroying it kills the player at once, with all
// that it started, unless end() was called, which then continues.
class PlayerControl {
  public:
    // Files of its control groups, for Rest::Groups.
    struct Groups {
        protocol::UniqueFd freezer{}, cpu{};
        bool unified = false;  // of version 2
    };

    PlayerControl(protocol::UniqueFd channel, Rest rest, Groups groups)
        : channel_(std::move(channel)), rest_(rest), groups_(std::move(groups)) {}
    PlayerControl(PlayerControl&&) = default;
    PlayerControl& operator=(PlayerControl&&) = default;
    // In version 1 a frozen process does not even die.
    ~PlayerControl() { wake(); }

    // Readable once ended() has a result.
    int fd() const { return channel_.get(); }

    // nullopt: still running. Call it from one thread at a time. After a result the player is
    // gone, and all that it started has been sent SIGKILL. Its output is still in the pipes:
    // read them until they are empty, not until they end. Error: the guardian is dead, and so
    // is the player.
    protocol::Result<std::optional<ExitStatus>> ended();

    // Ends the player in steps, without waiting: 250 ms for the `quit` that it was sent,
    // SIGTERM, 250 ms, SIGKILL to it and all it started.
    void end();

    // A player runs from its start on. rest() stops it with all that it started; what it is
    // sent then, it reads after wake(). Each is one system call, or none with Rest::None or
    // without a change. end() wakes it.
    void rest();
    void wake();
    // CPU time of all that was ever in its group; nullopt: it has none.
    std::optional<Microseconds> group_cpu() const;

  private:
    void tell(char command);

    protocol::UniqueFd channel_;
    Rest rest_;
    Groups groups_;
    bool rests_ = false;
};

struct PlayerProcess {
    pid_t pid = 0;                    // also of its session and process group
    protocol::UniqueFd in, out, err;  // our ends of its pipes: nonblocking, closed on exec
    PlayerControl control;
};

// No player can run any more: an error of the arena.
struct GuardianGone : std::runtime_error {
    GuardianGone()
        : runtime_error("the guardian process is gone, and all players with it; start again") {}
};

class Guardian {
  public:
    // Forks: call it once, before there are threads or large tables. `answer_time`: for the
    // guardian, to answer a request.
    static protocol::Result<Guardian> start(Milliseconds answer_time = Milliseconds(10'000));

    Guardian(Guardian&&) = default;
    Guardian& operator=(Guardian&&) = delete;
    // Kills all players with all that they started, and waits until none is left, even if the
    // guardian is dead: then this process must have no other children.
    ~Guardian();

    // Returns once the program runs, or an error. Fault::Failed: by the machine, which lacks
    // files, processes, memory or time, and not by the request; Fault::Disconnected: the
    // guardian is gone. Thread-safe; takes about a millisecond, at most the answer time.
    protocol::Result<PlayerProcess> spawn(const SpawnRequest& request) const;

    pid_t pid() const { return pid_; }

  private:
    Guardian(protocol::UniqueFd requests, pid_t pid, Milliseconds answer_time)
        : requests_(std::move(requests)), pid_(pid), answer_time_(answer_time) {}

    protocol::UniqueFd requests_;
    pid_t pid_;
    Milliseconds answer_time_;
};

}  // namespace arena
