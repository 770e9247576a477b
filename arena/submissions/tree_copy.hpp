// Copies folders that strangers have made.
#pragma once

#include <filesystem>
#include <string>

#include "arena/submissions/tree_writer.hpp"

namespace arena {

// Why a folder exceeds the limits, counted as copy_tree() does: "more than 1 GiB"; empty: it
// does not.
std::string too_large(const std::filesystem::path& folder, const TreeLimits& limits = {});

// Copies a folder, whose path is absolute and passes no link, as a TreeWriter does. Returns why
// the folder is refused, or "". Throws as TreeWriter::add().
std::string copy_tree(const std::filesystem::path& from, const std::filesystem::path& to,
                      const TreeLimits& limits = {});

}  // namespace arena
