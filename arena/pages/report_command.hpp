// `nim-arena report`: a record, analysed and written as pages.
#pragma once

#include <chrono>

#include "arena/pages/report_options.hpp"
#include "arena/store/store.hpp"
#include "engine/solver/analyst.hpp"
#include "protocol/result.hpp"

namespace arena {

class Console;
class Guardian;

// Time for the analysis of games that have none yet, where none is given.
inline constexpr std::chrono::milliseconds kAnalysisOfAll{60000};

// Analyses what is not analysed yet, for `time` at the most, and keeps that in the store.
protocol::Result<void> analyse_all(Store& store, const engine::Analyst& analyst,
                                   std::chrono::milliseconds time, Console& console);

// Writes the pages, and says so.
protocol::Result<void> write_report(Store& store, const engine::Analyst& analyst,
                                    const pages::PageOptions& options, Console& console);

// Gives the exit status.
int run_report(const ReportOptions& options, const Guardian&);

}  // namespace arena
