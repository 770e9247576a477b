// The folders that builds of submissions write to: one for each, under one place.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "arena/submissions/submission.hpp"
#include "protocol/result.hpp"

namespace arena {

// The absolute path without links; its last folders need not exist.
std::filesystem::path resolved(const std::filesystem::path& path);

// Whether each submission has a name for its folder, and neither `place` nor that folder there
// lies in a submission or around one: what is written and removed there would be a student's.
// `what`: the words for the place in an error, "--results".
protocol::Result<void> check_build_folders(const std::string& place, std::string_view what,
                                           const std::vector<Submission>& submissions);

}  // namespace arena
