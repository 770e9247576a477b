// Where the nimber of a heap comes from: its options, their nimbers, and the mex.
#pragma once

#include <cstddef>
#include <string>

#include "engine/sums/evaluation.hpp"

namespace engine {

// For a person: the options of the first `heaps` heaps that differ, where nimbers are known
// and matter; and how their XOR comes about, where there are several. Empty if nothing is found
// within the budget.
std::string explain_nimbers(const Evaluation& evaluation, std::size_t heaps,
                            const Budget& budget);

}  // namespace engine
