// Makes a folder of what a student has handed in, where it is none: files of a platform get the
// names that the student gave them, and an archive is unpacked.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "arena/submissions/bot_build.hpp"
#include "arena/submissions/bot_folder.hpp"
#include "arena/submissions/submission.hpp"

namespace arena {

// Returns the folder, and adds to `result` what has been done ("unpacked ann.zip"), or why
// there is no folder. `place`: a folder that gets handed-in/, unless a folder was handed in; a
// folder, or files, with nothing to play but an archive count as that archive. Archives are
// read in the sandbox that builds run in. `rules` and `run` as with plan_bot(). Throws on
// errors of the arena itself.
Awaitable<std::filesystem::path> take_in(const Submission& submission,
                                         const std::filesystem::path& place,
                                         std::span<const LanguageRule> rules,
                                         const std::string& run, const BuildOptions& options,
                                         const BuildContext& context, BuildResult& result);

}  // namespace arena
