// Identifies the program of a player, so that a result can be traced to the file that played.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace arena {

// A command: a program with its arguments and its directory.
struct Program {
    std::vector<std::string> command;  // empty: there is none, as at the other end of a socket
    std::string directory;             // empty: here
    std::string name;                  // the shown name; given, or derived from the text
};

// A line "SHA-256  path" for the program, as PATH finds it, and for each of its arguments that
// names a file of 64 MiB at most (a script, say); empty where nothing is to be read, as for a
// player at the other end of a socket. Reads the files.
std::string hash_executables(const Program& spec);
// The same where what is started is not what find_program() finds; nullopt: nothing is.
std::string hash_executables(const Program& spec, const std::optional<std::string>& program);

// The program that `name` starts in `directory`, found as execvp() does: with a slash there,
// else in PATH. nullopt: there is none.
std::optional<std::string> find_program(const std::string& name, const std::string& directory);

}  // namespace arena
