// What the commands of nim-arena share in reading their command lines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/game_record.hpp"
#include "engine/rules/catalogue.hpp"
#include "protocol/position.hpp"
#include "protocol/result.hpp"

namespace arena {

struct HelpText {
    std::string text;
};
// The whole message; nothing has been started.
struct UsageError {
    std::string text;
};
// "nim-arena COMMAND: error", and where to find help.
UsageError usage_error(std::string_view command, const protocol::Error& error);

// What the help says about an option. Those of a group stand together; `--help` ends the last
// group.
struct OptionText {
    const char* group;
    const char* name;   // "output", or "output,o" where a letter stands for it
    const char* value;  // how the help calls it; nullptr: a switch
    const char* help;
    bool repeats = false;
    bool can_be_undone = false;  // a switch that --no-NAME undoes: then its value is kUnset
};
inline constexpr std::string_view kUnset = "off";
std::string describe_options(std::span<const OptionText> options);

// One argument as it was given: an option with its value, or a positional one.
struct Argument {
    std::string option;  // empty: positional
    std::string value;
};
// In the order of the command line. Abbreviations, unknown options and options that are given
// twice are errors.
protocol::Result<std::vector<Argument>> split_arguments(
    std::span<const OptionText> options, const std::vector<std::string>& arguments);
bool asks_for_help(const std::vector<Argument>& arguments);

// ---- values ----

protocol::Result<std::uint64_t> parse_count(std::string_view text, std::uint64_t least,
                                            std::uint64_t most);
// At most a week.
protocol::Result<Milliseconds> parse_milliseconds(std::string_view text, std::uint64_t least);
// "90m", "2h", "30s", "500ms": at most a week.
protocol::Result<Milliseconds> parse_duration(std::string_view text);
// "512M", "4G", "100K": bytes, at least `least`.
protocol::Result<std::uint64_t> parse_size(std::string_view text, std::uint64_t least);
// The same bytes, as few digits as tell them: "512M".
std::string size_text(std::uint64_t bytes);
// "60000+600": base, at least 1 ms, and increment.
protocol::Result<std::pair<Milliseconds, Milliseconds>> parse_time_control(
    std::string_view text);

// A position as it was given, and where.
struct GivenPosition {
    std::string source;  // "--position" or "FILE, line 3"
    std::string text;
};
// The value of --rulesets: the names that a catalogue file defines; none where no file is
// given.
protocol::Result<engine::RulesetNames> load_names(const std::string& path);

// Names expanded; one that the rules know and that fits a line.
protocol::Result<protocol::Position> check_position(const GivenPosition& given,
                                                    const engine::RulesetNames& names);

// `error` with where it happened, and below it `text` with a caret at the column.
protocol::Error locate(const std::string& where, const std::string& text,
                       const protocol::Error& error);

}  // namespace arena
