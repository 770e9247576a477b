#include "arena/pages/report_command.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "arena/console.hpp"
#include "arena/counted.hpp"
#include "arena/exit_codes.hpp"
#include "arena/pages/annotate.hpp"
#include "arena/store/sqlite_store.hpp"
#include "engine/solver/analyst.hpp"

namespace arena {
namespace {

using protocol::Result;

// Nimbers are an extra: they may take this long beyond the analysis.
constexpr std::chrono::seconds kNimberTime{20};

int fail(const protocol::Error& error) {
    complain(fmt::format("nim-arena report: {}\n", describe(error)));
    return kExitInternal;
}

// Keeps the analyses in the record.
Result<void> analyse_all(Store& store, const engine::Analyst& analyst,
                         std::chrono::milliseconds time, Console& console) {
    const engine::Budget budget{Clock::now() + time, {}};
    const auto done = annotate_games(store, analyst, budget, [&](std::uint64_t games) {
        if (console.terminal()) console.progress(counted(games, "game") + " analysed");
    });
    if (!done) return done.error();
    if (done->games > 0) console.line(counted(done->games, "game") + " analysed");
    if (!done->complete) {
        console.line(
            "Time for the analysis is up; nim-arena report --analysis MS gives more, and goes "
            "on "
            "from here");
    }
    return {};
}

Result<void> write_report(Store& store, const engine::Analyst& analyst,
                          const pages::PageOptions& options, Console& console) {
    const engine::Budget budget{Clock::now() + kNimberTime, {}};
    const auto written = pages::write_pages(store, analyst, budget, options);
    if (!written) return written.error();
    std::string text = fmt::format("{} of {}: {}/index.html", counted(written->files, "page"),
                                   counted(written->games, "game"), options.directory);
    if (written->not_analysed > 0) {
        text += "; " + counted(written->not_analysed, "game") + " not analysed";
    }
    console.line(text);
    return {};
}

// One that cannot be changed, as a tournament plays into it or the disk is full, is read as it
// is.
void analyse_if_possible(const ReportOptions& options, const engine::Analyst& analyst,
                         Console& console) {
    const auto store = open_sqlite_store(options.record);
    const auto analysed = store ? analyse_all(**store, analyst, options.analysis, console)
                                : Result<void>(store.error());
    if (analysed) return;
    console.line(fmt::format("The record is read as it is: {}", describe(analysed.error())));
}

}  // namespace

int run_report(const ReportOptions& options, const Guardian&) {
    // For reading first: what is no record is told, and none is made.
    auto store = open_sqlite_store(options.record, true);
    if (!store) return fail(store.error());
    const auto configuration = (*store)->configuration();
    if (!configuration) return fail(configuration.error());
    store->reset();
    const auto prepared = pages::prepare_directory(options.pages.directory);
    if (!prepared) return fail(prepared.error());

    Console console(stdout);
    const auto analyst = engine::make_analyst();
    analyse_if_possible(options, *analyst, console);
    store = open_sqlite_store(options.record, true);
    if (!store) return fail(store.error());
    const auto written = write_report(**store, *analyst, options.pages, console);
    if (!written) return fail(written.error());
    return console.finish(kExitPlayed);
}

}  // namespace arena
