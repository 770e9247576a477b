#include "arena/players/diagnosis.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/counted.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::size_t kShown = 200;  // bytes of a line of stderr

constexpr std::string_view kSilent = "it wrote nothing at all; nim-arena check may tell more";
constexpr std::string_view kDeaf =
    "it had answered `ugi`: see that it reads each line, also where several come at once, and "
    "answers `isready`";
// It has answered `ugi`, and so it flushes its output.
constexpr std::string_view kIdle = "it had answered `isready`, and wrote nothing then";

// The smallest common line buffer. A program that reads lines of this length reads longer ones,
// too, unless its language has a limit (Go: 64 KiB).
constexpr std::size_t kLongLine = 1000;

bool has_any(std::string_view text, std::span<const std::string_view> words) {
    return std::ranges::any_of(words, [&](auto word) { return text.find(word) != text.npos; });
}

// Whether a line of stderr names an exception: "ValueError: …" and the like.
bool is_exception(std::string_view line) {
    constexpr std::array<std::string_view, 5> kBegins{
        "panic: ", "fatal error: ", "Exception in thread ", "terminate called ", "what():"};
    constexpr std::array<std::string_view, 5> kHas{"Error: ", "Exception: ", "' panicked at ",
                                                   "bufio.Scanner", "Assertion `"};
    line = protocol::trim(line);
    const bool begins =
        std::ranges::any_of(kBegins, [&](auto word) { return line.starts_with(word); });
    // Without a message, Python prints only the name.
    const std::string_view name = line.substr(0, line.find_first_of(" :"));
    const bool is_name =
        name == line && (name.ends_with("Error") || name.ends_with("Exception"));
    return begins || is_name || has_any(line, kHas);
}

// From the last line on that names an exception; empty if there is none.
std::string_view from_exception(std::string_view stderr_text) {
    std::string_view found;
    while (!stderr_text.empty()) {
        const std::string_view line = stderr_text.substr(0, stderr_text.find('\n'));
        if (is_exception(line)) found = stderr_text;
        stderr_text.remove_prefix(std::min(line.size() + 1, stderr_text.size()));
    }
    return found;
}

struct Hint {
    std::span<const std::string_view> words;  // on stderr
    std::string_view remedy;
};

constexpr std::array<std::string_view, 3> kCarriageReturn{"\\r': ", "\\r’: ", "\r: "};
constexpr std::array<std::string_view, 5> kNoFile{
    "can't open file", "Cannot find module", "Could not find or load main class",
    "Unable to access jarfile", "No such file or directory"};
constexpr std::array<std::string_view, 5> kNoMemory{"MemoryError", "bad_alloc",
                                                    "OutOfMemoryError", "heap out of memory",
                                                    "memory allocation of "};
constexpr std::array<std::string_view, 1> kTooLong{"token too long"};
constexpr std::array<std::string_view, 1> kNoModule{"No module named "};
constexpr std::array<std::string_view, 2> kReadOnly{"Read-only file system", "EROFS"};
constexpr std::array<std::string_view, 3> kNotParsed{"SyntaxError", "IndentationError",
                                                     "TabError"};
// An interpreter has not found the program itself.
constexpr std::array<std::string_view, 3> kNoProgram{"can't open file", "Cannot find module '/",
                                                     "Unable to access jarfile"};

// The first match counts.
constexpr std::array kHints{
    Hint{kCarriageReturn,
         "the file has Windows line ends (CR LF): save it with LF alone, as by "
         "sed -i 's/\\r$//' FILE"},
    Hint{kTooLong,
         "its line buffer is too small: bufio.Scanner takes 64 KiB until Scanner.Buffer gives "
         "it more; lines have up to 1 MiB"},
    Hint{kNoModule,
         "only the standard library can be imported where bots are graded, and files that are "
         "handed in with the bot"},
    Hint{kReadOnly, "a submission may not write files: use stderr"},
    Hint{kNotParsed, "the program cannot be parsed: mend the line that stderr names"},
    Hint{
        kNoFile,
        "name files as seen from the directory where the bot starts: that of nim-arena, or its "
        "dir= (without cmd=, check and tournament find the bot there)"},
};

// "1=0", "1:0".
bool is_like_a_move(std::string_view word) {
    const auto digits = word.find_first_not_of("0123456789");
    return digits != 0 && digits != word.npos && (word[digits] == '=' || word[digits] == ':');
}

std::string_view remedy_of_signal(int signal) {
    switch (signal) {
        case SIGKILL:
            return "the arena did not do that: the system ends programs so where memory runs "
                   "out (see dmesg), or somebody did by hand";
        case SIGXCPU:
            return "stop computing when the time of the move is over, and between moves";
        case SIGXFSZ:
            return "write less to files";
        case SIGFPE:
            return "most often a division by zero: run it in a debugger";
        case SIGABRT:
            return "an exception that nobody caught, or a failed assert";
        case SIGSEGV:
        case SIGBUS:
        case SIGILL:
            return "a fault in the program's memory: run it in a debugger, or build it with "
                   "-fsanitize=address";
        default:
            return {};
    }
}

std::string remedy_of(const Death& death) {
    const std::string_view exception = from_exception(death.stderr_text);
    // What it wrote before may tell of what it got over.
    const std::string_view said = exception.empty() ? death.stderr_text : exception;
    if (has_any(said, kNoMemory)) {
        if (death.memory_limit.empty()) return "it ran out of memory: let it keep less";
        return fmt::format(
            "it ran out of memory, of which it has {}: let it keep less, or allow more",
            death.memory_limit);
    }
    for (const Hint& hint : kHints) {
        if (has_any(said, hint.words)) return std::string(hint.remedy);
    }
    if (!death.exit) return {};
    const bool is_long = death.last_line >= kLongLine;
    if (death.exit->signal) {
        std::string remedy(remedy_of_signal(*death.exit->signal));
        if (*death.exit->signal != SIGSEGV || !is_long) return remedy;
        return fmt::format(
            "{}; it was last sent a line of {} bytes: is its line buffer too small?", remedy,
            death.last_line);
    }
    if (!exception.empty()) return {};
    const bool failed = death.exit->code.value_or(0) != 0;
    if (failed && !protocol::trim(death.stderr_text).empty()) return {};
    if (is_long) {
        return fmt::format(
            "it was last sent a line of {} bytes: is its line buffer too small? Lines have up "
            "to "
            "1 MiB (Go: Scanner.Buffer; C: getline)",
            death.last_line);
    }
    if (failed) return "it wrote nothing on stderr: let it say there why it ends";
    return "it ended by itself: let it read lines until `quit` or the end of input";
}

}  // namespace

std::string exception_line(std::string_view stderr_text) {
    const std::string_view found = from_exception(stderr_text);
    return protocol::printable(protocol::trim(found.substr(0, found.find('\n'))), kShown);
}

Diagnosis diagnose(const Death& death) {
    Diagnosis found;
    if (death.exit) found.detail = "its process " + words_of(*death.exit);
    if (death.exit && death.exit->out_of_memory) {
        if (!death.memory_limit.empty()) found.detail += ", " + death.memory_limit;
        found.remedy = "let it keep less, or allow more by --sandbox-memory";
        return found;
    }
    const std::string exception = exception_line(death.stderr_text);
    if (!exception.empty()) found.detail += ": " + exception;
    found.remedy = remedy_of(death);
    return found;
}

namespace {

// Its first line; empty: it has been set up.
std::string_view said_by_sandbox(std::string_view stderr_text) {
    const std::string_view line = stderr_text.substr(0, stderr_text.find('\n'));
    return line.starts_with("bwrap: ") ? line : std::string_view();
}

// Whether it may have failed because a file or a variable of the environment is missing.
bool may_lack_environment(const Death& death) {
    if (!death.exit || death.exit->code.value_or(0) == 0) return false;
    return std::ranges::none_of(
        std::array<std::span<const std::string_view>, 6>{kCarriageReturn, kTooLong, kNotParsed,
                                                         kNoMemory, kNoProgram, kReadOnly},
        [&](auto words) { return has_any(death.stderr_text, words); });
}

}  // namespace

void explain_environment(const Death& death, std::string_view environment, std::string& detail,
                         std::string& remedy) {
    if (environment.empty()) return;
    const std::string_view said = said_by_sandbox(death.stderr_text);
    const bool is_of_sandbox = !said.empty();
    if (is_of_sandbox) detail += "; " + protocol::printable(said, 2 * kShown);
    if (!is_of_sandbox && !may_lack_environment(death)) return;
    if (!remedy.empty()) remedy += "; ";
    remedy += environment;
}

bool was_busy(const Effort& effort) {
    return (effort.used + effort.queued.value_or(Microseconds(0))) * 5 > effort.waited;
}

bool was_computing(const Effort& effort) { return effort.used * 5 >= effort.waited * 4; }

bool was_starved(const Effort& effort) {
    return effort.queued && effort.used * 5 <= effort.waited &&
           *effort.queued * 2 > effort.waited;
}

std::string cpu_words(const Effort& effort) {
    const auto seconds = [](Microseconds time) {
        return static_cast<double>(time.count()) / 1'000'000;
    };
    const Microseconds queued = effort.queued.value_or(Microseconds(0));
    if ((effort.used + queued) * 50 < effort.waited)
        return effort.queued ? "it used no CPU: is it waiting for input or a disk, or sleeping?"
                             : "it used no CPU";
    std::string words = fmt::format("it used {:.2f} s of CPU", seconds(effort.used));
    if (!was_computing(effort)) words += fmt::format(" in {:.2f} s", seconds(effort.waited));
    if (queued * 10 > effort.waited)
        words += fmt::format(", and waited {:.2f} s for a core", seconds(queued));
    if (!was_busy(effort)) return words;
    if (effort.used * 5 > effort.waited) return words + ": an endless loop or a long search";
    return words + ": the machine is too busy to tell whether it would have answered";
}

namespace {

// "move 1=0", "best move 1=0", "bestmove: 1=0": another word before a move.
std::string misspelt_advice(std::string_view line, std::string_view awaited) {
    const auto words = protocol::split_words(line);
    if (words.empty()) return {};
    const std::string_view first = words.front();
    if (first.ends_with(':') &&
        protocol::lower_case(first.substr(0, first.size() - 1)) == awaited) {
        return fmt::format("{} is written '{}', without the colon", protocol::quoted(first),
                           awaited);
    }
    const bool is_short = words.size() == 2 || words.size() == 3;
    const bool ends_in_move =
        is_like_a_move(words.back()) && words.back().find('=') != std::string_view::npos;
    if (awaited != "bestmove" || !is_short || !ends_in_move) return {};
    return fmt::format("write 'bestmove {}' instead of {}",
                       protocol::printable(words.back(), kShown), protocol::quoted(line));
}

}  // namespace

std::string foreign_advice(std::string_view line) {
    constexpr std::array<std::string_view, 5> kRefusals{"unknown", "invalid", "unrecogni",
                                                        "not recogni", "no such command"};
    const std::string text = protocol::lower_case(line);
    const auto words = protocol::split_words(text);
    const auto is_command = [](std::string_view word) {
        constexpr std::string_view kMarks = "'\"`:.,;!()[]<>";
        const auto begin = std::min(word.find_first_not_of(kMarks), word.size());
        word.remove_prefix(begin);
        return word.substr(0, word.find_last_not_of(kMarks) + 1) == "ugi";
    };
    const bool is_uci = !words.empty() && words.front() == "uciok";
    const bool refuses = has_any(text, kRefusals) && std::ranges::any_of(words, is_command);
    return is_uci || refuses ? std::string(kForeignAdvice) : std::string();
}

std::string word_advice(std::string_view received, std::string_view awaited) {
    const std::string_view line = protocol::trim(received);
    const std::string_view first = protocol::next_word(received);
    if (first == awaited || first == "info" || first == "id" || first == "option") return {};
    if (protocol::lower_case(first) == awaited) {
        return fmt::format("{} is written '{}', in lower case", protocol::quoted(first),
                           awaited);
    }
    if (awaited == "ugiok" && !foreign_advice(line).empty()) return foreign_advice(line);
    const bool is_alone = protocol::trim(received).empty();
    if (awaited == "bestmove" && is_alone && is_like_a_move(first)) {
        return fmt::format("a move comes after the word bestmove: 'bestmove {}'",
                           protocol::printable(first, kShown));
    }
    for (std::string_view word = first; !word.empty(); word = protocol::next_word(received)) {
        if (!word.ends_with(awaited)) continue;
        return fmt::format("'{}' must begin its line: prompts and debug text belong on stderr",
                           awaited);
    }
    return misspelt_advice(line, awaited);
}

std::string word_advice(const Silence& silence) {
    const std::string advice = word_advice(silence.last_line, silence.awaited);
    return advice.empty() ? word_advice(silence.unfinished, silence.awaited) : advice;
}

std::string silence_words(const Silence& silence) {
    const std::string advice = word_advice(silence);
    if (!advice.empty()) return advice;
    std::vector<std::string> words;
    const auto& effort = silence.effort;
    const bool has_written = !silence.last_line.empty() || !silence.unfinished.empty();
    if (silence.answered > 0)
        words.push_back(fmt::format("it had answered {} in this game",
                                    counted(silence.answered, "question")));
    else if (!has_written && !(effort && was_busy(*effort)))
        words.emplace_back(silence.awaited == "ugiok"     ? kSilent
                           : silence.awaited == "readyok" ? kDeaf
                                                          : kIdle);
    if (effort) words.push_back(cpu_words(*effort));
    if (!silence.unfinished.empty()) words.emplace_back(kNoLineEnd);
    if (silence.awaited == "ugiok") words.push_back(silence_remedy(silence));
    return fmt::format("{}", fmt::join(words, "; "));
}

std::string silence_remedy(const Silence& silence) {
    const std::string advice = word_advice(silence);
    if (!advice.empty()) return advice;
    if (silence.awaited == "readyok") {
        return "answer each `isready` by a line 'readyok', and read each line, also where "
               "several come at once";
    }
    if (silence.awaited == "bestmove") {
        if (silence.effort && was_busy(*silence.effort))
            return "look at the clock while it thinks, and answer in time";
        return "write 'bestmove MOVE' as a line of its own, after each `go`";
    }
    return fmt::format("write '{}' as a line of its own{}", silence.awaited,
                       silence.awaited == "ugiok" ? "; --startup MS gives it more time" : "");
}

}  // namespace arena
