#include "arena/process/sandbox.hpp"

#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

// Refused as if the right were missing.
constexpr std::array kForbidden{
    // other processes
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp),
    SCMP_SYS(pidfd_getfd), SCMP_SYS(process_madvise),
    // advantages over others in scheduling
    SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setattr), SCMP_SYS(sched_setscheduler),
    SCMP_SYS(sched_setparam), SCMP_SYS(setpriority), SCMP_SYS(ioprio_set),
    // keys
    SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key),
    // namespaces and mounts
    SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(mount), SCMP_SYS(umount), SCMP_SYS(umount2),
    SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(move_mount), SCMP_SYS(open_tree),
    SCMP_SYS(fsopen), SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr), SCMP_SYS(open_by_handle_at), SCMP_SYS(name_to_handle_at),
    SCMP_SYS(quotactl), SCMP_SYS(quotactl_fd),
    // ways into the kernel
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load), SCMP_SYS(init_module), SCMP_SYS(finit_module),
    SCMP_SYS(delete_module), SCMP_SYS(lookup_dcookie), SCMP_SYS(fanotify_init),
    // the machine
    SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct), SCMP_SYS(syslog),
    SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(clock_adjtime),
    SCMP_SYS(adjtimex), SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(vhangup),
    SCMP_SYS(sethostname), SCMP_SYS(setdomainname)};

// Refused as if the kernel lacked them, so programs do without. The flags of clone3 are in
// memory, where a filter cannot see them.
constexpr std::array kAbsent{SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter),
                             SCMP_SYS(io_uring_register), SCMP_SYS(clone3)};

// RLIMIT_DATA does not count memory of descriptors or System V, message queues, or a piece of
// the stack that is moved to where it can grow. (realloc() copies instead.)
constexpr std::array kUncounted{SCMP_SYS(memfd_create), SCMP_SYS(memfd_secret),
                                SCMP_SYS(shmget),       SCMP_SYS(msgget),
                                SCMP_SYS(semget),       SCMP_SYS(mremap)};
// Nor does it count anonymous mappings with these flags.
constexpr std::array<scmp_datum_t, 2> kUncountedMaps{MAP_SHARED | MAP_ANONYMOUS, MAP_GROWSDOWN};

constexpr std::array<scmp_datum_t, 7> kNamespaces{CLONE_NEWUSER,  CLONE_NEWNS,  CLONE_NEWPID,
                                                  CLONE_NEWNET,   CLONE_NEWIPC, CLONE_NEWUTS,
                                                  CLONE_NEWCGROUP};

using Filter = std::unique_ptr<void, void (*)(scmp_filter_ctx)>;

// Returns 0, or -errno of the first rule that was refused.
int add_rules(scmp_filter_ctx filter, bool shares_memory) {
    int failed = 0;
    const auto note = [&failed](int result) {
        if (failed == 0 && result != 0) failed = result;
    };
    for (const int call : kForbidden) {
        note(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0));
    }
    for (const int call : kAbsent) {
        note(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0));
    }
    for (const int call : {SCMP_SYS(socket), SCMP_SYS(socketpair)}) {
        const auto another = SCMP_A0(SCMP_CMP_NE, AF_UNIX);
        note(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), call, 1, another));
    }
    for (const scmp_datum_t flag : kNamespaces) {
        const auto given = SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag);
        note(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, given));
    }
    // TIOCSTI types into a terminal.
    const auto types = SCMP_A1(SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, TIOCSTI);
    note(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1, types));
    if (shares_memory) return failed;
    for (const int call : kUncounted) {
        note(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0));
    }
    for (const scmp_datum_t flags : kUncountedMaps) {
        const auto given = SCMP_A3(SCMP_CMP_MASKED_EQ, flags, flags);
        note(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOMEM), SCMP_SYS(mmap), 1, given));
    }
    return failed;
}

}  // namespace

Result<std::string> sandbox_filter(bool shares_memory) {
    const auto refuse = [](int error) {
        return Error{Fault::BadInput,
                     std::string("no filter of system calls: ") + std::strerror(error), 0};
    };
    const Filter filter(seccomp_init(SCMP_ACT_ALLOW), seccomp_release);
    if (!filter) return refuse(ENOMEM);
    const int untaken = add_rules(filter.get(), shares_memory);
    if (untaken != 0) return refuse(-untaken);

    const protocol::UniqueFd file(::memfd_create("filter", MFD_CLOEXEC));
    if (!file) return refuse(errno);
    if (const int failed = seccomp_export_bpf(filter.get(), file.get()); failed != 0) {
        return refuse(-failed);
    }
    std::string bytes(static_cast<std::size_t>(::lseek(file.get(), 0, SEEK_END)), '\0');
    if (::pread(file.get(), bytes.data(), bytes.size(), 0) !=
        static_cast<ssize_t>(bytes.size())) {
        return refuse(EIO);
    }
    return bytes;
}

}  // namespace arena
