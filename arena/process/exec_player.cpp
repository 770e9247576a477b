// Between fork and exec: streams, control groups, user, directory, cores, limits, then execve.
//
// The order matters. Groups are entered while the process may still do so, the user is changed
// before anything of the player's is touched, and limits come last, because this process may
// exceed them itself. Every step that fails returns words, which reach the arena through a pipe
// that closes on exec. The search in PATH is done here instead of by execvp, so that the words
// can say why no candidate was executed. The guardian has one thread, so this code may
// allocate.
#include "arena/process/exec_player.hpp"

#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/bad_input.hpp"
#include "arena/process/executables.hpp"
#include "arena/process/guardian_wire.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Result;

constexpr char kMarkName[] = "NIMARENA_PLAYER";
constexpr int kFilterDescriptor = 3;

using Environment = std::map<std::string, std::string>;

std::string reason(int error) { return std::strerror(error); }

Environment inherited() {
    Environment environment;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const auto equals = text.find('=');
        if (equals != text.npos) environment[text.substr(0, equals)] = text.substr(equals + 1);
    }
    environment.erase("PGPASSWORD");  // of the record's database
    return environment;
}

// The variables that every program needs.
Environment clean() {
    const auto value_of = [](const char* name, const char* otherwise) {
        const char* value = std::getenv(name);
        return value == nullptr || *value == '\0' ? otherwise : value;
    };
    return {{"PATH", value_of("PATH", kDefaultPath)}, {"LANG", value_of("LANG", "C.UTF-8")}};
}

Environment make_environment(const SpawnRequest& request, const std::string& directory,
                             const std::string& id) {
    Environment environment = request.clean_environment ? clean() : inherited();
    environment["PYTHONUNBUFFERED"] = "1";
    if (!directory.empty()) environment["HOME"] = environment["TMPDIR"] = directory;
    for (const auto& [name, value] : request.environment) environment[name] = value;
    environment[kMarkName] = id;
    return environment;
}

// Only the guardian ends this process, so it must die with the guardian.
void die_with_guardian(pid_t guardian) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != guardian) ::_exit(127);  // it died before it could be noticed
}

void reset_signals() {
    for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Makes the pipes the standard streams; all else closes on exec. Returns false on failure.
bool set_streams(const PlayerStreams& streams) {
    ::dup2(streams.in, STDIN_FILENO);
    ::dup2(streams.out, STDOUT_FILENO);
    ::dup2(streams.err, STDERR_FILENO);
    return ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
}

// Lowers the soft and the hard limit to `most`; lower ones stay.
void limit(__rlimit_resource resource, rlim_t most) {
    rlimit now{};
    ::getrlimit(resource, &now);
    const rlim_t hard = std::min(now.rlim_max, most);
    const rlimit lower{std::min(now.rlim_cur, hard), hard};
    ::setrlimit(resource, &lower);
}

// `most_files`: that the arena may have open. Descriptors that a player sends to itself count
// against the limits of the arena, too.
void set_limits(const SpawnRequest& request, rlim_t most_files) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, std::min<rlim_t>(kMaxOpenFiles, most_files / 2));
    limit(RLIMIT_FSIZE, kMaxFileWritten);
    if (request.data_limit > 0) limit(RLIMIT_DATA, request.data_limit);
    // RLIMIT_DATA does not count the stack; control groups do.
    if (!request.filter.empty() && !bounds_memory(request.groups)) {
        limit(RLIMIT_STACK, kMaxStack);
    }
    if (request.cpu_limit > 0) {  // the soft one, which the arena raises from game to game
        rlimit cpu{};
        ::getrlimit(RLIMIT_CPU, &cpu);
        cpu.rlim_cur = std::min<rlim_t>(request.cpu_limit, cpu.rlim_max);
        ::setrlimit(RLIMIT_CPU, &cpu);
    }
    // The sandbox sets this itself, once it is set up.
    if (request.filter.empty()) ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

Result<void> enter_groups(const std::vector<std::string>& groups) {
    for (const std::string& group : groups) {
        const protocol::UniqueFd file(
            ::open((group + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
        if (file && ::write(file.get(), "0", 1) == 1) continue;
        return wire::lack(errno, "it cannot be put into the cgroup " + group);
    }
    return {};
}

// Puts the filter into kFilterDescriptor, from which the sandbox reads it to its end.
Result<void> open_filter(const std::string& filter) {
    if (filter.empty()) return {};
    const protocol::UniqueFd file(::memfd_create("filter", MFD_CLOEXEC));
    const bool written = file && ::write(file.get(), filter.data(), filter.size()) ==
                                     static_cast<ssize_t>(filter.size());
    if (written && ::lseek(file.get(), 0, SEEK_SET) == 0 &&
        ::dup2(file.get(), kFilterDescriptor) == kFilterDescriptor) {
        ::fcntl(kFilterDescriptor, F_SETFD, 0);  // in case dup2() had nothing to do
        return {};
    }
    return wire::failed(errno, "its filter of system calls cannot be passed on");
}

Result<void> become(const std::optional<UserId>& user) {
    if (!user) return {};
    const bool done = ::initgroups(user->name.c_str(), user->group) == 0 &&
                      ::setgid(user->group) == 0 && ::setuid(user->user) == 0;
    if (done) return {};
    return wire::failed(errno, "it cannot run as " + user->name);
}

Result<void> enter_directory(const std::string& directory) {
    if (directory.empty() || ::chdir(directory.c_str()) == 0) return {};
    return wire::failed(errno, "directory " + protocol::quoted(directory));
}

Result<void> pin(const std::vector<int>& cores) {
    if (cores.empty()) return {};
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int core : cores) {
        if (core < 0 || core >= CPU_SETSIZE) return bad_input("there is no core {}", core);
        CPU_SET(static_cast<std::size_t>(core), &set);
    }
    if (::sched_setaffinity(0, sizeof set, &set) == 0) return {};
    return wire::failed(errno,
                        fmt::format("it cannot be pinned to core {}", fmt::join(cores, ",")));
}

// The paths to try with execve: the program itself if it holds a slash, else in each folder of
// PATH.
std::vector<std::string> candidates(const std::string& program, const std::string& path) {
    if (program.find('/') != program.npos) return {program};
    return places_in_path(program, path);
}

// "'python3 bot.py'": starts a script by the interpreter that its name suggests; else empty.
std::string by_interpreter(const std::string& file) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kInterpreters{
        {{".py", "python3"},
         {".js", "node"},
         {".jar", "java -jar"},
         {".sh", "sh"},
         {".rb", "ruby"},
         {".pl", "perl"}}};
    for (const auto& [ending, interpreter] : kInterpreters) {
        if (!file.ends_with(ending)) continue;
        return "'" + std::string(interpreter) + " " + protocol::printable(file) + "'";
    }
    return {};
}

// How to build or start a source file or a class of Java, which chmod does not make a program;
// empty for other files.
std::string how_to_run(const std::string& file) {
    const auto slash = file.rfind('/') + 1;  // 0 where there is none
    const auto dot = file.rfind('.');
    if (dot == file.npos || dot < slash) return {};
    const std::string folder = slash == 0 ? "." : file.substr(0, slash - 1);
    const std::string name = protocol::printable(file.substr(slash, dot - slash));
    const std::string ending = file.substr(dot);
    const std::string source = protocol::printable(file);
    const std::string program = protocol::printable(file.substr(0, dot));
    if (ending == ".class")
        return "start it by 'java -cp " + protocol::printable(folder) + " " + name + "'";
    if (ending == ".java")
        return "start it by 'java " + source + "', or build it by javac and name its class";
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kCompilers{
        {{".cpp", "g++ -O2 -o"},
         {".cc", "g++ -O2 -o"},
         {".cxx", "g++ -O2 -o"},
         {".c", "gcc -O2 -o"},
         {".rs", "rustc -O -o"},
         {".go", "go build -o"}}};
    for (const auto& [extension, compiler] : kCompilers) {
        if (ending != extension) continue;
        return "it is source code: build it by '" + std::string(compiler) + " " + program +
               " " + source + "' and start what comes out, " + (slash == 0 ? "./" : "") +
               program;
    }
    return {};
}

// The interpreter that the first line of a script names; empty if there is none.
std::string named_interpreter(const std::string& file) {
    std::array<char, 256> head{};
    const protocol::UniqueFd opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    const ssize_t size = opened ? ::read(opened.get(), head.data(), head.size()) : 0;
    std::string_view text(head.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    if (!text.starts_with("#!")) return {};
    text.remove_prefix(2);
    text = text.substr(0, text.find('\n'));
    while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
    return std::string(text.substr(0, text.find_first_of(" \t")));
}

std::string why_not_executed(const std::string& file, int error) {
    struct stat status {};
    const bool exists = ::stat(file.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) return "it is a directory";
    const std::string other_way = exists ? how_to_run(file) : std::string();
    if ((error == EACCES || error == ENOEXEC) && !other_way.empty()) {
        return "it is not a program: " + other_way;
    }
    if (error == EACCES && exists) {
        const std::string otherwise = by_interpreter(file);
        return "it may not be executed: " +
               (otherwise.empty() ? "" : "start it by " + otherwise + ", or ") + "chmod +x it";
    }
    if (error == ENOEXEC) {
        const std::string otherwise = by_interpreter(file);
        return "it is not a program: " +
               (otherwise.empty() ? "" : "start it by " + otherwise + "; ") +
               "a script begins with a line like #!/usr/bin/env python3";
    }
    if (error == ENOENT && exists) {
        const std::string interpreter = named_interpreter(file);
        if (interpreter.empty()) return "its loader does not exist";
        if (interpreter.ends_with('\r')) {
            return "its first line ends in CR LF, so that its interpreter is not found: save "
                   "it with LF line ends, as by sed -i 's/\\r$//' " +
                   protocol::printable(file);
        }
        return "there is no " + protocol::quoted(interpreter) +
               ", which its first line names as its interpreter";
    }
    if (error == ENOENT && ::access((file + ".class").c_str(), F_OK) == 0) {
        return "there is no such program; for the class of this name, " +
               how_to_run(file + ".class");
    }
    std::array<char, 4096> here{};
    const bool is_relative = !file.starts_with('/') && ::getcwd(here.data(), here.size());
    if (error == ENOENT && is_relative) return reason(error) + " in " + here.data();
    return reason(error);
}

std::string not_in_path(const std::string& program) {
    const std::string words = "there is no such program in PATH";
    if (::access(program.c_str(), F_OK) != 0) return words;
    const std::string other_way = how_to_run(program);
    if (!other_way.empty()) return words + "; " + other_way;
    const bool executable = ::access(program.c_str(), X_OK) == 0;
    const std::string otherwise = executable ? std::string() : by_interpreter(program);
    return words + "; for the file of this name in its directory, write " +
           (otherwise.empty() ? "./" + protocol::printable(program) : otherwise);
}

// Returns only if the program cannot be executed. Sets the limits last, because this process
// may exceed those of the player, for instance with a sanitizer, and then gets no more memory.
Error execute(const SpawnRequest& request, const Environment& environment) {
    const std::vector<std::string>& command = request.command;
    std::vector<char*> arguments;
    for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::vector<std::string> entries;
    for (const auto& [name, value] : environment) entries.push_back(name + "=" + value);
    std::vector<char*> entry_pointers;
    for (const auto& entry : entries)
        entry_pointers.push_back(const_cast<char*>(entry.c_str()));
    entry_pointers.push_back(nullptr);

    const auto given_path = environment.find("PATH");
    const std::string path =
        given_path == environment.end() ? kDefaultPath : given_path->second;
    const std::string& program = command.front();
    rlimit files{};  // before the first candidate gets its limits
    ::getrlimit(RLIMIT_NOFILE, &files);
    Error refused;
    const bool is_path = program.find('/') != program.npos;
    for (const auto& file : candidates(program, path)) {
        const bool exists = ::access(file.c_str(), F_OK) == 0;
        if (!is_path && !exists && (errno == ENOENT || errno == ENOTDIR)) continue;
        set_limits(request, files.rlim_max);
        ::execve(file.c_str(), arguments.data(), entry_pointers.data());
        const int error = errno;
        refused = wire::failed(error, file);
        const std::string why = why_not_executed(file, error);
        refused.text = is_path ? why : file + ": " + why;
    }
    if (refused.text.empty()) refused.text = not_in_path(program);
    return refused;
}

Error set_up_and_execute(const SpawnRequest& request, const PlayerFolders& folders,
                         const std::string& id, pid_t guardian) {
    if (request.command.empty() || request.command[0].empty())
        return bad_input("no program is named");
    if (const auto done = enter_groups(folders.groups); !done) return done.error();
    if (const auto done = open_filter(request.filter); !done) return done.error();
    if (const auto done = become(request.user); !done) return done.error();
    if (request.user) die_with_guardian(guardian);  // changing the user clears the signal
    if (const auto done = enter_directory(request.directory); !done) return done.error();
    if (const auto done = pin(request.cores); !done) return done.error();
    return execute(request, make_environment(request, folders.directory, id));
}

}  // namespace

std::string player_mark(const std::string& id) { return std::string(kMarkName) + "=" + id; }

void exec_player(const SpawnRequest& request, const PlayerStreams& streams,
                 const PlayerFolders& folders, const std::string& id, pid_t guardian) {
    die_with_guardian(guardian);
    // Orphans among its descendants stay its descendants, and so are found, stopped and
    // counted.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::setsid();
    reset_signals();
    const Error failure =
        set_streams(streams)
            ? set_up_and_execute(request, folders, id, guardian)
            : wire::failed(errno,
                           "it would inherit the arena's open files (close_range needs Linux "
                           "5.11)");
    const std::string answer = wire::pack(failure);
    [[maybe_unused]] const auto written =
        ::write(streams.failure, answer.data(), answer.size());
    ::_exit(127);
}

}  // namespace arena
