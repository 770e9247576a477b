// Writes copies of what strangers have made. A copy has regular files, folders, and links that
// stay inside; files have the mode 0644 or 0755 and the owner that copies them. Other links are
// left out; pipes, sockets, devices, hard links of an archive, and what exceeds a limit are
// refused. Of a file or link that comes twice the last counts; a file and a folder of one name
// are refused.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

struct TreeLimits {
    std::uint64_t bytes = std::uint64_t{1} << 30;
    std::uint64_t entries = 100'000;
    int depth = 100;                  // folders, each of which a walk holds open
    std::size_t path = 1'000;         // bytes, within the folder
    std::string_view why_bytes = {};  // follows the refusal of more bytes
};

// Why a tree exceeds the limits: by its entries so far, or because the last of them is so many
// folders deep, or its path so long; or "".
std::string excess(const TreeLimits& limits, std::uint64_t entries, int depth,
                   std::size_t path);
// "more than 1 GiB", followed by `why_bytes`.
std::string excess_of_bytes(const TreeLimits& limits);

// "what cannot be read: a/b: it is larger than it says"; `inner`: the path within the tree.
std::string unreadable(const std::filesystem::path& inner, std::string_view why);

// What is to be copied, and where: a file, folder or link, or what is refused.
struct TreeEntry {
    std::filesystem::path path;  // within the tree, not to be trusted
    mode_t type = 0;             // as in st_mode
    bool runs = false;
    std::int64_t size = 0;      // of a file
    std::string target{};       // of a link
    bool is_hard_link = false;  // of an archive
};

// A part of a file, and its place there. What is between parts are zeros.
struct TreeBlock {
    std::string_view bytes;
    std::int64_t offset = 0;
};
// The next part of a file's contents; nullopt: there is none. An error says why it cannot be
// read.
using NextBlock = std::function<protocol::Result<std::optional<TreeBlock>>()>;

// Judges entries, and writes them into the folder `to`, which gets what it lacks; its parent
// exists. It trusts no name: a path is taken apart, and folders are opened one within the
// other, through no link.
class TreeWriter {
  public:
    TreeWriter(const std::filesystem::path& to, const TreeLimits& limits)
        : to_(to), limits_(limits) {}

    // Returns why the entry, and so the tree, is refused, or "". Throws std::system_error where
    // `to` cannot be written: ENOSPC on a full disk.
    std::string add(const TreeEntry& entry, const NextBlock& next);

  private:
    std::string write(const TreeEntry& entry, const std::filesystem::path& inner,
                      const NextBlock& next);
    protocol::UniqueFd enter(const std::filesystem::path& inner) const;
    std::string write_file(const TreeEntry& entry, const std::filesystem::path& inner,
                           int folder, const NextBlock& next);
    std::string fail(const std::filesystem::path& inner) const;
    [[noreturn]] void blame_disk(int error) const;

    std::filesystem::path to_;
    TreeLimits limits_;
    std::uint64_t bytes_ = 0;
    std::uint64_t entries_ = 0;
};

}  // namespace arena
