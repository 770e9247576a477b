// `nim-arena suite`: prints the positions of a suite.
#pragma once

#include "arena/guardian.hpp"
#include "arena/suite_options.hpp"

namespace arena {

// The exit status. The guardian has nothing to do.
int run_suite(const SuiteOptions& options, const Guardian&);

}  // namespace arena
