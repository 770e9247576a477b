// A running player process, from the worker's side: drains stderr and notices its end. Belongs
// to the thread of its io_context.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "arena/base/clock.hpp"
#include "arena/base/io.hpp"
#include "arena/process/guardian.hpp"

namespace arena {

// See Effort of players/diagnosis.hpp, the difference of two.
struct CpuCount {
    SteadyClock::time_point at;
    Microseconds used{};
    std::optional<Microseconds> queued;  // see queue_time()
};

class Child {
  public:
    // Takes the stderr pipe and the control; the stdin and stdout pipes stay in `process`.
    // `on_stderr` gets the output on stderr as it comes; `on_end` is called once.
    Child(boost::asio::io_context& context, PlayerProcess& process,
          std::function<void(std::string_view)> on_stderr, std::function<void()> on_end);
    // Kills the process with all that it started, unless end() was called, which then
    // continues.
    ~Child();

    pid_t pid() const;

    // Reads the current contents of the stderr pipe and passes them to `on_stderr`.
    void read_stderr();

    bool has_ended() const;
    // Whether it has ended, or is ending: then its exit status comes soon.
    bool is_ending() const;
    // The guardian is gone, and the process with it.
    bool guardian_gone() const;
    // How it ended; nullopt while it runs, or if unknown.
    std::optional<ExitStatus> exit_status() const;
    // Waits for its end, or the deadline.
    Awaitable<void> wait_for_end(Clock::time_point deadline);

    // See PlayerControl.
    void rest();
    void wake();
    // CPU time of it and of all that it started: of its control group where that counts it,
    // else of the living and of those that were waited for.
    Microseconds cpu() const;
    bool has_group_cpu() const;
    // What the kernel has counted for it until now.
    CpuCount count_cpu() const;

    // Ends it in steps: 250 ms for the `quit` that it was sent, SIGTERM, 250 ms, SIGKILL.
    void end();

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace arena
