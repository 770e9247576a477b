// Explains to a bot's author why the bot died or was silent: the likely cause and one remedy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "arena/base/clock.hpp"
#include "arena/base/exit_status.hpp"

namespace arena {

// What the arena knows about the end of a bot's process.
struct Death {
    std::optional<ExitStatus> exit;  // nullopt: not known, or not started by the arena
    std::string_view stderr_text;    // its last output there, raw
    std::size_t last_line = 0;       // bytes of the longest line last sent to it
    std::string memory_limit = {};   // in words; empty: none
};

struct Diagnosis {
    std::string detail;  // how it ended: "its process ended with exit status 1: IndexError: …"
    std::string remedy;  // empty if the detail says enough
};

// Both texts are printable.
Diagnosis diagnose(const Death& death);

// Of a player that failed to start: adds to how it ended and to the remedy that it may lack a
// file or a variable. `environment`: what it has of them, in words; empty: all the arena has.
void explain_environment(const Death& death, std::string_view environment, std::string& detail,
                         std::string& remedy);

// The line on stderr that names the exception, as Python, Java, JavaScript, Go, Rust and C++
// print it. Printable; empty if there is none.
std::string exception_line(std::string_view stderr_text);

// What the kernel counted for the processes of a bot while it was awaited.
struct Effort {
    Microseconds waited{};  // how long it was awaited
    Microseconds used{};    // CPU time
    // Ready to run, but other programs had the cores. nullopt: the kernel does not count it.
    std::optional<Microseconds> queued;
};

// Whether a silent bot was computing: it ran, or was ready to run, for a good part of the time.
bool was_busy(const Effort& effort);

// Whether it ran for nearly all of the time, and so did not wait for input.
bool was_computing(const Effort& effort);

// Whether a bot that has not answered since its start got hardly any CPU time, because others
// had the cores. `queued`: of its thread that waited longest. One that sleeps is not starved.
bool was_starved(const Effort& effort);

// "it used 1.05 s of CPU: an endless loop or a long search". Says so where the machine had too
// little CPU time for the bot to tell.
std::string cpu_words(const Effort& effort);

// A bot that did not write a line in time.
struct Silence {
    std::string_view awaited;           // the line's first word
    std::string_view last_line;         // that it wrote meanwhile
    std::string_view unfinished;        // what it wrote after that
    std::optional<Effort> effort = {};  // nullopt: not counted
    std::uint64_t answered = 0;         // questions of this game before
};
// What is wrong with what it wrote; empty: nothing that is known.
std::string word_advice(const Silence& silence);
// What it did instead, for the report of a game; parts separated by "; ".
std::string silence_words(const Silence& silence);
// What to do about it, for the report of a check.
std::string silence_remedy(const Silence& silence);

// What is wrong with a received line that should begin with the word `awaited`: a prompt before
// it, capital letters, a colon, a word of UCI, a move without `bestmove` or after another word;
// else empty.
std::string word_advice(std::string_view received, std::string_view awaited);

// For a line that answers `ugi` and shows that the program speaks another protocol: "uciok",
// "Unknown command: ugi"; else empty.
std::string foreign_advice(std::string_view line);

// Of one that was starved.
inline constexpr std::string_view kStarved =
    "; the machine was too busy: it got hardly any CPU time, though it was ready to run";

inline constexpr std::string_view kForeignAdvice =
    "the protocol is UGI, not UCI: `ugi` is answered by 'ugiok'";

// Of one that has left a line unfinished.
inline constexpr std::string_view kNoLineEnd =
    "its last line has no end: does it write a newline?";

// For a bot that answers once its input is closed.
inline constexpr std::string_view kReadLinesAdvice =
    "read one line and answer it before the next one: `for line in sys.stdin` or readline() in "
    "Python, std::getline in C++; sys.stdin.read(), readlines() and the like wait for the end "
    "of "
    "the input, which comes after the last game";

// The advice for output that stays in a buffer.
inline constexpr std::string_view kFlushAdvice =
    "flush the output after each line: print(…, flush=True) in Python, std::flush or std::endl "
    "in C++, fflush(stdout) in C";

}  // namespace arena
