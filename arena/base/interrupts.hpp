// The signals that ask for an end: SIGINT, SIGTERM, and SIGHUP as a terminal is closed.
#pragma once

#include <csignal>
#include <vector>

#include "protocol/unique_fd.hpp"

namespace arena {

// SIGHUP is not among them where it is ignored, as nohup does.
std::vector<int> interrupting_signals();

// While this object exists, the signals are read here; they do not end this thread or threads
// that it starts.
class Interrupts {
  public:
    Interrupts();
    ~Interrupts() { release(); }
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    int fd() const { return fd_.get(); }  // readable when one has come
    // The first signal that came, or 0.
    int read();
    // From here on a signal ends the program at once, except a SIGHUP after a SIGHUP: shell and
    // kernel both send one.
    void release();

  private:
    std::vector<int> signals_ = interrupting_signals();
    sigset_t set_;
    protocol::UniqueFd fd_;
    int read_ = 0;
};

}  // namespace arena
