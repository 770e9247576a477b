#include "arena/base/exit_status.hpp"

#include <csignal>
#include <cstring>

namespace arena {

std::string signal_name(int signal) {
    const char* name = sigabbrev_np(signal);
    return name == nullptr ? "signal " + std::to_string(signal) : "SIG" + std::string(name);
}

std::string words_of(const ExitStatus& exit) {
    std::string words = exit.signal
                            ? "was ended by " + signal_name(*exit.signal)
                            : "ended with exit status " + std::to_string(exit.code.value_or(0));
    constexpr int kSignalled = 128;
    const int signal = exit.code.value_or(0) - kSignalled;
    if (sigabbrev_np(signal) != nullptr)
        words += " (128 + " + signal_name(signal) + ": as a shell tells it)";
    if (exit.out_of_memory)
        return words + ": it used up the memory that the sandbox has for it";
    if (exit.signal == SIGXCPU)
        words += ": it used more than twice the CPU time that its moves may take";
    static_assert(kMaxFileWritten == std::uint64_t{1} << 30);
    if (exit.signal == SIGXFSZ) words += ": it wrote more than 1G to a file";
    return words;
}

}  // namespace arena
