// `nim-arena export`. Writes piece by piece while it reads, because a record may be larger than
// memory. The output may be a file next to the record, but never one of its own files.
#include "arena/commands/options.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>

#include "arena/base/at_work.hpp"
#include "arena/base/console.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/files.hpp"
#include "arena/commands/commands.hpp"
#include "arena/record/annotate.hpp"
#include "arena/record/json_lines.hpp"
#include "arena/record/open_store.hpp"
#include "arena/report/exports.hpp"
#include "arena/report/record_head.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

// ---- the command line ----

OptionTable export_table(ExportOptions& options) {
    return {
        choice({"Options", "format", "FORMAT", "pgn, jsonl, csv, grades or starts; required"},
               options.format,
               {{"pgn", ExportFormat::Pgn},
                {"jsonl", ExportFormat::JsonLines},
                {"csv", ExportFormat::CrossTable},
                {"grades", ExportFormat::Grades},
                {"starts", ExportFormat::Starts}}),
        text({"Options", "output,o", "FILE",
              "the file to write, emptied first (default: {}, standard output)"},
             options.output, "a file"),
    };
}

constexpr std::string_view kExportHead =
    R"(Usage: nim-arena export FILE.db --format FORMAT [-o FILE]

Exports a record, in the order of its schedule. A tournament may add games
meanwhile.

  pgn     games for rating programs such as Ordo and BayesElo; in comments the
          moves, their times, and how a game was lost by a fault
  jsonl   a JSON object for each game, with the keys of match --jsonl; `game` is
          its key, as for show
  csv     a cross table: the points of each player against each other player
  grades  a CSV line for each player: points, their share of those of perfect
          play (above 1 if opponents gave points away), mistakes, faults, error
          rate
  starts  a CSV line for each player and start position: ruleset, games, won,
          drawn, lost, points

)";

constexpr std::string_view kExportTail = R"(
Examples:
  nim-arena export spring.db --format pgn -o spring.pgn
  nim-arena export spring.db --format grades > grades.csv

Exit status:
  0  written
  1  the record cannot be read, or the output cannot be written
  2  the command line is wrong
  7  the record is damaged; what is left out is named
)";

Result<void> finish_export(ExportOptions& options, const Given& given) {
    auto has_record = needs_record(options.record);
    if (!has_record) return has_record;
    if (!given.contains("format"))
        return bad_input("read no --format, expected pgn, jsonl, csv, grades or starts");
    return check_distinct({"the record", is_database(options.record) ? "" : options.record},
                          {{"--output", options.output}});
}

// ---- the export ----

using Write = std::function<bool(const std::string&)>;

template <typename Visit>
Result<void> for_each(Store& store, const RecordHead& head, const Visit& visit) {
    return store.for_each_game([&](const GameRecord& game) {
        return !head.has_players(game.task.players) || visit(game);
    });
}

// Adds up all games. `analyst`: where their analyses are wanted, too; else null.
Result<Results> read_results(Store& store, const RecordHead& head,
                             const engine::Analyst* analyst) {
    constexpr std::size_t kNoStarts = 0;
    Results results(games_of_pairing(head.configuration), kNoStarts);
    for (const Entrant& entrant : head.entrants) results.add(entrant);
    const auto planned = for_each_event(store, [&](const Event& event) {
        if (const auto* plan = std::get_if<RoundPlan>(&event.what)) results.add(*plan);
    });
    if (!planned) return planned.error();
    const auto read = for_each(store, head, [&](const GameRecord& game) {
        results.add(result_of(game));
        if (analyst != nullptr) results.add_analysis(game, analysis_of(game, *analyst));
        return true;
    });
    if (!read) return read.error();
    return results;
}

int export_to_file(Store& store, const ExportOptions& options, const engine::Analyst& analyst) {
    if (is_sqlite(options.output)) {
        return refuse({bad_input("cannot write to {}: it is a record, expected another file",
                                 protocol::quoted(options.output))});
    }
    std::ofstream file(options.output, std::ios::binary);
    const auto cannot = [&](const char* what) {
        return refuse({bad_input("cannot {} {}: {}", what, protocol::quoted(options.output),
                                 std::strerror(errno))});
    };
    if (!file) return cannot("open");
    const auto done =
        export_record(store, options.format, analyst,
                      [&](const std::string& text) { return static_cast<bool>(file << text); });
    if (!done) return refuse_record(done.error());
    file.close();
    return file ? kExitPlayed : cannot("write to");
}

int run_export(const ExportOptions& options) {
    return on_record(options.record, [&](Store& store, const RecordHead&) {
        const auto analyst = engine::make_analyst();
        Console console(stdout), errors(stderr);
        std::optional<AtWork> at_work(errors);
        at_work->tell("reading the games");
        if (options.output != "-") return export_to_file(store, options, *analyst);
        const auto done =
            export_record(store, options.format, *analyst, [&](const std::string& text) {
                if (console.terminal()) at_work.reset();
                console.write(text);
                return !console.failed();
            });
        return done ? console.finish(kExitPlayed) : refuse_record(done.error());
    });
}

}  // namespace

Result<void> export_record(Store& store, ExportFormat format, const engine::Analyst& analyst,
                           const Write& write) {
    const auto head = read_head(store);
    if (!head) return head.error();
    switch (format) {
        case ExportFormat::Pgn:
            return for_each(store, *head, [&](const GameRecord& game) {
                return write(pgn(game, head->names, head->event));
            });
        case ExportFormat::JsonLines:
            return for_each(store, *head, [&](const GameRecord& game) {
                return write(json_line(game, head->names, head->seed) + "\n");
            });
        case ExportFormat::CrossTable:
        case ExportFormat::Grades: {
            const bool is_graded = format == ExportFormat::Grades;
            const auto results = read_results(store, *head, is_graded ? &analyst : nullptr);
            if (!results) return results.error();
            write(is_graded ? grade_table(*results, head->names)
                            : cross_table(*results, head->names));
            return {};
        }
        case ExportFormat::Starts: {
            StartTally tally;
            const auto read = for_each_event(store, [&](const Event& event) {
                if (const auto* plan = std::get_if<RoundPlan>(&event.what)) tally.add(*plan);
                const auto* game = std::get_if<GameResult>(&event.what);
                if (game != nullptr && head->has_players(game->players)) tally.add(*game);
            });
            if (!read) return read;
            write(start_table(tally, head->names));
            return {};
        }
    }
    return {};
}

Parsed<ExportOptions> parse_export_options(const Words& words) {
    ExportOptions options;
    CommandLine line("nim-arena export", export_table(options), kExportHead, kExportTail);
    line.argument = takes_record(options.record);
    line.finish = [&](const Given& given) { return finish_export(options, given); };
    return parse(line, words, options);
}

int commands::export_record(const Words& words, const Guardian&) {
    return run(parse_export_options(words), run_export);
}

}  // namespace arena
