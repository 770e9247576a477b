#include "arena/pages/report_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "arena/option_table.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::quoted;
using protocol::Result;

Error refuse(std::string text) { return Error{Fault::BadInput, std::move(text), 0}; }

Result<void> set_output(ReportOptions& options, const std::string& value) {
    if (value.empty()) return refuse("expected a folder, found nothing");
    options.pages.directory = value;
    return {};
}

Result<void> set_pages(ReportOptions& options, const std::string& value) {
    if (value == "faults") {
        options.pages.games = pages::PageGames::Faults;
    } else if (value == "all") {
        options.pages.games = pages::PageGames::All;
    } else {
        constexpr std::uint64_t kMost = 1000000;
        const auto number = parse_count(value, 0, kMost);
        if (!number) {
            return refuse("read " + quoted(value) +
                          ", expected faults, all, or how many games a player, 0..1000000");
        }
        options.pages.games = pages::PageGames::Number;
        options.pages.number = *number;
    }
    return {};
}

Result<void> set_analysis(ReportOptions& options, const std::string& value) {
    const auto time = parse_milliseconds(value, 0);
    if (!time) return time.error();
    options.analysis = *time;
    return {};
}

struct Row {
    OptionText text;
    Result<void> (*set)(ReportOptions& options, const std::string& value);
};

constexpr std::array kRows{
    Row{{"Options", "output,o", "DIR",
         "the folder to write to, made if it is not there; needed"},
        set_output},
    Row{{"Options", "pages", "faults|all|N",
         "which games can be looked at: those with faults and those that were thrown, all, or "
         "N a "
         "player, these first (default: faults)"},
        set_pages},
    Row{{"Options", "analysis", "MS",
         "time for the analysis of games that have none yet, all together (default: 60000)"},
        set_analysis},
};

constexpr std::string_view kHelpHead = R"(Usage: nim-arena report FILE.db -o DIR [OPTION]...

Writes pages to look at with a browser, for which neither a server nor a network is needed: DIR/index.html
with standings, cross table, faults and charts, and a page for each player with its games, move by
move, where every mistake stands beside a move that was right. Games are analysed once: what was
found is kept in the record, unless a tournament is being played into it.

)";

constexpr std::string_view kHelpTail = R"(
Examples:
  nim-arena report spring.db -o pages
  nim-arena report spring.db -o pages --pages 50 --analysis 600000

Exit status:
  0  written
  1  the record cannot be read, or the pages cannot be written
  2  the command line makes no sense
)";

Result<void> take(ReportOptions& options, const Argument& argument) {
    if (!argument.option.empty()) {
        const auto done = find_row(kRows, argument.option)->set(options, argument.value);
        if (!done) return locate("--" + argument.option, argument.value, done.error());
        return {};
    }
    if (!options.record.empty()) {
        return refuse("read " + quoted(argument.value) + " behind the record " +
                      quoted(options.record) + ", expected options");
    }
    options.record = argument.value;
    return {};
}

}  // namespace

ReportCommand parse_report_options(const std::vector<std::string>& arguments) {
    const auto texts = texts_of(kRows);
    const auto split = split_arguments(texts, arguments);
    if (!split) return usage_error("report", split.error());
    if (asks_for_help(*split)) {
        return HelpText{fmt::format("{}{}{}", kHelpHead, describe_options(texts), kHelpTail)};
    }
    ReportOptions options;
    for (const Argument& argument : *split) {
        const auto taken = take(options, argument);
        if (!taken) return usage_error("report", taken.error());
    }
    if (options.record.empty()) {
        return usage_error("report", refuse("read no record, expected its file"));
    }
    if (options.pages.directory.empty()) {
        return usage_error("report", refuse("read no -o, expected a folder to write to"));
    }
    return options;
}

}  // namespace arena
