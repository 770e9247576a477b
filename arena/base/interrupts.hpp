// The signals that ask the program to end: SIGINT, SIGTERM, and SIGHUP of a closed terminal.
#pragma once

#include <chrono>
#include <csignal>
#include <vector>

#include "protocol/unique_fd.hpp"

namespace arena {

// Who signals a program and then its whole group, as `timeout` does, sends the same signal
// twice within this time: it counts once.
inline constexpr std::chrono::milliseconds kEcho{500};

// Without SIGHUP if it is ignored, as under nohup.
std::vector<int> interrupting_signals();

// While this object exists, these signals are blocked in this thread and in threads that it
// starts, and are read here instead.
class Interrupts {
  public:
    Interrupts();
    ~Interrupts() { release(); }
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    int fd() const { return fd_.get(); }  // readable when a signal has come
    // The latest signal that came, or 0.
    int read();
    // The same once a signal has come or so many milliseconds have passed; -1: no limit.
    // SIGTERM if it cannot wait.
    int wait(int milliseconds);
    // From now on a signal ends the program at once, except a SIGHUP after a SIGHUP, because
    // shell and kernel both send one. After a signal, others that wait to be read are dropped.
    void release();

  private:
    std::vector<int> signals_ = interrupting_signals();
    sigset_t set_;
    protocol::UniqueFd fd_;
    int read_ = 0;
};

// Signals are for the thread that has this object, not for threads that it starts meanwhile.
class SignalsElsewhere {
  public:
    SignalsElsewhere() {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsElsewhere() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsElsewhere(const SignalsElsewhere&) = delete;
    SignalsElsewhere& operator=(const SignalsElsewhere&) = delete;

  private:
    sigset_t before_;
};

}  // namespace arena
