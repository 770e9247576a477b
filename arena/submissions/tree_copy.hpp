// Copies of what strangers have made. A copy has regular files, folders, and links that stay
// inside; files have the mode 0644 or 0755 and the owner that copies them. Other links are left
// out; pipes, sockets, devices, hard links of an archive, and what exceeds a limit are refused.
// Of a file or link that comes twice the last counts; a file and a folder of one name are
// refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "arena/base/clock.hpp"

namespace arena {

struct TreeLimits {
    std::uint64_t bytes = std::uint64_t{1} << 30;
    std::uint64_t entries = 100'000;
    int depth = 100;                  // folders, each of which a walk holds open
    std::size_t path = 1'000;         // bytes, within the folder
    std::string_view why_bytes = {};  // follows the refusal of more bytes
};

// Why a folder exceeds the limits: "more than 1 GiB"; empty: it does not.
std::string too_large(const std::filesystem::path& folder, const TreeLimits& limits = {});

// Copies a folder, whose path is absolute and passes no link. `to` gets what it lacks; its
// parent exists. Returns why the folder is refused, or "". Throws std::system_error where `to`
// cannot be written: ENOSPC on a full disk.
std::string copy_tree(const std::filesystem::path& from, const std::filesystem::path& to,
                      const TreeLimits& limits = {});

// The same for a tar archive that is read from `descriptor` until its end, or `deadline`. An
// empty input is no archive: then `to` is not made, and "" is returned.
std::string unpack_tree(int descriptor, Clock::time_point deadline,
                        const std::filesystem::path& to, const TreeLimits& limits = {});

// Writes a .zip or .tar, compressed or not, to `descriptor` as a plain tar archive; with the
// modes 0644 and 0755. Returns why it cannot be read, or "". The file is read by parsers that a
// stranger may attack: call it in a process of its own.
std::string write_as_tar(const std::string& file, int descriptor);

}  // namespace arena
