#include "arena/base/interrupts.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>

namespace arena {

std::vector<int> interrupting_signals() {
    struct sigaction hangup {};
    ::sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler == SIG_IGN) return {SIGINT, SIGTERM};
    return {SIGINT, SIGTERM, SIGHUP};
}

Interrupts::Interrupts() {
    ::sigemptyset(&set_);
    for (const int signal : signals_) ::sigaddset(&set_, signal);
    ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    fd_.reset(::signalfd(-1, &set_, SFD_CLOEXEC | SFD_NONBLOCK));
}

int Interrupts::read() {
    signalfd_siginfo info{};
    if (::read(fd_.get(), &info, sizeof info) == sizeof info) {
        read_ = static_cast<int>(info.ssi_signo);
    }
    return read_;
}

int Interrupts::wait(int milliseconds) {
    pollfd signal{fd_.get(), POLLIN, 0};
    if (::poll(&signal, 1, milliseconds) < 0 && errno != EINTR) read_ = SIGTERM;
    return read();
}

void Interrupts::release() {
    signalfd_siginfo dropped{};
    while (read_ != 0 && ::read(fd_.get(), &dropped, sizeof dropped) == sizeof dropped)
        continue;
    for (const int signal : signals_) {
        const bool again = signal == SIGHUP && read_ == SIGHUP;
        std::signal(signal, again ? SIG_IGN : SIG_DFL);
    }
    ::pthread_sigmask(SIG_UNBLOCK, &set_, nullptr);
}

}  // namespace arena
