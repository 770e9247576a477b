// Boost.Program_options splits the words and prints the help; everything else about options is
// in our own tables (option_table.hpp). It is used in this file alone, because its header is
// slow to compile. Switches that --no-NAME undoes, repeated options and suggestions for typos
// are added here, because the library has none of them.
#include "arena/base/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <charconv>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "arena/base/bad_input.hpp"
#include "arena/base/console.hpp"
#include "arena/base/exit_codes.hpp"
#include "protocol/manual/manual.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace po = boost::program_options;
using protocol::Error;
using protocol::nearest;
using protocol::Result;

constexpr unsigned kColumns = 80;      // of the help
constexpr unsigned kLeastOfText = 52;  // columns for what an option does
constexpr std::uint64_t kMaxMilliseconds = 7ULL * 24 * 3600 * 1000;  // a week

po::options_description describe_group(std::string_view group,
                                       std::span<const OptionText> options) {
    po::options_description description(std::string(group), kColumns, kLeastOfText);
    for (const OptionText& option : options) {
        if (option.group != group) continue;
        // The description takes ownership of the value semantic.
        const char* const help = option.help.c_str();
        if (option.value == nullptr) {
            description.add_options()(option.name, po::bool_switch(), help);
        } else {
            po::value_semantic* value = po::value<std::string>()->value_name(option.value);
            description.add_options()(option.name, value, help);
        }
    }
    return description;
}

std::vector<std::string_view> groups_of(std::span<const OptionText> options) {
    std::vector<std::string_view> groups;
    for (const OptionText& option : options) {
        if (std::ranges::find(groups, option.group) == groups.end()) {
            groups.emplace_back(option.group);
        }
    }
    return groups;
}

po::options_description describe_all(std::span<const OptionText> options) {
    const auto groups = groups_of(options);
    po::options_description all;
    for (const std::string_view group : groups) {
        po::options_description description = describe_group(group, options);
        if (group == groups.back()) {
            description.add_options()("help,h", po::bool_switch(), "this text");
        }
        all.add(description);
    }
    if (groups.empty()) all.add_options()("help,h", po::bool_switch(), "this text");
    return all;
}

const std::string kNo = "no-";
const std::string kHelpFormat = "help-format";

// The options as rows for a manual page, or for a completion script, which offers --no-quiet
// too.
std::vector<protocol::OptionHelp> options_by_group(std::span<const OptionText> options,
                                                   bool with_no) {
    std::vector<protocol::OptionHelp> all;
    for (const std::string_view group : groups_of(options)) {
        for (const OptionText& option : options) {
            if (option.group != group || option.help.empty()) continue;
            const std::string_view letter =
                std::string_view(option.name)
                    .substr(std::min(long_name(option).size() + 1,
                                     std::string_view(option.name).size()));
            all.push_back({std::string(group), std::string(long_name(option)),
                           std::string(letter), option.value == nullptr ? "" : option.value,
                           option.help, option.choices});
            if (with_no && option.can_be_undone) {
                const std::string name(long_name(option));
                all.push_back({std::string(group), kNo + name, "", "", "undoes --" + name});
            }
        }
    }
    all.push_back({all.empty() ? "Options" : all.back().group, "help", "h", "", "this text"});
    return all;
}

Error refuse_unknown(std::string typed, std::span<const OptionText> options) {
    typed = typed.substr(0, typed.find('='));
    const std::string name = typed.substr(std::min(typed.find_first_not_of('-'), typed.size()));
    std::vector<std::string_view> known{"help"};
    for (const OptionText& option : options) known.push_back(long_name(option));
    const std::string_view meant = nearest(name, known);
    return bad_input("unknown option {}{}", protocol::quoted(typed),
                     meant.empty() ? "" : fmt::format(", did you mean --{}?", meant));
}

// Whether a word begins with a dash that is no hyphen, as an option copied from a printed page.
bool begins_with_long_dash(std::string_view word) {
    constexpr std::array<std::string_view, 3> kDashes{"\u2013", "\u2014", "\u2212"};
    return std::ranges::any_of(kDashes, [&](auto dash) { return word.starts_with(dash); });
}

// "—games", "—-games".
Error refuse_dash(std::string_view typed) {
    std::string_view name = typed.substr(0, typed.find('='));
    while (begins_with_long_dash(name)) name.remove_prefix(3);
    name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
    return bad_input("read {}, did you mean --{}? An option begins with two hyphens",
                     protocol::quoted(typed), protocol::printable(name));
}

// For "--sprt" or "-o" at the end of the line: no other argument counts.
std::vector<Argument> without_value(std::string typed, std::span<const OptionText> options) {
    typed.erase(0, typed.find_first_not_of('-'));
    for (const OptionText& option : options) {
        const std::string_view name = long_name(option);
        if (typed == name || fmt::format("{},{}", name, typed) == option.name) {
            return {{std::string(name), kMissing}};
        }
    }
    return {{kHelpFormat, ""}};
}

bool names_one(std::string_view word, std::span<const OptionText> options) {
    if (!word.starts_with("--")) return false;
    const std::string_view name = word.substr(2, word.find('=') - 2);
    return name == "help" || std::ranges::any_of(options, [&](const OptionText& option) {
               return long_name(option) == name ||
                      (option.can_be_undone && kNo + option.name == name);
           });
}

bool may_repeat(const std::string& name, std::span<const OptionText> options) {
    return name == "help" || std::ranges::any_of(options, [&](const OptionText& option) {
               return option.repeats && long_name(option) == name;
           });
}

struct Unit {
    std::string_view name;
    std::uint64_t value;
};
constexpr std::array<Unit, 4> kTimeUnits{
    {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}}};
// The largest first.
constexpr std::array<Unit, 4> kSizeUnits{
    {{"G", 1U << 30}, {"M", 1U << 20}, {"K", 1U << 10}, {"", 1}}};

// "90m": a number from 1 on with its unit, in all at most `most`; else 0.
std::uint64_t parse_with_unit(std::string_view text, std::span<const Unit> units,
                              std::uint64_t most) {
    const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto unit = std::ranges::find(units, text.substr(digits), &Unit::name);
    const auto count = parse_count(text.substr(0, digits), 1, most);
    const bool is_known = unit != units.end() && count && *count <= most / unit->value;
    return is_known ? *count * unit->value : 0;
}

}  // namespace

UsageError usage_error(std::string_view program, const Error& error) {
    return {
        fmt::format("{0}: {1}\nTry '{0} --help' for what it takes.\n", program, error.text)};
}

std::string_view long_name(const OptionText& option) {
    const std::string_view name = option.name;
    return name.substr(0, name.find(','));
}

std::string describe_options(std::span<const OptionText> options) {
    std::vector<OptionText> listed;
    std::ranges::copy_if(options, std::back_inserter(listed),
                         [](const OptionText& option) { return !option.help.empty(); });
    std::ostringstream text;
    text << describe_all(listed);
    // Lines that are wrapped end in a blank.
    std::string plain;
    for (const char c : text.str()) {
        while (c == '\n' && plain.ends_with(' ')) plain.pop_back();
        plain += c;
    }
    return plain;
}

std::string first_clause(const std::string& help) {
    int open = 0;  // parentheses
    std::size_t end = 0;
    for (; end < help.size(); ++end) {
        open += help[end] == '(' ? 1 : help[end] == ')' ? -1 : 0;
        if (open == 0 && help.compare(end, 2, "; ") == 0) break;
    }
    const std::string_view rest = std::string_view(help).substr(end);
    const auto given = rest.rfind(" (default: ");
    return help.substr(0, end) +
           std::string(given != rest.npos && rest.ends_with(')') ? rest.substr(given) : "");
}

std::string refer_to_all(std::string_view program) {
    const auto blank = program.find(' ');
    return fmt::format("\nAll options, and what the exit status says: {} help {} all\n",
                       program.substr(0, blank), program.substr(blank + 1));
}

Result<std::vector<Argument>> split_arguments(std::span<const OptionText> options,
                                              const std::vector<std::string>& arguments) {
    constexpr int kStyle =
        po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::options_description known = describe_all(options);
    known.add_options()(kHelpFormat.c_str(), po::value<std::string>(), "");
    for (const OptionText& option : options) {
        if (!option.can_be_undone) continue;
        known.add_options()((kNo + option.name).c_str(), po::bool_switch(), "");
    }
    std::vector<Argument> split;
    try {
        const auto parsed =
            po::command_line_parser(arguments).options(known).style(kStyle).run();
        for (const po::option& option : parsed.options) {
            const bool positional = option.position_key >= 0;
            // "--record --games 10": the value was forgotten.
            const bool took_an_option = option.original_tokens.size() == 2 &&
                                        names_one(option.original_tokens[1], options);
            if (took_an_option) return without_value(option.original_tokens[0], options);
            const bool has_dash = positional && !option.value.empty() &&
                                  begins_with_long_dash(option.value.front());
            if (has_dash) return refuse_dash(option.value.front());
            split.push_back({positional ? std::string() : option.string_key,
                             option.value.empty() ? std::string() : option.value.front()});
            for (const OptionText& undone : options) {
                if (!undone.can_be_undone || split.back().option != kNo + undone.name) continue;
                split.back() = {undone.name, std::string(kUnset)};
            }
        }
    } catch (const po::unknown_option& error) {
        return refuse_unknown(error.get_option_name(), options);
    } catch (const po::invalid_command_line_syntax& error) {
        if (error.kind() != error.missing_parameter) {
            return bad_input("{}", protocol::printable(error.what()));
        }
        return without_value(error.get_option_name(), options);
    } catch (const po::error& error) {
        return bad_input("{}", protocol::printable(error.what()));
    }
    std::set<std::string> seen;
    for (const Argument& argument : split) {
        if (argument.option.empty() || may_repeat(argument.option, options)) continue;
        if (!seen.insert(argument.option).second) {
            return bad_input("--{} is given twice", argument.option);
        }
    }
    return split;
}

int print_help(const HelpText& help) {
    Console console(stdout);
    console.write(help.text);
    return console.finish(kExitPlayed);
}

int print_error(const UsageError& error) {
    complain(error.text);
    return kExitUsage;
}

Refusal cannot_open(const protocol::Error& error) {
    return {error, error.fault == protocol::Fault::BadInput ? kExitUsage : kExitStartup};
}

int refuse(const Refusal& refusal, std::string_view program) {
    complain(fmt::format("{}: {}\n", program, protocol::describe(refusal.error)));
    return refusal.status;
}

const std::string* find_value(const std::vector<Argument>& arguments, std::string_view option) {
    const auto found = std::ranges::find(arguments, option, &Argument::option);
    return found == arguments.end() ? nullptr : &found->value;
}

Result<std::string> format_help(const std::string& format, std::string_view program,
                                const std::string& head, std::span<const OptionText> options,
                                const std::string& tail) {
    const auto read = protocol::parse_help_format(format);
    if (!read) return locate("--help-format", format, read.error());
    protocol::CommandHelp help;
    const auto blank = program.find(' ');
    help.program = program.substr(0, blank);
    if (blank != program.npos) {
        help.command = program.substr(blank + 1);
        help.see_also = {help.program};
    }
    help.head = head;
    help.tail = tail;
    const bool is_script = *read != protocol::HelpFormat::Man;
    help.options = options_by_group(options, is_script);
    const bool is_part = is_script && !help.command.empty();
    return is_part ? completion_part(*read, help) : help_in(*read, help);
}

Result<std::uint64_t> parse_count(std::string_view text, std::uint64_t least,
                                  std::uint64_t most) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (!whole || value < least || value > most) {
        return bad_input("read {}, expected a number {}..{}", protocol::quoted(text), least,
                         most);
    }
    return value;
}

Result<Milliseconds> parse_milliseconds(std::string_view text, std::uint64_t least) {
    const auto count = parse_count(text, least, kMaxMilliseconds);
    if (!count) {
        return bad_input("read {}, expected milliseconds {}..{}", protocol::quoted(text), least,
                         kMaxMilliseconds);
    }
    return Milliseconds(*count);
}

Result<Milliseconds> parse_duration(std::string_view text) {
    const auto time = parse_with_unit(text, kTimeUnits, kMaxMilliseconds);
    if (time > 0) return Milliseconds(time);
    return bad_input(
        "read {}, expected a time such as 90m, 2h, 30s or 500ms, of a week at most",
        protocol::quoted(text));
}

Result<std::uint64_t> parse_size(std::string_view text, std::uint64_t least) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 50;
    const auto size = parse_with_unit(text, kSizeUnits, kMost);
    if (size > 0 && size >= least) return size;
    return bad_input("read {}, expected a size such as 512M or 4G, of {} or more",
                     protocol::quoted(text), size_text(least));
}

std::string size_text(std::uint64_t bytes) {
    const auto unit = std::ranges::find_if(
        kSizeUnits, [bytes](const Unit& candidate) { return bytes % candidate.value == 0; });
    return fmt::format("{}{}", bytes / unit->value, unit->name);
}

Result<std::pair<Milliseconds, Milliseconds>> parse_time_control(std::string_view text) {
    const auto plus = text.find('+');
    if (plus == text.npos) {
        return bad_input("read {}, expected BASE_MS+INC_MS such as 60000+600",
                         protocol::quoted(text));
    }
    const auto base = parse_milliseconds(text.substr(0, plus), 1);
    if (!base) return base.error();
    const auto increment = parse_milliseconds(text.substr(plus + 1), 0);
    if (!increment) return increment.error();
    return std::pair(*base, *increment);
}

Result<std::pair<std::string, std::string>> parse_certificate(const std::string& text) {
    const auto comma = text.find(',');
    if (comma == text.npos || comma == 0 || comma + 1 == text.size()) {
        return bad_input("read {}, expected CERT,KEY: two PEM files", protocol::quoted(text));
    }
    return std::pair(text.substr(0, comma), text.substr(comma + 1));
}

Result<std::string> parse_host_name(const std::string& text) {
    if (!text.empty() && text.find_first_of(":/@[] ") == text.npos) return text;
    return bad_input("read {}, expected a name such as arena.example.org",
                     protocol::quoted(text));
}

Error locate(const std::string& where, const std::string& text, const Error& error) {
    std::string message = where + ": " + protocol::describe(error);
    if (error.column > 0) {
        const std::string marked = protocol::mark_column(text, error);
        const auto end = marked.find('\n');
        message += "\n  " + marked.substr(0, end) + "\n  " + marked.substr(end + 1);
        message.pop_back();
    }
    return bad_input("{}", message);
}

}  // namespace arena
