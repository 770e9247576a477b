// Reads whole files, and writes all of a text.
#pragma once

#include <string>
#include <string_view>

#include "protocol/result.hpp"

namespace arena {

// A whole file, of 256 MiB at most.
protocol::Result<std::string> read_file(const std::string& path);

// Writes all of it, however long that takes. Returns errno, or 0.
int write_all(int descriptor, std::string_view bytes);

}  // namespace arena
