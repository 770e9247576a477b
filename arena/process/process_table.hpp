// The processes of this machine, as /proc shows them.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace arena {

struct ProcessInfo {
    pid_t pid = 0;
    pid_t thread = 0;  // one that runs on, if any; else the first
    pid_t parent = 0;
    pid_t session = 0;
    char state = '?';         // of `thread`; 'Z': dead, not yet waited for
    bool is_exiting = false;  // it runs no more code of its own
    int threads = 0;
    long children_ticks = 0;  // CPU time of children that were waited for
};

std::optional<ProcessInfo> read_process(pid_t pid);  // nullopt: there is none

// Whether `pid` is ending, or has ended. The kernel notes this before it closes the process's
// descriptors, so that it holds whenever a pipe was closed by the end of a process.
bool is_ending(pid_t pid);

// The children of all its threads. A child that ends meanwhile may hide others.
std::vector<pid_t> children_of(const ProcessInfo& process);

// Calls `visit` for `root` and then for its living descendants. The children of a process are
// looked up after its own visit, which may stop it.
void visit_tree(pid_t root, const std::function<void(const ProcessInfo&)>& visit);

using ProcessTable = std::unordered_map<pid_t, ProcessInfo>;

// All visible processes. Those that start or end meanwhile may be missing.
ProcessTable process_table();

// From `process` up to the child of `root` that it descends from; empty if it does not descend
// from `root`.
std::vector<const ProcessInfo*> lineage(const ProcessInfo& process, const ProcessTable& table,
                                        pid_t root);

// Sends SIGKILL to all descendants of this process and reaps those already dead. Returns
// false once none is left, provided that this process inherits orphans
// (PR_SET_CHILD_SUBREAPER).
bool kill_descendants();

// Whether the environment that a process was started with holds `entry` ("NAME=VALUE").
// `thread`: one that runs, as the kernel knows no environment of others.
bool has_environment_entry(pid_t thread, std::string_view entry);

// The numbers that name the entries of a folder of /proc; empty if it cannot be read.
std::vector<pid_t> list_numbers(const std::string& folder);

// The bytes of a file of /proc, whose size is not known in advance; nullopt if it cannot be
// read.
std::optional<std::string> read_proc_file(const std::string& path);

}  // namespace arena
