#include "arena/players/link.hpp"

#include <sys/resource.h>

#include "arena/base/heartbeat.hpp"
#include "arena/players/launcher.hpp"
#include "arena/process/guardian.hpp"
#include "tests/arena/loop.hpp"

namespace arena::link_test {

using namespace std::chrono_literals;

class LinkTest : public ::testing::Test {
  protected:
    LinkTest() : guardian(*Guardian::start(protocol::test::kPatience)) {}

    std::unique_ptr<Link> open(const std::string& script) {
        PlayerSpec spec;
        spec.command = {"/bin/sh", "-c", script};
        auto opened = loop.finish(open_link(spec, 0, context, in_the_end(), {}));
        EXPECT_TRUE(opened);
        return *std::move(opened);
    }
    static Awaitable<bool> has_line(Connection& connection) {
        const auto line = co_await connection.read_line(in_the_end());
        co_return line.has_value();
    }

    Guardian guardian;
    Launcher launcher;
    Loop loop;
    PlayerResources resources{.guardian = guardian, .launcher = launcher};
    PlayerContext context{loop.context(), resources};
};

// Until it is let go, the guardian is stopped, as on a machine that has no time for it.
TEST_F(LinkTest, WaitsForALateExitStatus) {
    const auto link = open("read line; exit 3");
    // Once it starts another, the guardian has closed its ends of the pipes of the one before.
    const auto other = open("read line");
    ::kill(guardian.pid(), SIGSTOP);
    link->connection->end_input();
    EXPECT_FALSE(loop.finish(has_line(*link->connection)));
    const auto exit = loop.start(await_exit(*link, protocol::test::kPatience));
    const auto later = Clock::now() + 300ms;  // more than a process that lives on is given
    loop.io().restart();
    loop.io().run_until(later);
    EXPECT_FALSE(exit->has_value());
    ::kill(guardian.pid(), SIGCONT);
    const auto status = loop.finish(exit);
    ASSERT_TRUE(status);
    EXPECT_EQ(status->code, 3);
}

TEST_F(LinkTest, DoesNotWaitLongForAProcessThatOnlyClosedItsOutput) {
    const auto link = open("exec >&-; read line");
    EXPECT_FALSE(loop.finish(has_line(*link->connection)));
    EXPECT_FALSE(loop.finish(await_exit(*link)));
    EXPECT_FALSE(link->child->is_ending());
}

TEST_F(LinkTest, BlamesNoPlayerForALackOfFiles) {
    PlayerSpec dialled;
    dialled.kind = PlayerKind::TcpConnect;
    dialled.endpoint = {"127.0.0.1", 1};
    PlayerSpec started;
    started.command = {"cat"};
    const auto open = [&](const PlayerSpec& spec) {
        return loop.finish(open_link(spec, 0, context, in_the_end(), {})).has_value();
    };
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const protocol::UniqueFd first_free(::dup(STDIN_FILENO));
    const rlimit full{static_cast<rlim_t>(first_free.get()), before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &full), 0);
    EXPECT_THROW(open(dialled), std::runtime_error);
    EXPECT_THROW(open(started), std::runtime_error);
    ::setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_FALSE(open(dialled)) << "nobody listens there";
    EXPECT_TRUE(open(started));
}

TEST(Effort, DoesNotWaitWhileTheArenaIsStopped) {
    const SteadyClock::time_point begin{1000s};
    const CpuCount from{begin, 0ms, 0ms};
    const CpuCount to{begin + 10s, 1s, 2s};
    EXPECT_EQ(effort_between(from, to).waited, 10s);
    Heartbeat::take({begin, begin});
    Heartbeat::take({begin + 4s, begin + 4s});
    const Effort effort = effort_between(from, to);
    Heartbeat::end();
    EXPECT_EQ(effort.waited, 6s + kBeat);
    EXPECT_EQ(effort.used, 1s);
    EXPECT_EQ(effort.queued, 2s);
}

}  // namespace arena::link_test
