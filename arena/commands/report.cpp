// `nim-arena report`: analyses a record and writes pages about it.
#include <fmt/format.h>

#include <string>

#include "arena/base/at_work.hpp"
#include "arena/base/console.hpp"
#include "arena/base/counted.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/option_table.hpp"
#include "arena/commands/commands.hpp"
#include "arena/record/annotate.hpp"
#include "arena/record/open_store.hpp"
#include "arena/report/record_head.hpp"
#include "arena/report/report_pages.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

// ---- the command line ----

struct ReportOptions {
    std::string record;  // the file
    pages::PageOptions pages;
    Milliseconds analysis{60000};  // for all games without an analysis
};

Result<void> set_games(pages::PageOptions& options, const std::string& value) {
    if (value == "faults" || value == "all") {
        options.games = value == "all" ? pages::PageGames::All : pages::PageGames::Faults;
        return {};
    }
    constexpr std::uint64_t kMost = 1000000;
    const auto number = parse_count(value, 0, kMost);
    if (!number) {
        return bad_input("read {}, expected faults, all, or how many games a player, 0..{}",
                         protocol::quoted(value), kMost);
    }
    options.games = pages::PageGames::Number;
    options.number = *number;
    return {};
}

OptionTable report_table(ReportOptions& options) {
    return {
        text({"Options", "output,o", "DIR",
              "the folder to write to, created if missing; required"},
             options.pages.directory, "a folder"),
        {{"Options", "pages", "faults|all|N",
          "the games shown: those with faults and thrown ones; all; or N for each player, "
          "those in which it erred first (default: faults)"},
         [&](const std::string& value) { return set_games(options.pages, value); }},
        milliseconds({"Options", "analysis", "MS",
                      "time for the analysis of games that have none yet, all together "
                      "(default: {})"},
                     options.analysis, 0),
    };
}

constexpr std::string_view kReportHead = R"(Usage: nim-arena report FILE.db -o DIR [OPTION]...

Writes pages for a browser, which need neither a server nor a network:
DIR/index.html with standings, cross table, faults and charts, and a page for
each player with its games, move by move, and for every mistake a correct move.
Games are analysed once: the result is kept in the record, unless a tournament
is adding games to it.

)";

constexpr std::string_view kReportTail = R"(
Examples:
  nim-arena report spring.db -o pages
  nim-arena report spring.db -o pages --pages 50 --analysis 600000

Exit status:
  0  written
  1  the record cannot be read, or the pages cannot be written
  2  the command line is wrong
  7  the record is damaged; what is left out is named
)";

Result<void> finish_report(ReportOptions& options) {
    auto has_record = needs_record(options.record);
    if (!has_record || !options.pages.directory.empty()) return has_record;
    return bad_input("read no -o, expected a folder to write to");
}

// ---- the pages ----

// Stores the analyses in the record. Does nothing if that cannot be changed, because a
// tournament is adding games to it or the disk is full.
void analyse_if_possible(const ReportOptions& options, const engine::Analyst& analyst,
                         Console& console, AtWork& at_work) {
    const auto tell = [&](std::uint64_t games) {
        at_work.tell(counted(games, "game") + " analysed");
    };
    const auto store = open_store(options.record);
    const engine::Budget budget{SteadyClock::now() + options.analysis, {}};
    const auto done = store ? annotate_games(**store, analyst, budget, tell)
                            : Result<Annotated>(store.error());
    if (!done) return console.line("The record is read as it is: " + describe(done.error()));
    if (done->games > 0) console.line(counted(done->games, "game") + " analysed");
    if (!done->complete) {
        console.line(
            "Time for the analysis is up; nim-arena report --analysis MS gives more, and goes "
            "on from here");
    }
}

std::string summary_of(const pages::PagesWritten& written, const std::string& folder) {
    std::string text = fmt::format("{} of {}: {}/index.html", counted(written.files, "page"),
                                   counted(written.games, "game"), folder);
    if (written.not_analysed > 0)
        text += "; " + counted(written.not_analysed, "game") + " not analysed";
    return text;
}

int run_report(const ReportOptions& options) {
    // Opened for reading first, so that a wrong name creates no file.
    auto store = open_store(options.record, {.read_only = true});
    if (!store) return refuse_record(store.error());
    const auto configuration = whole_configuration(**store);
    if (!configuration) return refuse_record(configuration.error());
    store->reset();
    const auto prepared = pages::prepare_directory(options.pages.directory);
    if (!prepared) return refuse({prepared.error()});

    Console console(stdout);
    AtWork at_work(console);
    at_work.tell("reading the games");
    const auto analyst = engine::make_analyst();
    analyse_if_possible(options, *analyst, console, at_work);
    at_work.tell("writing the pages");
    store = open_store(options.record, {.read_only = true});
    if (!store) return refuse_record(store.error());
    const auto written = pages::write_pages(**store, *analyst, options.pages);
    if (!written) return report_damage(**store, options.record, refuse_record(written.error()));
    console.line(summary_of(*written, options.pages.directory));
    return report_damage(**store, options.record, console.finish(kExitPlayed));
}

}  // namespace

int commands::report(const Words& words, const Guardian&) {
    ReportOptions options;
    CommandLine line("nim-arena report", report_table(options), kReportHead, kReportTail);
    line.argument = takes_record(options.record);
    line.finish = [&](const Given&) { return finish_report(options); };
    return run(parse(line, words, options), run_report);
}

}  // namespace arena
