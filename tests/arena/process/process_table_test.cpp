#include "arena/process/process_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>

namespace arena::process_table_test {

TEST(ProcessTable, ReadsThisProcess) {
    const auto process = read_process(::getpid());
    ASSERT_TRUE(process);
    EXPECT_EQ(process->pid, ::getpid());
    EXPECT_EQ(process->parent, ::getppid());
    EXPECT_EQ(process->session, ::getsid(0));
    EXPECT_EQ(process->state, 'R');
    EXPECT_GE(process->threads, 1);
}

TEST(ProcessTable, IsNotFooledByNames) {
    char name[16] = {};
    ::prctl(PR_GET_NAME, name);
    ::prctl(PR_SET_NAME, "a) Z 1 (b c");
    const auto process = read_process(::getpid());
    ::prctl(PR_SET_NAME, name);
    ASSERT_TRUE(process);
    EXPECT_EQ(process->parent, ::getppid());
    EXPECT_EQ(process->state, 'R');
}

TEST(ProcessTable, KnowsNoProcessWithoutANumber) {
    EXPECT_FALSE(read_process(0));
    EXPECT_FALSE(read_process(-1));
}

TEST(ProcessTable, ListsThisProcessAndItsParent) {
    const auto processes = list_processes();
    for (const pid_t pid : {::getpid(), ::getppid()}) {
        EXPECT_EQ(std::ranges::count(processes, pid, &ProcessInfo::pid), 1);
    }
}

TEST(ProcessTable, FindsWholeEntriesOfAnEnvironment) {
    const std::string path = ::getenv("PATH");
    EXPECT_TRUE(has_environment_entry(::getpid(), "PATH=" + path));
    EXPECT_FALSE(has_environment_entry(::getpid(), "PATH=" + path + "x"));
    EXPECT_FALSE(has_environment_entry(::getpid(), "PATH=" + path.substr(0, path.size() - 1)));
    EXPECT_FALSE(has_environment_entry(::getpid(), "ATH=" + path));
    EXPECT_FALSE(has_environment_entry(::getpid(), "NIMARENA_PLAYER=nobody"));
    EXPECT_FALSE(has_environment_entry(0, "PATH=" + path));
}

}  // namespace arena::process_table_test
