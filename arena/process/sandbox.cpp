// Players in bubblewrap: a root file system of read-only system folders and the player's own
// directory, no network, no capabilities, a filter of system calls.
//
// What differs from machine to machine is how memory and processes are bounded: by control
// groups if this process may make some, else by limits inside. open() does not trust that:
// it runs a probe in a small sandbox, a shell script that tries to break each wall and prints
// what it could do. A player that could see a hidden file (such as tokens), nim-engine, or the
// files of another player is refused before any game (admit, keep_apart).
//
// Writing the namespaces ourselves was ruled out: bubblewrap is audited and packaged
// everywhere.
#include "arena/process/sandbox.hpp"

#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/base/command_line.hpp"
#include "arena/base/files.hpp"
#include "arena/process/executables.hpp"
#include "arena/process/process_table.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
using protocol::Result;

constexpr char kHome[] = "/tmp/home";
constexpr char kPath[] = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";
constexpr std::chrono::seconds kProbeTime{30};
constexpr std::size_t kMostSaid = 65536;         // bytes, by the probe
constexpr std::size_t kMostEntries = 1'000'000;  // of dir=
constexpr int kDeepest = 100;                    // folders in it
constexpr SandboxOptions kProbe{
    .on = true, .memory = 16U << 20, .processes = 24, .disk = 1U << 20};

// The system files that programs need. Nothing else of /etc, because it holds keys and
// passwords.
constexpr std::array kSystem{"/usr",   "/bin",   "/sbin",   "/lib",
                             "/lib32", "/lib64", "/libx32", "/opt"};
constexpr std::array kSettings{"/etc/alternatives", "/etc/group",         "/etc/ld.so.cache",
                               "/etc/ld.so.conf",   "/etc/ld.so.conf.d",  "/etc/localtime",
                               "/etc/mono",         "/etc/nsswitch.conf", "/etc/passwd",
                               "/etc/python3"};
constexpr std::string_view kJavaSettings = "java";  // as in "java-17-openjdk"

bool is_within(const fs::path& path, const fs::path& folder) {
    const auto inside = path.lexically_relative(folder);
    return !inside.empty() && *inside.begin() != "..";
}

// The path with links followed as far as it exists, so that one file has one name.
fs::path real(const fs::path& path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    const auto found = fs::weakly_canonical(absolute, error);
    return error ? absolute.lexically_normal() : found;
}

bool is_system(const fs::path& path) {
    return std::ranges::any_of(kSystem,
                               [&path](const char* folder) { return is_within(path, folder); });
}

fs::path directory_of(const Program& spec) {
    std::error_code error;
    return fs::absolute(spec.directory.empty() ? "." : spec.directory, error)
        .lexically_normal();
}

// The file of the program. A system program comes before another one of that name in PATH,
// whose libraries may lie anywhere. nullopt: there is none.
std::optional<std::string> program_of(const std::vector<std::string>& command,
                                      const std::string& directory) {
    const std::string& name = command.front();
    if (name.find('/') == name.npos) {
        for (const std::string& file : places_in_path(name, kPath)) {
            if (::access(file.c_str(), X_OK) == 0) return file;
        }
    }
    return find_program(name, directory);
}

bool is_own(const fs::path& file, const Program& spec) {
    return !spec.directory.empty() && is_within(file, directory_of(spec));
}

// The file of the program, where it lies neither in dir= nor among those of the system: the one
// file that the player then sees besides these. A link in dir= is not followed.
std::optional<std::string> program_outside(const Program& spec) {
    std::error_code error;
    const auto program = program_of(spec.command, spec.directory);
    if (!program || !fs::is_regular_file(*program, error)) return std::nullopt;
    const fs::path file = fs::absolute(*program, error).lexically_normal();
    if (is_system(file) || is_own(file, spec)) return std::nullopt;
    return file.string();
}

// What the player sees besides the system: dir= as it is given, and its program. Nothing is
// derived from the other words of the command, nor from what dir= contains: both may be a
// stranger's.
std::vector<std::string> view_of(const Program& spec) {
    std::vector<std::string> view;
    if (!spec.directory.empty() && !spec.scratch) {
        const fs::path folder = directory_of(spec);
        view.push_back((folder.has_filename() ? folder : folder.parent_path()).string());
    }
    if (auto program = program_outside(spec)) view.push_back(*std::move(program));
    return view;
}

// A file that a word of the command names, and which the player would not see. For an error
// alone.
std::optional<fs::path> unseen_file(const Program& spec) {
    for (std::size_t i = 1; i < spec.command.size(); ++i) {
        std::error_code error;
        const fs::path file = (directory_of(spec) / spec.command[i]).lexically_normal();
        if (!fs::is_regular_file(file, error) || is_system(file)) continue;
        if (!is_own(file, spec)) return file;
    }
    return std::nullopt;
}

// A socket, a pipe or a device in the folder, by which a player could talk to a process
// outside; nullopt: there is none. An error: the folder cannot be looked through.
Result<std::optional<fs::path>> special_file_in(const fs::path& folder) {
    std::error_code failed;
    std::size_t count = 0;
    for (fs::recursive_directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (++count > kMostEntries || entry.depth() > kDeepest) {
            return bad_input("{} has more than {} files, or folders more than {} deep",
                             folder.string(), kMostEntries, kDeepest);
        }
        const fs::file_type type = entry->symlink_status(failed).type();
        const bool is_plain = type == fs::file_type::regular ||
                              type == fs::file_type::directory ||
                              type == fs::file_type::symlink;
        if (!failed && !is_plain) return std::optional(entry->path());
    }
    if (failed) return bad_input("cannot read {}: {}", folder.string(), failed.message());
    return std::optional<fs::path>();
}

// The programs that know who wins: next to this one, and all that PATH leads to, here or
// inside.
std::set<std::string> engines() {
    std::set<std::string> found;
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    const char* path = std::getenv("PATH");
    const auto folders = fmt::format("{}:{}", path == nullptr ? kDefaultPath : path, kPath);
    for (const char* name : {"nim-engine", "nim-arena"}) {
        auto places = places_in_path(name, folders);
        places.push_back((here / name).string());
        for (const std::string& place : places) {
            if (fs::is_regular_file(place, error)) found.insert(real(place).string());
        }
    }
    return found;
}

long setting(const char* path) {
    const auto text = read_proc_file(path);
    return text ? std::strtol(text->c_str(), nullptr, 10) : -1;
}

// The most likely reason why bubblewrap does not work, and how to fix it.
std::string fix() {
    std::error_code error;
    if (setting("/proc/sys/kernel/unprivileged_userns_clone") == 0) {
        return "user namespaces are off: sysctl -w kernel.unprivileged_userns_clone=1";
    }
    if (setting("/proc/sys/user/max_user_namespaces") == 0) {
        return "user namespaces are off: sysctl -w user.max_user_namespaces=10000";
    }
    if (setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1) {
        return "AppArmor keeps user namespaces from programs without a profile: load the "
               "profile bwrap-userns-restrict (package apparmor-profiles), or sysctl -w "
               "kernel.apparmor_restrict_unprivileged_userns=0";
    }
    if (fs::exists("/.dockerenv", error) || fs::exists("/run/.containerenv", error)) {
        return "this is a container, which needs --security-opt seccomp=unconfined "
               "--security-opt apparmor=unconfined --security-opt systempaths=unconfined, or "
               "--privileged";
    }
    return "see bwrap(1)";
}

// The probe, which runs inside. Its arguments are files that must be invisible. Each line of
// its output but the last reports a failure.
constexpr char kProbeScript[] = R"(
[ "$$" -lt 10 ] || echo "it sees processes outside"
while read -r name rest; do
    case $name in lo:*) ;; *:*) echo "it has a network: $name" ;; esac
done </proc/net/dev
capabilities=unknown; gains=unknown; filter=unknown
while read -r name value; do
    case $name in
        CapEff:) capabilities=$value ;;
        NoNewPrivs:) gains=$value ;;
        Seccomp:) filter=$value ;;
    esac
done </proc/self/status
case $capabilities in *[!0]*) echo "it has capabilities" ;; esac
[ "$gains" = 1 ] || echo "it may gain privileges"
[ "$filter" = 2 ] || echo "its system calls are not filtered"
for place in / /usr /dev /proc/sys/kernel/core_pattern; do
    [ -w "$place" ] && echo "it may write to $place"
done
while read -r _ _ _ _ place options _; do
    case ,$options, in *,nosuid,*) ;; *) echo "set-user-ID files count in $place" ;; esac
    case $place,$options, in /dev*|*,nodev,*) ;; *) echo "devices count in $place" ;; esac
done </proc/self/mountinfo
# Not of /dev/zero, which is hidden where limits inside bound memory.
write() { dd if=/dev/full of="$1" bs="$2" count="$3" 2>/dev/null; }
write "$HOME/probe" 4096 1 || echo "it cannot write to its HOME with dd"
for folder in "$HOME" /dev/shm; do
    write "$folder/probe" 65536 64 && echo "its $folder is not bounded"
done
write /dev/null 80000000 1 && echo "its memory is not bounded"  # dd holds all of a block
for file in "$@"; do
    [ -f "$file" ] && echo "it sees $file"
done
)";

// The next part of the probe, if only limits inside bound memory: tries memory that they do not
// count, by system calls, if there is a program that makes them.
constexpr char kSharingScript[] = R"(
try() {
    what=$1; shift
    if [ -x /usr/bin/perl ]; then
        perl -e '@words = map { /^-?\d+$/ ? $_ + 0 : $_ } @ARGV;
                 exit(syscall(shift @words, @words) == -1)' -- "$@"
    elif [ -x /usr/bin/python3 ]; then
        python3 -c 'if True:
            import ctypes, sys
            words = [ctypes.c_long(int(word)) if word.strip("-").isdigit() else word.encode()
                     for word in sys.argv[1:]]
            sys.exit(ctypes.CDLL(None).syscall(*words) == -1)' "$@"
    else
        false
    fi 2>/dev/null && echo "it has memory by $what"
}
( : </dev/zero ) 2>/dev/null && echo "it has memory by /dev/zero"
)";

std::string sharing_script() {
    std::string script = kSharingScript;
    const auto add = [&script](const char* what, std::initializer_list<long> words) {
        script += fmt::format("try {}", what);
        for (const long word : words) script += fmt::format(" {}", word);
        script += "\n";
    };
    constexpr long kPage = 4096;
    const auto map = [&add](const char* what, long flags) {
        add(what, {SYS_mmap, 0, kPage, PROT_READ | PROT_WRITE, flags, -1, 0});
    };
    script += fmt::format("try memfd_create {} name 0\n", SYS_memfd_create);
    add("shmget", {SYS_shmget, IPC_PRIVATE, kPage, IPC_CREAT | 0600});
    map("MAP_SHARED", MAP_SHARED | MAP_ANONYMOUS);
    map("MAP_GROWSDOWN", MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN);
    return script;
}

// The end of the probe, after which it cannot start another process.
constexpr char kProbeEnd[] = R"(
# Processes that wait for a pipe: to start a program in each would take longer.
( sleep 60 & echo ) | ( exec 3<&0; read -r _ <&3; i=0; while [ $i -lt 60 ]; do ( read -r _ <&3 ) & i=$((i+1)); done ) 2>/dev/null &&
    echo "its processes are not bounded"
echo "done"
)";

std::string in_one_line(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    std::string line;
    for (const char c : text) line += c == '\n' ? std::string("; ") : std::string(1, c);
    return protocol::printable(line, 400);
}

}  // namespace

Result<Sandbox> Sandbox::open(const SandboxOptions& options, const std::optional<UserId>& user,
                              const std::vector<std::string>& hidden,
                              const Guardian& guardian) {
    const auto refuse_here = [](const std::string& why, const std::string& mend) {
        return bad_input("--sandbox bwrap does not work here: {}; {}", why, mend);
    };
    Sandbox sandbox;
    sandbox.options_ = options;
    sandbox.user_ = user;
    for (const std::string& file : hidden) sandbox.hidden_.push_back(real(file).string());
    const auto program = find_program("bwrap", "");
    if (!program) {
        return refuse_here("bubblewrap is not installed",
                           "apt-get install bubblewrap, or its like");
    }
    sandbox.program_ = *program;
    sandbox.groups_ = find_control_groups(options.memory, options.processes);
    auto filter = sandbox_filter(sandbox.groups_.has_value());
    if (!filter) return refuse_here(filter.error().text, "see seccomp(2)");
    sandbox.filter_ = *std::move(filter);
    const bool runs_as_root = user ? user->user == 0 : ::geteuid() == 0;
    if (!sandbox.groups_ && runs_as_root) {
        return refuse_here(
            "nothing bounds memory and processes: no cgroup can be made here, and limits of "
            "processes do not hold for root",
            "mount cgroups for writing, or use --run-as USER");
    }
    const auto works = sandbox.probe(guardian);
    if (!works) return refuse_here(works.error().text, fix());
    return sandbox;
}

Result<void> Sandbox::admit(const Program& spec) const {
    if (const auto file = unseen_file(spec)) {
        return bad_input(
            "player {}: in the sandbox it sees its program and dir= alone, and so not {}: give "
            "the folder of its files, as in --player 'cmd=\"python3 bot.py\" dir=FOLDER'",
            spec.name, protocol::printable(file->string()));
    }
    const char* home = std::getenv("HOME");
    auto seen = view_of(spec);
    for (const std::string& place : seen) {
        const fs::path folder = real(place);
        const bool holds_home =
            home != nullptr && *home == '/' && is_within(real(home), folder);
        if (folder != "/" && !holds_home) continue;
        return bad_input(
            "player {}: in the sandbox it would see all of {}: put it into a "
            "directory of its own",
            spec.name, place);
    }
    if (!spec.directory.empty()) {
        const auto special = special_file_in(directory_of(spec));
        if (!special) return bad_input("player {}: {}", spec.name, special.error().text);
        if (*special) {
            return bad_input(
                "player {}: {} is a pipe, a socket or a device, by which it could talk to "
                "programs outside the sandbox: remove it",
                spec.name, protocol::printable((*special)->string()));
        }
    }
    seen.insert(seen.end(), kSystem.begin(), kSystem.end());
    for (const std::string& place : seen) {
        for (const std::string& file : hidden_) {
            if (!is_within(file, real(place))) continue;
            return bad_input(
                "player {}: in the sandbox it sees {}, and there {}: keep them apart",
                spec.name, place, file);
        }
    }
    return {};
}

Result<void> Sandbox::keep_apart(const std::vector<const Program*>& players) {
    using Command = std::pair<std::vector<std::string>, fs::path>;
    const auto command_of = [](const Program& spec) {
        return Command(spec.command, directory_of(spec));
    };
    // A program outside of dir= may be shared: none of them can write it.
    std::vector<std::pair<std::string, const Program*>> seen;  // "/folder/"
    std::map<std::string, std::size_t> starts;                 // of each program
    for (const Program* player : players) {
        if (const auto program = program_outside(*player)) ++starts[real(*program).string()];
    }
    for (const Program* player : players) {
        for (const std::string& place : view_of(*player)) {
            const auto shared = starts.find(real(place).string());
            if (shared != starts.end() && shared->second > 1) continue;
            seen.emplace_back((real(place) / "").string(), player);
        }
    }
    std::ranges::sort(seen);
    // Places inside a folder come after it.
    for (std::size_t outer = 0, i = 1; i < seen.size(); ++i) {
        const auto& [folder, player] = seen[i];
        const auto& [around, other] = seen[outer];
        if (!folder.starts_with(around)) {
            outer = i;
        } else if (command_of(*player) != command_of(*other)) {
            return bad_input(
                "players {} and {}: in the sandbox one would see the files of the other in {}: "
                "put each bot into a directory of its own, or say --sandbox-shared",
                other->name, player->name, folder);
        }
    }
    return {};
}

std::optional<std::string> Sandbox::program(const Program& spec) {
    return program_of(spec.command, spec.directory);
}

namespace {

void append(std::vector<std::string>& words, std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
}

// What a player sees besides the system: its files, without the engines among them.
void bind_files(std::vector<std::string>& words, const Program& spec,
                const std::string& directory, const std::optional<std::string>& own) {
    const std::vector<std::string> view = view_of(spec);
    for (const std::string& place : view) append(words, {"--ro-bind", place, place});
    if (spec.scratch) {
        append(words, {"--ro-bind", spec.scratch->source, kSubmission});
        append(words, {"--size", std::to_string(spec.scratch->bytes), "--tmpfs", directory});
    }
    for (const std::string& engine : engines()) {
        const bool seen =
            is_system(engine) || std::ranges::any_of(view, [&](const std::string& place) {
                return is_within(engine, place);
            });
        if (seen && !(own && real(*own) == real(engine)))
            append(words, {"--ro-bind", "/dev/null", engine});
    }
}

// What bwrap runs inside, where LD_PRELOAD and the like must not reach bwrap itself.
void append_command(std::vector<std::string>& words, const SpawnRequest& request,
                    const std::optional<std::string>& own) {
    if (!request.environment.empty()) append(words, {"/usr/bin/env", "--"});
    for (const auto& [name, value] : request.environment) append(words, {name + "=" + value});
    const auto program =
        words.insert(words.end(), request.command.begin(), request.command.end());
    std::error_code error;
    if (own) *program = fs::absolute(*own, error).string();
}

}  // namespace

// The options of bwrap that are the same for all players.
std::vector<std::string> Sandbox::walls() const {
    std::vector<std::string> words{program_};
    append(words, {"--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net"});
    append(words, {"--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"});
    append(words, {"--new-session", "--hostname", "player", "--cap-drop", "ALL"});
    append(words, {"--seccomp", "3"});
    std::error_code error;
    for (const std::string folder : kSystem) {
        if (fs::is_symlink(folder, error)) {
            append(words, {"--symlink", fs::read_symlink(folder, error).string(), folder});
        } else if (fs::exists(folder, error)) {
            append(words, {"--ro-bind", folder, folder});
        }
    }
    for (const std::string file : kSettings) append(words, {"--ro-bind-try", file, file});
    for (const auto& entry : fs::directory_iterator("/etc", error)) {
        const std::string file = entry.path().string();
        if (!entry.path().filename().string().starts_with(kJavaSettings)) continue;
        append(words, {"--ro-bind-try", file, file});
    }
    const std::string disk = std::to_string(options_.disk);
    // As root one could change the system's settings below /proc/sys without any capability.
    append(words, {"--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"});
    // /dev/zero, mapped and shared, is memory that no limit of a process counts.
    if (!groups_) append(words, {"--ro-bind", "/dev/null", "/dev/zero"});
    append(words, {"--size", disk, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"});
    append(words, {"--size", disk, "--tmpfs", "/tmp", "--dir", kHome});
    return words;
}

void Sandbox::wrap(const Program& spec, SpawnRequest& request) const {
    const std::string directory = directory_of(spec).string();
    const auto own = program_of(request.command, request.directory);
    auto words = walls();
    bind_files(words, spec, directory, own);
    append(words, {"--dir", directory, "--chdir", directory});
    append(words, {"--remount-ro", "/", "--"});
    if (!groups_)
        append(words, {"/usr/bin/prlimit", fmt::format("--nproc={0}:{0}", options_.processes)});
    append_command(words, request, own);
    request.command = std::move(words);
    request.directory.clear();
    request.environment = {{"HOME", kHome}, {"TMPDIR", "/tmp"}, {"PATH", kPath}};
    request.filter = filter_;
    request.user = user_;
    if (groups_)
        request.groups = groups_->groups;
    else if (request.data_limit == 0 || request.data_limit > options_.memory)
        request.data_limit = options_.memory;
}

Result<void> Sandbox::probe(const Guardian& guardian) const {
    Sandbox small = *this;
    small.options_ = kProbe;
    if (groups_) small.groups_ = find_control_groups(kProbe.memory, kProbe.processes);
    SpawnRequest request;
    const std::string script =
        kProbeScript + (groups_ ? std::string() : sharing_script()) + kProbeEnd;
    request.command = {"/bin/sh", "-c", script, "probe"};
    request.command.insert(request.command.end(), hidden_.begin(), hidden_.end());
    for (const std::string& engine : engines()) request.command.push_back(engine);
    request.clean_environment = true;
    const Program shell{{"/bin/sh"}, {}, "probe", {}};
    small.wrap(shell, request);

    // The kernel may kill the probe itself together with the child that takes too much memory.
    constexpr int kTrials = 3;
    const auto deadline = Clock::now() + kProbeTime;
    for (int trial = 1;; ++trial) {
        const auto process = guardian.spawn(request);
        if (!process) return process.error();
        std::string said = read_until_end(process->out.get(), deadline, kMostSaid);
        if (said == "done\n") return {};
        if (said.ends_with("done\n")) {
            said.resize(said.size() - 5);
            return bad_input("{}", in_one_line(said));
        }
        if (trial < kTrials && Clock::now() < deadline) continue;
        const std::string complaint =
            read_until_end(process->err.get(), Clock::now() + kProbeTime, kMostSaid);
        return bad_input(
            "{}", complaint.empty() ? "the probe did not end" : in_one_line(said + complaint));
    }
}

std::string Sandbox::description() const {
    return fmt::format(
        "memory {}, {} processes and {} of files for each player, bounded by {}",
        size_text(options_.memory), options_.processes, size_text(options_.disk),
        groups_ ? groups_->kind : "limits inside, memory for each process, not the kernel's");
}

std::string to_string(const SandboxOptions& options) {
    if (!options.on) return "none";
    return fmt::format("bwrap memory={} processes={} disk={}", size_text(options.memory),
                       options.processes, size_text(options.disk));
}

Result<SandboxOptions> parse_recorded_sandbox(std::string_view text) {
    SandboxOptions options;
    for (const std::string_view word : protocol::split_words(text)) {
        const auto equals = std::min(word.find('='), word.size());
        const auto key = word.substr(0, equals);
        const auto value = word.substr(std::min(equals + 1, word.size()));
        if (key == "bwrap") {
            options.on = true;
        } else if (key == "processes") {
            const auto count = parse_count(value, 1, kMaxSandboxProcesses);
            if (!count) return count.error();
            options.processes = static_cast<int>(*count);
        } else if (key == "memory" || key == "disk") {
            const auto size = parse_size(value, 1);
            if (!size) return size.error();
            (key == "memory" ? options.memory : options.disk) = *size;
        }
    }
    return options;
}

}  // namespace arena
