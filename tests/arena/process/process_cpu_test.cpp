#include "arena/process/process_cpu.hpp"

#include <poll.h>
#include <sys/resource.h>

#include <ctime>

#include "arena/process/guardian.hpp"
#include "tests/harness/patience.hpp"

namespace arena::process_cpu_test {

Microseconds own_cpu() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + Microseconds(time.tv_nsec / 1000);
}

// A player that runs `script`, which prints a line when it is done.
PlayerProcess run_until_line(const Guardian& guardian, const std::string& script) {
    SpawnRequest request;
    request.command = {"python3", "-c", script};
    auto player = guardian.spawn(request);
    EXPECT_TRUE(player);
    pollfd watched{player->out.get(), POLLIN, 0};
    EXPECT_EQ(::poll(&watched, 1, protocol::test::kPatience.count()), 1);
    return std::move(*player);
}

const std::string kBurn =
    "import os, signal, sys, threading, time\n"
    "def burn(clock):\n"
    "    end = time.clock_gettime(clock) + 0.1\n"
    "    while time.clock_gettime(clock) < end: pass\n"
    "process, thread = time.CLOCK_PROCESS_CPUTIME_ID, time.CLOCK_THREAD_CPUTIME_ID\n";

TEST(ProcessCpu, CountsThisProcessExactly) {
    while (own_cpu() < Milliseconds(20)) continue;
    const auto before = own_cpu();
    const auto counted = process_cpu(::getpid());
    EXPECT_GE(counted, before);
}

TEST(ProcessCpu, IsZeroWhereThereIsNoProcess) { EXPECT_EQ(process_cpu(-1), Microseconds(0)); }

TEST(ProcessCpu, CountsFinerThanAClockTick) {
    // The least of some steps: where a virtual machine pauses, a step is longer.
    Microseconds least = Microseconds::max();
    for (int i = 0; i < 100; ++i) {
        const auto first = process_cpu(::getpid());
        Microseconds second = first;
        while (second == first) second = process_cpu(::getpid());
        least = std::min(least, second - first);
    }
    EXPECT_LT(least, Milliseconds(10) / 2);
}

// Both threads want the one core that they may use: together they wait for all the time that
// they do not run.
TEST(ProcessCpu, CountsTheTimeWithoutACore) {
    const Guardian guardian = *Guardian::start(protocol::test::kPatience);
    const auto before = Clock::now();
    const PlayerProcess player = run_until_line(
        guardian, "import os\nos.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\n" +
                      kBurn +
                      "os.fork()\nburn(process)\nburn(process)\nprint()\n"
                      "sys.stdout.flush()\nsignal.pause()\n");
    const auto queued = queue_time(player.pid);
    ASSERT_TRUE(queued);
    EXPECT_GE(*queued, Milliseconds(100));
    // One of them may have waited most of it, or each the half.
    EXPECT_GE(*longest_queue_time(player.pid), *queued / 2);
    EXPECT_LE(*longest_queue_time(player.pid), Clock::now() - before);
    EXPECT_LE(*queued + process_cpu(player.pid), 2 * (Clock::now() - before));
    EXPECT_FALSE(queue_time(-1));
}

struct Case {
    const char* name;
    const char* script;
    Milliseconds least;
};

class ProcessTreeCpu : public ::testing::TestWithParam<Case> {};

TEST_P(ProcessTreeCpu, Counts) {
    const Guardian guardian = *Guardian::start(protocol::test::kPatience);
    const auto player = run_until_line(guardian, kBurn + GetParam().script);
    const auto counted = process_cpu(player.pid);
    EXPECT_GE(counted, GetParam().least);
    EXPECT_LT(counted, Milliseconds(5000));
}

INSTANTIATE_TEST_SUITE_P(
    ProcessCpu, ProcessTreeCpu,
    ::testing::Values(Case{"Itself", "burn(process); print(); signal.pause()",
                           Milliseconds(100)},
                      Case{"ItsThreads",
                           "t = threading.Thread(target=burn, args=[thread]); t.start(); "
                           "burn(thread); t.join()\n"
                           "print(); signal.pause()",
                           Milliseconds(200)},
                      // At most one tick is lost of user time and one of system time.
                      Case{"ChildrenWaitedFor",
                           "if os.fork() == 0: burn(process); os._exit(0)\n"
                           "os.wait(); print(); signal.pause()",
                           Milliseconds(80)},
                      Case{"LivingGrandchildren",
                           "if os.fork() == 0:\n"
                           "    if os.fork() == 0: burn(process); print()\n"
                           "    signal.pause()\n"
                           "signal.pause()",
                           Milliseconds(100)},
                      Case{"ChildrenOfThreads",
                           "def child():\n"
                           "    if os.fork() == 0: burn(process); print()\n"
                           "    signal.pause()\n"
                           "threading.Thread(target=child).start(); signal.pause()",
                           Milliseconds(100)}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(RaiseCpuLimit, ReachesTheWholeTree) {
    const Guardian guardian = *Guardian::start(protocol::test::kPatience);
    const auto player = run_until_line(guardian,
                                       "import subprocess\n"
                                       "child = subprocess.Popen(['sleep', '1000'])\n"
                                       "print(child.pid, flush=True)\n"
                                       "child.wait()");
    std::array<char, 32> text{};
    ASSERT_GT(::read(player.out.get(), text.data(), text.size() - 1), 0);
    raise_cpu_limit(player.pid, std::chrono::seconds(1000));
    for (const pid_t pid : {player.pid, static_cast<pid_t>(std::atoi(text.data()))}) {
        rlimit limit{};
        ASSERT_EQ(::prlimit(pid, RLIMIT_CPU, nullptr, &limit), 0);
        EXPECT_GE(limit.rlim_cur, 1000U);
        EXPECT_LE(limit.rlim_cur, 1020U);
        EXPECT_EQ(limit.rlim_max, RLIM_INFINITY);
    }
}

}  // namespace arena::process_cpu_test
