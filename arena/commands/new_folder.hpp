// Folders that commands write for people to change: starter kits, autograders.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "arena/base/embedded_file.hpp"
#include "protocol/result.hpp"

namespace arena {

// Makes the folder, unless it is there and empty.
protocol::Result<void> make_empty_folder(const std::filesystem::path& folder);

// Writes a new file, and its folders; a script (`#!`) can be run.
protocol::Result<void> write_new_file(const std::filesystem::path& path, std::string_view text);

// Writes those files whose names begin with `prefix`, which they lose.
protocol::Result<void> write_files(const std::vector<EmbeddedFile>& files,
                                   std::string_view prefix,
                                   const std::filesystem::path& folder);

}  // namespace arena
