#include "arena/sandbox_filter.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace arena {
namespace {

// In a process that lives by the filter from here on.
int put_on(const std::string& bytes) {
    std::vector<sock_filter> rules(bytes.size() / sizeof(sock_filter));
    std::memcpy(rules.data(), bytes.data(), rules.size() * sizeof(sock_filter));
    const sock_fprog program{static_cast<unsigned short>(rules.size()), rules.data()};
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// The line of the first thing that is not as it should be; 0: there is none.
int live_by(const std::string& bytes) {
    if (put_on(bytes) != 0) return __LINE__;
    const auto refused = [](long result, int error) { return result == -1 && errno == error; };
    for (const int family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET}) {
        if (!refused(::socket(family, SOCK_DGRAM, 0), EAFNOSUPPORT)) return __LINE__;
    }
    // The kernel reads 32 bits of what the filter sees 64 of.
    const long disguised = (1L << 32) | AF_INET;
    if (!refused(::syscall(SYS_socket, disguised, SOCK_DGRAM, 0), EAFNOSUPPORT))
        return __LINE__;
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return __LINE__;
    if (!refused(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr), EPERM)) return __LINE__;
    if (!refused(::syscall(SYS_keyctl, 0, 0, 0, 0, 0), EPERM)) return __LINE__;
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

TEST(SandboxFilter, RefusesWhatLeadsOut) {
    const auto filter = sandbox_filter();
    ASSERT_TRUE(filter) << filter.error().text;
    ASSERT_GT(filter->size(), 0U);
    ASSERT_EQ(filter->size() % sizeof(sock_filter), 0U);
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
        const int line = live_by(*filter);
        std::_Exit(line == 0 ? 0 : 1 + line % 250);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0) << "line " << WEXITSTATUS(status) - 1;
}

}  // namespace
}  // namespace arena
