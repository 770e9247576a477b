#include "arena/process/process_table.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

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

// Reads from a child until the end of its output: it exits, or closes its output and lives on.
pid_t read_to_the_end(bool exits) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        if (exits) ::_exit(3);
        ::close(ends[1]);
        for (;;) ::pause();
    }
    ::close(ends[1]);
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 0);
    ::close(ends[0]);
    return child;
}

TEST(ProcessTable, SeesAtTheEndOfOutputWhetherTheProcessIsEnding) {
    for (int i = 0; i < 200; ++i) {
        const pid_t child = read_to_the_end(true);
        EXPECT_TRUE(is_ending(child));
        ::waitpid(child, nullptr, 0);
        EXPECT_TRUE(is_ending(child)) << "it is gone";
    }
    const pid_t child = read_to_the_end(false);
    EXPECT_FALSE(is_ending(child));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_FALSE(is_ending(::getpid()));
}

TEST(ProcessTable, TakesNoProcessForEndedWhereNoFileCanBeOpened) {
    const pid_t child = read_to_the_end(true);
    ::waitpid(child, nullptr, 0);
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit none{0, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    EXPECT_FALSE(is_ending(::getpid()));
    EXPECT_TRUE(is_ending(child));
    ::setrlimit(RLIMIT_NOFILE, &before);
}

TEST(ProcessTable, KnowsNoProcessWithoutANumber) {
    EXPECT_FALSE(read_process(0));
    EXPECT_FALSE(read_process(-1));
}

TEST(ProcessTable, ListsThisProcessAndItsParent) {
    const auto table = process_table();
    for (const pid_t pid : {::getpid(), ::getppid()}) EXPECT_EQ(table.at(pid).pid, pid);
}

// The kernel hands out such a list in pieces of less than a page, each of whole lines.
TEST(ProcessTable, ReadsALongListToItsEnd) {
    const auto maps = read_proc_file("/proc/self/maps");
    ASSERT_TRUE(maps);
    EXPECT_GT(maps->size(), 4096U);
    EXPECT_NE(maps->find("[stack]"), maps->npos);
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
