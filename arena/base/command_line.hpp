// Command lines: words split into options and their values, values read, help printed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/base/exit_codes.hpp"
#include "protocol/result.hpp"

namespace arena {

struct HelpText {
    std::string text;
};
// A wrong command line, with the whole message. Nothing has been started.
struct UsageError {
    std::string text;
};
// "nim-arena match: error", and where to find help.
UsageError usage_error(std::string_view program, const protocol::Error& error);
// Why a command cannot run, with the exit status.
struct Refusal {
    protocol::Error error;
    ExitCode status = kExitInternal;
};
// What a command needs to run, or why it cannot.
template <typename T>
class Prepared : public protocol::Result<T> {
  public:
    Prepared(T value) : protocol::Result<T>(std::move(value)) {}
    Prepared(const Refusal& refusal)
        : protocol::Result<T>(refusal.error), status_(refusal.status) {}
    Refusal refusal() const { return {this->error(), status_}; }

  private:
    ExitCode status_ = kExitPlayed;
};
// The refusal if something cannot be opened: the options that name it make no sense, or it is
// not available.
Refusal cannot_open(const protocol::Error& error);
// All return the exit status.
int print_help(const HelpText& help);
int print_error(const UsageError& error);
int refuse(const Refusal& refusal, std::string_view program = "nim-arena");  // on stderr

// The help on an option. Options of a group are adjacent; `--help` ends the last group.
struct OptionText {
    const char* group;
    const char* name;   // "output", or "output,o" with its letter
    const char* value;  // the name of its value in the help; nullptr: a switch
    std::string help;   // empty: the help does not list it
    bool repeats = false;
    bool can_be_undone = false;             // a switch; --no-NAME sets its value to kUnset
    std::vector<std::string> choices = {};  // for completions, if `value` does not list them
};
std::string_view long_name(const OptionText& option);  // without the letter
inline constexpr std::string_view kUnset = "off";
// Stands for the value of an option that was given without one.
inline const std::string kMissing("\0", 1);
std::string describe_options(std::span<const OptionText> options);
// The value of --help-format by which `nim-arena help COMMAND all` asks for the whole help.
inline constexpr std::string_view kHelpAll = "all";
// The help on an option up to its first semicolon before a blank, and its default: "time for
// each move (default: {})".
std::string first_clause(const std::string& help);
// The end of a help that is cut: where the whole help of "nim-arena match" is.
std::string refer_to_all(std::string_view program);

// One argument as given: an option with its value, or a positional argument.
struct Argument {
    std::string option;  // empty: positional
    std::string value;
};
// In the order of the command line. Abbreviations, unknown options and repeated options are
// errors.
protocol::Result<std::vector<Argument>> split_arguments(
    std::span<const OptionText> options, const std::vector<std::string>& arguments);
// The value of an option; null if it is not given.
const std::string* find_value(const std::vector<Argument>& arguments, std::string_view option);
// The help in the form that --help-format names. For a shell and a `program` such as "nim-arena
// match" it is this command's part of the script, else the whole script.
protocol::Result<std::string> format_help(const std::string& format, std::string_view program,
                                          const std::string& head,
                                          std::span<const OptionText> options,
                                          const std::string& tail);

// ---- values ----

protocol::Result<std::uint64_t> parse_count(std::string_view text, std::uint64_t least,
                                            std::uint64_t most);
// At most a week.
protocol::Result<Milliseconds> parse_milliseconds(std::string_view text, std::uint64_t least);
// "90m", "2h", "30s", "500ms": at most a week.
protocol::Result<Milliseconds> parse_duration(std::string_view text);
// "512M", "4G", "100K": bytes, at least `least`.
protocol::Result<std::uint64_t> parse_size(std::string_view text, std::uint64_t least);
// The inverse, with as few digits as possible: "512M".
std::string size_text(std::uint64_t bytes);
// "60000+600": base, at least 1 ms, and increment.
protocol::Result<std::pair<Milliseconds, Milliseconds>> parse_time_control(
    std::string_view text);
// "CERT,KEY": two files.
protocol::Result<std::pair<std::string, std::string>> parse_certificate(
    const std::string& text);
// A name that a Host header can have.
protocol::Result<std::string> parse_host_name(const std::string& text);

// `error` with its place, and below it `text` with a caret at the column.
protocol::Error locate(const std::string& where, const std::string& text,
                       const protocol::Error& error);

}  // namespace arena
