// A fingerprint of a folder's files, such as a submission, so that another one in its place is
// noticed.
#pragma once

#include <filesystem>
#include <string>

namespace arena {

// SHA-256 of the files of a folder: their names, contents, permission to run, and where links
// lead. Without what tools write beside sources (.git, __pycache__/*.pyc). Follows no links;
// what cannot be read counts as empty. Reads all files.
std::string fingerprint_of(const std::filesystem::path& folder);

}  // namespace arena
