// `nim-arena report`: a record, analysed and written as pages.
#pragma once

#include "arena/pages/report_options.hpp"

namespace arena {

class Guardian;

// Gives the exit status.
int run_report(const ReportOptions& options, const Guardian&);

}  // namespace arena
