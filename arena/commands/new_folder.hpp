// Folders that commands create for people to edit: starter kits, autograders.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "arena/base/embedded_file.hpp"
#include "protocol/result.hpp"

namespace arena {

// Creates the folder, or accepts an empty one.
protocol::Result<void> make_empty_folder(const std::filesystem::path& folder);

// Writes a new file and its folders; makes a script (`#!`) executable.
protocol::Result<void> write_new_file(const std::filesystem::path& path, std::string_view text);

// Writes the files whose names begin with `prefix`, without the prefix.
protocol::Result<void> write_files(const std::vector<EmbeddedFile>& files,
                                   std::string_view prefix,
                                   const std::filesystem::path& folder);

}  // namespace arena
