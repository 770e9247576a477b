#include "arena/export/export_options.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::quoted;
using protocol::Result;

Error refuse(std::string text) { return Error{Fault::BadInput, std::move(text), 0}; }

struct FormatName {
    std::string_view name;
    ExportFormat format;
};
constexpr std::array kFormats{
    FormatName{"pgn", ExportFormat::Pgn}, FormatName{"jsonl", ExportFormat::JsonLines},
    FormatName{"csv", ExportFormat::CrossTable}, FormatName{"grades", ExportFormat::Grades}};

constexpr std::array kExportOptions{
    OptionText{"Options", "format", "FORMAT", "pgn, jsonl, csv or grades; needed"},
    OptionText{"Options", "output,o", "FILE",
               "where to write, emptied first (default: -, standard output)"},
};

constexpr std::string_view kExportHead =
    R"(Usage: nim-arena export FILE.db --format FORMAT [-o FILE]

Writes what a record holds, in the order of its schedule. It may be played into meanwhile.

  pgn     games for programs that rate players, such as Ordo and BayesElo; the moves are in comments
  jsonl   a JSON object a game, with the fields of match --jsonl; `game` is its key, as for show
  csv     a cross table: the points that each player made against each other
  grades  a CSV line a player: points, their share of what perfect play would have got, mistakes,
          faults

)";

constexpr std::string_view kExportTail = R"(
Examples:
  nim-arena export spring.db --format pgn -o spring.pgn
  nim-arena export spring.db --format grades > grades.csv

Exit status:
  0  written
  1  the record cannot be read, or the output cannot be written
  2  the command line makes no sense
)";

constexpr std::string_view kShowHelp = R"(Usage: nim-arena show FILE.db GAME

Prints a game of a record move by move: who played, each position with the move that was made there
and the time it took, how it ended, and of a fault what was read, what was expected, and what the
player wrote to its stderr. GAME is the game's key, such as 1.3.12.1.1.2: stage, round, pairing,
position, attempt, leg; exports and reports name games by it.

Example:
  nim-arena show spring.db 1.3.12.1.1.2

Exit status:
  0  shown
  1  the record cannot be read, or has no such game
  2  the command line makes no sense
)";

Result<ExportFormat> parse_format(const std::string& text) {
    const auto row = std::ranges::find(kFormats, text, &FormatName::name);
    if (row == kFormats.end()) {
        return refuse(
            fmt::format("--format: read {}, expected pgn, jsonl, csv or grades", quoted(text)));
    }
    return row->format;
}

}  // namespace

ExportCommand parse_export_options(const std::vector<std::string>& arguments) {
    const auto split = split_arguments(kExportOptions, arguments);
    if (!split) return usage_error("export", split.error());
    if (asks_for_help(*split)) {
        return HelpText{
            fmt::format("{}{}{}", kExportHead, describe_options(kExportOptions), kExportTail)};
    }
    ExportOptions options;
    std::optional<ExportFormat> format;
    for (const auto& [option, value] : *split) {
        if (option == "format") {
            const auto parsed = parse_format(value);
            if (!parsed) return usage_error("export", parsed.error());
            format = *parsed;
        } else if (option == "output") {
            options.output = value;
        } else if (!options.record.empty()) {
            return usage_error("export",
                               refuse("read " + quoted(value) + " behind the record " +
                                      quoted(options.record) + ", expected options"));
        } else {
            options.record = value;
        }
    }
    if (options.record.empty())
        return usage_error("export", refuse("read no record, expected its file"));
    if (!format) {
        return usage_error("export",
                           refuse("read no --format, expected pgn, jsonl, csv or grades"));
    }
    options.format = *format;
    return options;
}

ShowCommand parse_show_options(const std::vector<std::string>& arguments) {
    const auto split = split_arguments({}, arguments);
    if (!split) return usage_error("show", split.error());
    if (asks_for_help(*split)) return HelpText{std::string(kShowHelp)};
    if (split->size() != 2) {
        return usage_error("show", refuse(fmt::format("read {} arguments, expected 2: the "
                                                      "record's file and a game",
                                                      split->size())));
    }
    const auto game = parse_game_key((*split)[1].value);
    if (!game) return usage_error("show", game.error());
    return ShowOptions{(*split)[0].value, *game};
}

}  // namespace arena
