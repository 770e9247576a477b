// Archives that strangers have made.
#pragma once

#include <filesystem>
#include <string>

#include "arena/base/clock.hpp"
#include "arena/submissions/tree_writer.hpp"

namespace arena {

// Writes what is in a tar archive, which is read from `descriptor` until its end or `deadline`,
// into `to`, as a TreeWriter does. An empty input is no archive: then `to` is not made, and ""
// is returned. Returns why the archive is refused, or "". Throws as TreeWriter::add().
std::string unpack_tree(int descriptor, Clock::time_point deadline,
                        const std::filesystem::path& to, const TreeLimits& limits = {});

// Writes a .zip or .tar, compressed or not, to `descriptor` as a plain tar archive; with the
// modes 0644 and 0755. Returns why it cannot be read, or "". The file is read by parsers that a
// stranger may attack: call it in a process of its own.
std::string write_as_tar(const std::string& file, int descriptor);

// The word by which nim-arena starts itself for that; the name of the archive follows. And its
// exit status where the archive cannot be read.
inline constexpr char kUnpackCommand[] = "unpack-submission";
inline constexpr int kUnreadable = 65;

}  // namespace arena
