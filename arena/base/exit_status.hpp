// How a process ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace arena {

// How a process ended: by exit(code) or by a signal.
struct ExitStatus {
    std::optional<int> code;
    std::optional<int> signal;
    bool out_of_memory = false;  // a process of its sandbox was killed for lack of memory
};

// "SIGSEGV"; "signal 99" for a number without a name.
std::string signal_name(int signal);

// The largest file that a player may write (RLIMIT_FSIZE).
inline constexpr std::uint64_t kMaxFileWritten = std::uint64_t{1} << 30;

// "ended with exit status 3", "was ended by SIGSEGV"; if a limit of the arena ended it, names
// the limit.
std::string words_of(const ExitStatus& exit);

}  // namespace arena
