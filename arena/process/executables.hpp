// Identifies the program of a player, so that a result can be traced to the file that played.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace arena {

// An empty directory of the sandbox that a program may write, up to a size that the kernel
// enforces. It sees the folder `source` as kSubmission.
struct Scratch {
    std::string source;
    std::uint64_t bytes = 0;
};
inline constexpr char kSubmission[] = "/submission";

// A command: a program with its arguments and its directory.
struct Program {
    std::vector<std::string> command;  // empty: none, as for a player over a socket
    std::string directory;             // empty: here
    std::string name;                  // the shown name, given or derived from the command
    std::optional<Scratch> scratch{};  // in the sandbox, what `directory` is instead of itself
};

// A line "SHA-256  path" for the program, as PATH finds it, and for each of its arguments that
// names a file of 256 MiB at most (such as a script); empty without a command. Reads the files.
std::string hash_executables(const Program& spec);
// The same for a given file of the program, as in the sandbox; nullopt: there is none. With
// `folders`, for bots found in folders, also a line for each argument that names a folder, such
// as Java's classes: the fingerprint of its files; and none for what is outside the directory.
std::string hash_executables(const Program& spec, const std::optional<std::string>& program,
                             bool folders = false);

// The command that `/bin/sh -c 'exec COMMAND'` becomes, as bots found in folders are started;
// nullopt: it is no such command.
std::optional<Program> program_of_shell(const Program& spec);

// Where programs are looked for if PATH is not set.
inline constexpr char kDefaultPath[] = "/usr/local/bin:/usr/bin:/bin";

// The file `name` in each folder of `path`, which is written as PATH is: an empty folder means
// the current one. The files need not exist.
std::vector<std::string> places_in_path(const std::string& name, std::string_view path);

// The program that `name` starts in `directory`, as execvp() finds it: a name with a slash from
// there, else in PATH. nullopt: there is none.
std::optional<std::string> find_program(const std::string& name, const std::string& directory);

}  // namespace arena
