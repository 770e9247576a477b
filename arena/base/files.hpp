// Reads whole files, writes whole texts, tells files apart, removes whole folders.
#pragma once

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include "arena/base/clock.hpp"
#include "protocol/result.hpp"

namespace arena {

// A whole file, of 256 MiB at most.
protocol::Result<std::string> read_file(const std::string& path);

// What comes from a pipe until its end or the deadline, or more than `most` bytes are there.
std::string read_until_end(int descriptor, Clock::time_point deadline, std::size_t most);

// The values of errno by which the machine gives no file, process, memory or room for now: of
// that no player is guilty.
inline constexpr std::array kShortages{EAGAIN,  EDQUOT, EMFILE, ENFILE,
                                       ENOBUFS, ENOMEM, ENOSPC, ETOOMANYREFS};
bool is_shortage(int error);

// Writes all of `bytes`, however long that takes. Returns errno, or 0.
int write_all(int descriptor, std::string_view bytes);

// Writes a whole file, under the name PATH.part until it is complete; follows no link at either
// name. Returns errno, or 0.
int replace_file(const std::string& path, std::string_view text);
// Whether replace_file() could write there; changes nothing. Returns errno, or 0.
int try_to_replace(const std::string& path);

// Whether this file is a database of SQLite, as records are.
bool is_sqlite(const std::string& path);

// The ending of an archive's name, .zip, .tar.gz or the like; empty: it is none.
std::string_view archive_ending(std::string_view name);

// A file that an option writes.
struct WrittenFile {
    std::string option;
    std::string path;  // empty, or "-": none
};
// Refuses two options that write into one file, unless it is a device or a pipe. To a record
// (empty: none, or in PostgreSQL) belong also the files that SQLite and its lock keep next to
// it.
protocol::Result<void> check_distinct(const WrittenFile& record,
                                      const std::vector<WrittenFile>& files);

// Removes a directory with all its contents, at any depth and with any permissions. Follows no
// links; a link in place of the directory is removed. Nothing may change in it meanwhile.
// Changes the working directory, so call it in a process of its own. Returns false if something
// is left.
bool remove_tree(const std::string& directory);

}  // namespace arena
