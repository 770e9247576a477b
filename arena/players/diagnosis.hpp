// What the author of a bot is told about its end or its silence: the likely cause, and one
// remedy.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "arena/base/clock.hpp"
#include "arena/base/exit_status.hpp"

namespace arena {

// A bot's process that has ended, as far as the arena knows.
struct Death {
    std::optional<ExitStatus> exit;  // nullopt: not known, or it is no process of ours
    std::string_view stderr_text;    // the last that it wrote there, as it came
    std::size_t last_line = 0;       // bytes of the longest line that it was last sent
    bool out_of_memory = false;      // it used up the memory of the sandbox
    std::string memory_limit = {};   // of the arena, in words; empty: none
};

struct Diagnosis {
    std::string detail;  // how it ended: "its process ended with exit status 1: IndexError: …"
    std::string remedy;  // what to do about it; empty where the detail says it all
};

// Both fit to be shown.
Diagnosis diagnose(const Death& death);

// The line on stderr that says why a program ended: in Python, Java, JavaScript, Go, Rust and
// C++ that of the exception. Fit to be shown; empty where there is no such line.
std::string exception_line(std::string_view stderr_text);

// Whether a bot that did not answer was busy: it computed for a good part of the time, for on a
// machine that does other things, too, an endless loop gets but a part of a core.
bool was_busy(Microseconds used, Microseconds waited);

// What a bot did instead of answering: "it used 1.05 s of CPU: an endless loop or a long
// search".
std::string cpu_words(Microseconds used, Microseconds waited);

// "'bestmove' must begin its line: …" where the awaited word stands after others in what was
// received; else empty.
std::string misplaced_word(std::string_view received, std::string_view awaited);

// The advice about output that stays in a buffer.
inline constexpr std::string_view kFlushAdvice =
    "flush the output after each line: print(…, flush=True) in Python, std::flush or std::endl "
    "in C++, fflush(stdout) in C";

}  // namespace arena
