#include "arena/process/sandbox.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace arena::sandbox_filter_test {

// Runs in a process to which the filter applies from here on.
int put_on(const std::string& bytes) {
    std::vector<sock_filter> rules(bytes.size() / sizeof(sock_filter));
    std::memcpy(rules.data(), bytes.data(), rules.size() * sizeof(sock_filter));
    const sock_fprog program{static_cast<unsigned short>(rules.size()), rules.data()};
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// The line of the first failed expectation; 0 if all hold.
int live_by(const std::string& bytes) {
    if (put_on(bytes) != 0) return __LINE__;
    const auto refused = [](long result, int error) { return result == -1 && errno == error; };
    for (const int family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET}) {
        if (!refused(::socket(family, SOCK_DGRAM, 0), EAFNOSUPPORT)) return __LINE__;
    }
    // The kernel reads 32 bits of an argument, the filter sees 64.
    const long disguised = (1L << 32) | AF_INET;
    if (!refused(::syscall(SYS_socket, disguised, SOCK_DGRAM, 0), EAFNOSUPPORT))
        return __LINE__;
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return __LINE__;
    if (!refused(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr), EPERM)) return __LINE__;
    if (!refused(::syscall(SYS_keyctl, 0, 0, 0, 0, 0), EPERM)) return __LINE__;
    cpu_set_t cores;
    if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return __LINE__;
    if (!refused(::sched_setaffinity(0, sizeof cores, &cores), EPERM)) return __LINE__;
    const sched_param lowest{0};
    if (!refused(::sched_setscheduler(0, SCHED_OTHER, &lowest), EPERM)) return __LINE__;
    if (!refused(::sched_setparam(0, &lowest), EPERM)) return __LINE__;
    if (!refused(::syscall(SYS_sched_setattr, 0, nullptr, 0), EPERM)) return __LINE__;
    if (!refused(::setpriority(PRIO_PROCESS, 0, 0), EPERM)) return __LINE__;
    if (!refused(::unshare(CLONE_NEWUSER), EPERM)) return __LINE__;
    if (!refused(::syscall(SYS_io_uring_setup, 1, nullptr), ENOSYS)) return __LINE__;
    if (!refused(::syscall(SYS_clone3, nullptr, 0), ENOSYS)) return __LINE__;
    if (!refused(::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0), EPERM)) {
        return __LINE__;
    }
    const pid_t pid = ::fork();
    if (pid == 0) std::_Exit(7);
    int status = 0;
    if (::waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != 7) return __LINE__;
    return 0;
}

// The same for memory that no process limit counts; `given`: whether the filter allows it.
int take_memory(const std::string& bytes, bool given) {
    if (put_on(bytes) != 0) return __LINE__;
    const auto map = [](int flags) {
        return ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
    };
    if (map(MAP_PRIVATE) == MAP_FAILED) return __LINE__;
    if ((map(MAP_SHARED) != MAP_FAILED) != given) return __LINE__;
    if ((map(MAP_PRIVATE | MAP_GROWSDOWN) != MAP_FAILED) != given) return __LINE__;
    if ((::memfd_create("memory", 0) >= 0) != given) return __LINE__;
    const int shared = ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    if (shared >= 0) ::shmctl(shared, IPC_RMID, nullptr);
    if ((shared >= 0) != given) return __LINE__;
    // Sharing a file is allowed.
    std::FILE* const file = std::tmpfile();
    if (file == nullptr || ::ftruncate(::fileno(file), 4096) != 0) return __LINE__;
    const void* mapped =
        ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ::fileno(file), 0);
    return mapped == MAP_FAILED ? __LINE__ : 0;
}

// Runs `act` in a process of its own, which exits with the line that `act` returns.
void expect_no_line(const std::function<int()>& act) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
        const int line = act();
        std::_Exit(line == 0 ? 0 : 1 + line % 250);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0) << "line " << WEXITSTATUS(status) - 1;
}

TEST(SandboxFilter, RefusesWhatLeadsOut) {
    for (const bool shares_memory : {true, false}) {
        const auto filter = sandbox_filter(shares_memory);
        ASSERT_TRUE(filter) << filter.error().text;
        ASSERT_GT(filter->size(), 0U);
        ASSERT_EQ(filter->size() % sizeof(sock_filter), 0U);
        expect_no_line([&] { return live_by(*filter); });
    }
}

TEST(SandboxFilter, RefusesMemoryThatNoLimitCountsWhereLimitsAreAllThereIs) {
    for (const bool shares_memory : {true, false}) {
        const auto filter = sandbox_filter(shares_memory);
        ASSERT_TRUE(filter) << filter.error().text;
        expect_no_line([&] { return take_memory(*filter, shares_memory); });
    }
}

}  // namespace arena::sandbox_filter_test
