// Everything that `nim-arena report` was asked to do, checked, with defaults filled in.
#pragma once

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "arena/command_line.hpp"
#include "arena/pages/report_pages.hpp"

namespace arena {

struct ReportOptions {
    std::string record;  // the file
    pages::PageOptions pages;
    std::chrono::milliseconds analysis{60000};  // for games without one, all together
};

using ReportCommand = std::variant<ReportOptions, HelpText, UsageError>;

// `arguments`: what stands behind `nim-arena report`.
ReportCommand parse_report_options(const std::vector<std::string>& arguments);

}  // namespace arena
