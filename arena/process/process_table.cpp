#include "arena/process/process_table.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <memory>
#include <set>

#include "arena/process/control_groups.hpp"
#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

// An environment is as long as the system allows; a process may show a longer one than it has.
constexpr std::size_t kMaxProcFile = 8 * 1024 * 1024;
constexpr unsigned long kExiting = 0x4;  // PF_EXITING of the kernel, see proc(5)

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

std::optional<std::string> read_proc_file(const std::string& path) {
    const protocol::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return std::nullopt;
    std::string text;
    std::array<char, 4096> piece;
    while (text.size() < kMaxProcFile) {
        const auto size = ::read(file.get(), piece.data(), piece.size());
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return std::nullopt;  // the process is gone, or not ours to read
        if (size == 0) break;               // not before: a long list comes in whole entries
        text.append(piece.data(), static_cast<std::size_t>(size));
    }
    return text;
}

std::vector<pid_t> list_numbers(const std::string& folder) {
    std::vector<pid_t> numbers;
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(folder.c_str()), ::closedir);
    if (!listing) return numbers;
    while (const dirent* entry = ::readdir(listing.get())) {
        if (const auto number = parse_number<pid_t>(entry->d_name)) numbers.push_back(*number);
    }
    return numbers;
}

namespace {

// Of the process `pid`, or of one of its threads, which this file describes.
std::optional<ProcessInfo> read_stat(pid_t pid, const std::string& path) {
    const auto text = read_proc_file(path);
    if (!text) return std::nullopt;
    // "PID (NAME) STATE PARENT GROUP SESSION …": the name may hold blanks and brackets.
    const auto name_end = text->rfind(')');
    if (name_end == text->npos) return std::nullopt;
    const auto words = protocol::split_words(std::string_view(*text).substr(name_end + 1));
    if (words.size() < 18) return std::nullopt;

    ProcessInfo process;
    process.pid = pid;
    process.thread = pid;
    process.state = words[0].front();
    process.parent = parse_number<pid_t>(words[1]).value_or(0);
    process.session = parse_number<pid_t>(words[3]).value_or(0);
    const auto flags = parse_number<unsigned long>(words[6]).value_or(0);
    process.is_exiting =
        process.state == 'Z' || process.state == 'X' || (flags & kExiting) != 0;
    process.children_ticks =
        parse_number<long>(words[13]).value_or(0) + parse_number<long>(words[14]).value_or(0);
    process.threads = parse_number<int>(words[17]).value_or(1);
    return process;
}

}  // namespace

std::optional<ProcessInfo> read_process(pid_t pid) {
    const std::string folder = "/proc/" + std::to_string(pid);
    auto process = read_stat(pid, folder + "/stat");
    if (!process || !process->is_exiting || process->threads <= 1) return process;
    // That is its first thread; the others may run on.
    for (const pid_t thread : list_numbers(folder + "/task")) {
        const auto other = read_stat(pid, folder + "/task/" + std::to_string(thread) + "/stat");
        if (!other || other->is_exiting) continue;
        process->thread = thread;
        process->state = other->state;
        process->is_exiting = false;
        break;
    }
    return process;
}

bool is_ending(pid_t pid) {
    const auto process = read_process(pid);
    if (process) return process->is_exiting;
    return ::kill(pid, 0) != 0 && errno == ESRCH;  // or no file could be opened
}

std::vector<pid_t> children_of(const ProcessInfo& process) {
    const std::string folder = "/proc/" + std::to_string(process.pid) + "/task";
    std::vector<pid_t> threads{process.pid};
    if (process.threads > 1) threads = list_numbers(folder);
    std::vector<pid_t> children;
    for (const pid_t thread : threads) {
        const auto text = read_proc_file(folder + "/" + std::to_string(thread) + "/children");
        if (!text) continue;
        for (const auto word : protocol::split_words(*text)) {
            if (const auto child = parse_number<pid_t>(word)) children.push_back(*child);
        }
    }
    return children;
}

void visit_tree(pid_t root, const std::function<void(const ProcessInfo&)>& visit) {
    std::vector<pid_t> open{root};
    std::set<pid_t> seen;
    while (!open.empty()) {
        const pid_t pid = open.back();
        open.pop_back();
        const auto process = read_process(pid);
        if (!process || !seen.insert(pid).second) continue;
        visit(*process);
        const auto children = children_of(*process);
        open.insert(open.end(), children.begin(), children.end());
    }
}

ProcessTable process_table() {
    ProcessTable table;
    for (const pid_t pid : list_numbers("/proc")) {
        if (const auto process = read_process(pid)) table.emplace(pid, *process);
    }
    return table;
}

std::vector<const ProcessInfo*> lineage(const ProcessInfo& process, const ProcessTable& table,
                                        pid_t root) {
    std::vector<const ProcessInfo*> line{&process};
    while (line.back()->parent != root) {
        const auto parent = table.find(line.back()->parent);
        if (parent == table.end() || line.size() > table.size()) return {};
        line.push_back(&parent->second);
    }
    return line;
}

bool kill_descendants() {
    const auto table = process_table();
    std::set<pid_t> killed;
    for (const auto& [pid, process] : table) {
        if (lineage(process, table, ::getpid()).empty()) continue;
        ::kill(pid, SIGKILL);
        killed.insert(pid);
    }
    thaw_groups_of(killed);
    pid_t reaped = 0;
    do {
        reaped = ::waitpid(-1, nullptr, WNOHANG);
    } while (reaped > 0);
    return reaped == 0;  // else ECHILD
}

bool has_environment_entry(pid_t thread, std::string_view entry) {
    const auto environment = read_proc_file("/proc/" + std::to_string(thread) + "/environ");
    if (!environment) return false;
    for (std::string_view rest = *environment; !rest.empty();) {
        const auto size = rest.find('\0');
        if (rest.substr(0, size) == entry) return true;
        rest.remove_prefix(size == rest.npos ? rest.size() : size + 1);
    }
    return false;
}

}  // namespace arena
