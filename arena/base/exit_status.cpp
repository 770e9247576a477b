#include "arena/base/exit_status.hpp"

#include <csignal>
#include <cstring>

namespace arena {

std::string signal_name(int signal) {
    const char* name = sigabbrev_np(signal);
    return name == nullptr ? "signal " + std::to_string(signal) : "SIG" + std::string(name);
}

std::string words_of(const ExitStatus& exit) {
    if (!exit.signal) return "ended with exit status " + std::to_string(exit.code.value_or(0));
    std::string words = "was ended by " + signal_name(*exit.signal);
    if (exit.signal == SIGXCPU)
        words += ": it used more than twice the CPU time that its moves may take";
    static_assert(kMaxFileWritten == std::uint64_t{1} << 30);
    if (exit.signal == SIGXFSZ) words += ": it wrote more than 1G to a file";
    return words;
}

}  // namespace arena
