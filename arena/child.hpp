// A running player process as its worker sees it: stderr is drained, its end is noticed.
// Belongs to the thread of its io_context.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "arena/game_record.hpp"
#include "arena/guardian.hpp"
#include "arena/io.hpp"

namespace arena {

class Child {
  public:
    // Takes the pipe of stderr and the control; the pipes of stdin and stdout stay in
    // `process`. `on_stderr` gets what is written there, as it comes; `on_end` is called once.
    Child(boost::asio::io_context& context, PlayerProcess& process,
          std::function<void(std::string_view)> on_stderr, std::function<void()> on_end);
    // Kills the process with all it started, unless end() was called: then that runs its
    // course.
    ~Child();

    pid_t pid() const;

    // Takes in what stands in the pipe of stderr now, so that `on_stderr` has heard it.
    void read_stderr();

    bool has_ended() const;
    // The guardian is gone, and the process with it.
    bool guardian_gone() const;
    // How it ended; nullopt while it runs, or where nobody knows.
    std::optional<ExitStatus> exit_status() const;
    // It used up what memory the sandbox has for it.
    bool ran_out_of_memory() const;
    // Until its end has been noticed, or the deadline.
    Awaitable<void> wait_for_end(Clock::time_point deadline);

    // Ends it in steps: 250 ms for the `quit` that it was sent, SIGTERM, 250 ms, SIGKILL.
    void end();

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace arena
