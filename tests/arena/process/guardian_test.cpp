#include "arena/process/guardian.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "arena/process/player_folders.hpp"
#include "arena/process/process_table.hpp"
#include "tests/arena/players/ends.hpp"
#include "tests/harness/patience.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::guardian_test {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using namespace testing;

using protocol::Error;
using protocol::Fault;
using protocol::test::kPatience;

bool readable(int fd, Milliseconds limit = kPatience) {
    pollfd watched{fd, POLLIN, 0};
    return ::poll(&watched, 1, static_cast<int>(limit.count())) == 1;
}

bool comes_to(const std::function<bool()>& holds) {
    const auto until = Clock::now() + kPatience;
    while (Clock::now() < until) {
        if (holds()) return true;
        ::poll(nullptr, 0, 1);
    }
    return false;
}

protocol::UniqueFd open_process(pid_t pid) {
    return protocol::UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

std::string read_line(int fd) {
    std::string line;
    for (char byte = 0; readable(fd) && ::read(fd, &byte, 1) == 1 && byte != '\n';)
        line += byte;
    return line;
}

std::string read_all(int fd) {
    std::string text;
    std::array<char, 4096> piece;
    while (readable(fd)) {
        const auto size = ::read(fd, piece.data(), piece.size());
        if (size <= 0) return text;
        text.append(piece.data(), static_cast<std::size_t>(size));
    }
    return text + "(no end of file)";
}

void write_line(const PlayerProcess& player, const std::string& line) {
    const std::string text = line + "\n";
    EXPECT_EQ(::write(player.in.get(), text.data(), text.size()), std::ssize(text));
}

std::optional<ExitStatus> wait_ended(PlayerProcess& player) {
    if (!readable(player.control.fd())) return std::nullopt;
    const auto ended = player.control.ended();
    return ended ? *ended : std::nullopt;
}

// Kills a player by closing its channel, and waits until it is dead.
void abandon(PlayerProcess player) {
    const auto process = open_process(player.pid);
    { const PlayerControl closed = std::move(player.control); }
    EXPECT_TRUE(readable(process.get()));
}

SpawnRequest command(std::vector<std::string> words) {
    SpawnRequest request;
    request.command = std::move(words);
    return request;
}
SpawnRequest shell(std::string script) { return command({"/bin/sh", "-c", std::move(script)}); }
SpawnRequest python(std::string script, std::string argument = {}) {
    return command({"python3", "-c", std::move(script), std::move(argument)});
}

// A pipe whose write end any process may open by its path. The read end reaches the end of file
// once all these processes are dead.
struct Lifeline {
    protocol::UniqueFd read, write;
    std::string path;

    Lifeline() {
        auto [from, to] = pipe_ends();
        read = std::move(from);
        write = std::move(to);
        path = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(write.get());
    }
    void expect_alive() {
        ASSERT_EQ(read_line(read.get()), "alive");
        write.reset();
    }
    void expect_dead() { EXPECT_EQ(read_all(read.get()), ""); }
};

class GuardianTest : public ::testing::Test {
  protected:
    PlayerProcess start(const SpawnRequest& request) {
        auto player = guardian.spawn(request);
        if (!player) throw std::runtime_error(player.error().text);
        return std::move(*player);
    }
    std::string refusal(const SpawnRequest& request) {
        const auto player = guardian.spawn(request);
        return player ? "it started" : player.error().text;
    }

    Guardian guardian = *Guardian::start(kPatience);
};

TEST_F(GuardianTest, ConnectsThreePipes) {
    auto player = start(shell("read line; echo \"out $line\"; echo \"err $line\" >&2"));
    write_line(player, "hello");
    EXPECT_EQ(read_all(player.out.get()), "out hello\n");
    EXPECT_EQ(read_all(player.err.get()), "err hello\n");
    for (const auto* end : {&player.in, &player.out, &player.err}) {
        EXPECT_TRUE(::fcntl(end->get(), F_GETFL) & O_NONBLOCK);
        EXPECT_TRUE(::fcntl(end->get(), F_GETFD) & FD_CLOEXEC);
    }
}

TEST_F(GuardianTest, ReportsExitCode) {
    auto player = start(shell("exit 7"));
    const auto ended = wait_ended(player);
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->code, 7);
    EXPECT_EQ(ended->signal, std::nullopt);
}

TEST_F(GuardianTest, ReportsSignal) {
    for (const int number : {SIGSEGV, SIGABRT, SIGKILL, SIGTERM, SIGPIPE, SIGFPE}) {
        auto player = start(shell("kill -" + std::to_string(number) + " $$"));
        const auto ended = wait_ended(player);
        ASSERT_TRUE(ended);
        EXPECT_EQ(ended->code, std::nullopt);
        EXPECT_EQ(ended->signal, number);
    }
}

TEST_F(GuardianTest, ReportsNothingWhileThePlayerRuns) {
    auto player = start(command({"cat"}));
    const auto ended = player.control.ended();
    ASSERT_TRUE(ended);
    EXPECT_EQ(*ended, std::nullopt);
    player.in.reset();
    EXPECT_EQ(wait_ended(player)->code, 0);
}

TEST_F(GuardianTest, KeepsWhatWasWrittenBeforeTheEnd) {
    auto player = start(shell("echo bestmove 1=0"));
    ASSERT_TRUE(wait_ended(player));
    EXPECT_EQ(read_all(player.out.get()), "bestmove 1=0\n");
}

TEST_F(GuardianTest, RefusesWithWords) {
    const ::test::TemporaryFolder folder;
    const std::string& here = folder.path();
    const auto write_file = [&folder](const std::string& name, const std::string& text,
                                      mode_t mode) {
        std::ofstream(folder.file(name)) << text;
        ::chmod(folder.file(name).c_str(), mode);
    };
    write_file("plain.py", "print()\n", 0644);
    write_file("empty", "", 0755);
    write_file("lost", "#!/nowhere/python\n", 0755);
    write_file("windows.py", "#!/usr/bin/python3\r\nprint()\r\n", 0755);
    write_file("data", "", 0644);
    write_file("bot.cpp", "int main() {}\n", 0644);
    write_file("Bot.java", "", 0755);
    write_file("Bot.class", "", 0644);
    write_file("bot", "#!/bin/sh\n", 0755);

    const auto in = [](SpawnRequest request, std::string directory, std::string path = {}) {
        request.directory = std::move(directory);
        if (!path.empty()) request.environment = {{"PATH", path}};
        return request;
    };
    const auto on_cores = [](std::vector<int> cores) {
        auto request = command({"true"});
        request.cores = std::move(cores);
        return request;
    };
    const std::vector<std::pair<SpawnRequest, std::string>> cases{
        {command({}), "cannot start '': no program is named"},
        {command({""}), "cannot start '': no program is named"},
        {in(command({"foo"}), "", "/bin:/nowhere"),
         "cannot start 'foo': there is no such program in PATH"},
        {in(command({"bot"}), here, "/nowhere"),
         "cannot start 'bot': there is no such program in PATH; for the file of this name in "
         "its directory, write ./bot"},
        {in(command({"plain.py"}), here, "/nowhere"),
         "cannot start 'plain.py': there is no such program in PATH; for the file of this name "
         "in its directory, write 'python3 plain.py'"},
        {in(command({"plain.py"}), "", "/nowhere:" + here),
         "cannot start 'plain.py': " + here +
             "/plain.py: it may not be executed: start it by 'python3 " + here +
             "/plain.py', or chmod +x it"},
        {in(command({"./no\nwhere"}), "/"),
         "cannot start './no\\nwhere': No such file or directory in /"},
        {command({"/no/where"}), "cannot start '/no/where': No such file or directory"},
        {in(command({"./plain.py"}), here),
         "cannot start './plain.py': it may not be executed: start it by 'python3 ./plain.py', "
         "or chmod +x it"},
        {in(command({"./bot.cpp"}), here),
         "cannot start './bot.cpp': it is not a program: it is source code: build it by "
         "'g++ -O2 -o ./bot ./bot.cpp' and start what comes out, ./bot"},
        {in(command({"bot.cpp"}), here, "/nowhere"),
         "cannot start 'bot.cpp': there is no such program in PATH; it is source code: build "
         "it by 'g++ -O2 -o bot bot.cpp' and start what comes out, ./bot"},
        {in(command({"./Bot.java"}), here),
         "cannot start './Bot.java': it is not a program: start it by 'java ./Bot.java', or "
         "build it by javac and name its class"},
        {in(command({"./Bot.class"}), here),
         "cannot start './Bot.class': it is not a program: start it by 'java -cp . Bot'"},
        {in(command({"./Bot"}), here),
         "cannot start './Bot': there is no such program; for the class of this name, start it "
         "by 'java -cp . Bot'"},
        {in(command({"./data"}), here),
         "cannot start './data': it may not be executed: chmod +x it"},
        {in(command({"./empty"}), here),
         "cannot start './empty': it is not a program: a script begins with a line like "
         "#!/usr/bin/env python3"},
        {in(command({"./lost"}), here),
         "cannot start './lost': there is no '/nowhere/python', which its first line names as "
         "its "
         "interpreter"},
        {in(command({"./windows.py"}), here),
         "cannot start './windows.py': its first line ends in CR LF, so that its interpreter "
         "is "
         "not found: save it with LF line ends, as by sed -i 's/\\r$//' ./windows.py"},
        {command({"/"}), "cannot start '/': it is a directory"},
        {in(command({"true"}), "/nowhere"),
         "cannot start 'true': directory '/nowhere': No such file or directory"},
        {in(command({"true"}), "/bin/sh"),
         "cannot start 'true': directory '/bin/sh': Not a directory"},
        {on_cores({-1}), "cannot start 'true': there is no core -1"},
        {on_cores({1023}),
         "cannot start 'true': it cannot be pinned to core 1023: Invalid argument"},
        {command({"true", std::string(200000, 'x')}),
         "cannot start 'true': its command line and environment take 200066 bytes, more than "
         "131072"},
    };
    for (const auto& [request, words] : cases) EXPECT_EQ(refusal(request), words);
    EXPECT_EQ(refusal(command({"true"})), "it started") << "a refusal spoils nothing";
}

TEST_F(GuardianTest, FindsProgramsFromTheirDirectory) {
    auto request = command({"./sh", "-c", "pwd"});
    request.directory = "/bin/";
    EXPECT_THAT(read_all(start(request).out.get()), MatchesRegex("(/usr)?/bin\n"));
}

TEST_F(GuardianTest, SetsTheEnvironment) {
    ::setenv("GUARDIAN_TEST_LATER", "1", 1);  // the guardian's copy is older
    auto request = command({"env"});
    request.environment = {{"NAME", "a value"}, {"HOME", ""}};
    const auto text = "\n" + read_all(start(request).out.get());
    EXPECT_THAT(text, HasSubstr("\nNAME=a value\n"));
    EXPECT_THAT(text, HasSubstr("\nHOME=\n"));
    EXPECT_THAT(text, HasSubstr("\nPYTHONUNBUFFERED=1\n"));
    EXPECT_THAT(text, HasSubstr("\nPATH="));
    EXPECT_THAT(text,
                HasSubstr("\nNIMARENA_PLAYER=" + std::to_string(guardian.pid()) + "-1\n"));
    EXPECT_THAT(text, Not(HasSubstr("GUARDIAN_TEST_LATER")));

    request.environment = {{"PYTHONUNBUFFERED", ""}};
    EXPECT_THAT("\n" + read_all(start(request).out.get()), HasSubstr("\nPYTHONUNBUFFERED=\n"));
}

TEST_F(GuardianTest, CleansTheEnvironment) {
    auto request = command({"env"});
    request.clean_environment = true;
    request.environment = {{"NAME", "a value"}};
    std::vector<std::string> names;
    std::istringstream text(read_all(start(request).out.get()));
    for (std::string line; std::getline(text, line);)
        names.push_back(line.substr(0, line.find('=')));
    EXPECT_THAT(names, UnorderedElementsAre("HOME", "LANG", "NAME", "NIMARENA_PLAYER", "PATH",
                                            "PYTHONUNBUFFERED", "TMPDIR"));
}

TEST(Guardian, RemovesPrivateDirectories) {
    auto request = shell(
        "echo \"$HOME\"; mkdir -p \"$HOME/a/b/c\" && echo 1 >\"$HOME/a/b/file\" && "
        "ln -s / \"$HOME/a/root\" && chmod 0 \"$HOME/a/b\" && chmod 500 \"$HOME/a\"; "
        "echo ready; read line");
    request.clean_environment = true;
    std::vector<std::string> homes;
    {
        const Guardian guardian = *Guardian::start(kPatience);
        std::vector<PlayerProcess> players;
        for (int i = 0; i < 2; ++i) {
            auto player = guardian.spawn(request);
            ASSERT_TRUE(player);
            homes.push_back(read_line(player->out.get()));
            ASSERT_EQ(read_line(player->out.get()), "ready");
            struct stat status {};
            ASSERT_EQ(::stat(homes.back().c_str(), &status), 0);
            EXPECT_EQ(status.st_mode & 07777, 0700U);
            players.push_back(*std::move(player));
        }
        players[0].in.reset();  // one exits by itself, the other with the guardian
        ASSERT_TRUE(wait_ended(players[0]));
    }
    for (const auto& home : homes) EXPECT_NE(::access(home.c_str(), F_OK), 0) << home;
}

// Whether the directory of a player that ends while its guardian may start no process is gone
// in the end. Call it in a process of its own: such a limit does not bind root.
bool removes_without_a_process() {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) return false;
    ::setenv("TMPDIR", "/tmp", 1);
    auto request = shell("echo \"$HOME\"; read line");
    request.clean_environment = true;
    std::string home;
    {
        const Guardian guardian = *Guardian::start(kPatience);
        auto player = guardian.spawn(request);
        if (!player) return false;
        home = read_line(player->out.get());
        rlimit before{};
        ::prlimit(guardian.pid(), RLIMIT_NPROC, nullptr, &before);
        const rlimit none{0, before.rlim_max};
        ::prlimit(guardian.pid(), RLIMIT_NPROC, &none, nullptr);
        player->in.reset();
        const bool ended = wait_ended(*player).has_value();
        ::prlimit(guardian.pid(), RLIMIT_NPROC, &before, nullptr);
        if (!ended || ::access(home.c_str(), F_OK) != 0) return false;
    }
    return ::access(home.c_str(), F_OK) != 0;
}

TEST(Guardian, RemovesInTheEndWhatItHadNoProcessFor) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(removes_without_a_process() ? 0 : 1);
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(Guardian, NamesTheFolderThatTakesNoPrivateDirectory) {
    const char* given = std::getenv("TMPDIR");
    const std::string before = given == nullptr ? "/tmp" : given;
    ::setenv("TMPDIR", "/nowhere", 1);
    const auto guardian = Guardian::start(kPatience);
    ::setenv("TMPDIR", before.c_str(), 1);
    ASSERT_TRUE(guardian);
    auto request = command({"true"});
    request.clean_environment = true;
    const auto player = guardian->spawn(request);
    ASSERT_FALSE(player);
    EXPECT_EQ(player.error(),
              (Error{Fault::Failed,
                     "cannot start 'true': no private directory in TMPDIR ('/nowhere'): No "
                     "such file or directory"}))
        << "no player is guilty of that";
}

TEST_F(GuardianTest, LimitsEachProcess) {
    auto request = python(R"(
import resource
for name in 'CORE', 'NOFILE', 'FSIZE', 'DATA', 'CPU':
    print(resource.getrlimit(getattr(resource, 'RLIMIT_' + name)))
print([line.split()[1] for line in open('/proc/self/status') if line.startswith('NoNewPrivs')])
try:
    bytearray(300 << 20)
except MemoryError:
    print('no memory'))");
    request.data_limit = 256 << 20;
    request.cpu_limit = 7;
    rlimit most{};
    ASSERT_EQ(::prlimit(guardian.pid(), RLIMIT_NOFILE, nullptr, &most), 0);
    if (most.rlim_max < 2048) GTEST_SKIP() << "few files may be opened here";
    EXPECT_EQ(
        read_all(start(request).out.get()),
        "(0, 0)\n(1024, 1024)\n(1073741824, 1073741824)\n(268435456, 268435456)\n(7, -1)\n"
        "['1']\nno memory\n");
    const rlimit few{200, 200};
    ASSERT_EQ(::prlimit(guardian.pid(), RLIMIT_NOFILE, &few, nullptr), 0);
    EXPECT_EQ(read_all(start(shell("ulimit -Hn")).out.get()), "100\n")
        << "what it sends to itself counts against the guardian's limit";
}

TEST_F(GuardianTest, EndsAPlayerThatUsesTooMuchCpuTime) {
    auto request = python("while True: pass");
    request.cpu_limit = 1;
    auto player = start(request);
    const auto ended = wait_ended(player);
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->signal, SIGXCPU);
}

TEST_F(GuardianTest, LeavesOnlyStandardStreamsOpen) {
    auto other = start(command({"cat"}));
    auto player = start(python("import os; print(sorted(os.listdir('/proc/self/fd')))"));
    // The fourth is the listing itself.
    EXPECT_EQ(read_all(player.out.get()), "['0', '1', '2', '3']\n");
}

TEST(Guardian, ClosesWhatItInherits) {
    Lifeline inherited;
    ::fcntl(inherited.write.get(), F_SETFD, 0);  // no longer closed on exec
    const Guardian guardian = *Guardian::start(kPatience);
    const auto player = guardian.spawn(command({"cat"}));
    ASSERT_TRUE(player);  // so it has executed its first lines
    inherited.write.reset();
    inherited.expect_dead();
}

TEST(Guardian, BearsItsName) {
    const Guardian guardian = *Guardian::start(kPatience);
    ASSERT_TRUE(guardian.spawn(command({"true"})));
    const auto folder = "/proc/" + std::to_string(guardian.pid());
    EXPECT_EQ(read_proc_file(folder + "/comm"), "nim-guardian\n");
    EXPECT_THAT(*read_proc_file(folder + "/cmdline"), StartsWith("nim-guardian"));
    EXPECT_THAT(*read_proc_file(folder + "/cmdline"), Not(HasSubstr("guardian_test")));
}

TEST_F(GuardianTest, GivesEachPlayerItsSessionAndDefaultSignals) {
    auto player = start(python(R"(
import os
print(os.getpid() == os.getsid(0) == os.getpgrp(), os.getsid(0) != os.getsid(os.getppid()))
status = open('/proc/self/status').read().splitlines()
print([line.split()[1] for line in status if line.startswith('SigBlk')]))"));
    EXPECT_EQ(read_all(player.out.get()), "True True\n['0000000000000000']\n");
    auto sleeper = start(command({"sleep", "1000"}));  // does not change signals itself
    const auto status = read_proc_file("/proc/" + std::to_string(sleeper.pid) + "/status");
    EXPECT_THAT(*status, HasSubstr("SigIgn:\t0000000000000000\n"));
}

TEST_F(GuardianTest, PinsToCores) {
    cpu_set_t allowed;
    ASSERT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(static_cast<std::size_t>(core), &allowed)) cores.push_back(core);
    }
    const auto show = python("import os; print(*sorted(os.sched_getaffinity(0)))");
    for (const int core : cores) {
        auto pinned = show;
        pinned.cores = {core};
        EXPECT_EQ(read_all(start(pinned).out.get()), std::to_string(core) + "\n");
    }
    std::string all;
    for (const int core : cores) all += (all.empty() ? "" : " ") + std::to_string(core);
    EXPECT_EQ(read_all(start(show).out.get()), all + "\n");
}

SpawnRequest stubborn() { return shell("trap '' TERM; echo ready; while :; do read x; done"); }

TEST_F(GuardianTest, EndsAPlayerThatIgnoresSignalsStepByStep) {
    auto player = start(stubborn());
    ASSERT_EQ(read_line(player.out.get()), "ready");
    const auto begin = Clock::now();
    player.control.end();
    EXPECT_EQ(wait_ended(player)->signal, SIGKILL);
    EXPECT_GE(Clock::now() - begin, 500ms);
}

TEST_F(GuardianTest, EndsAPlayerThatObeysSigterm) {
    auto player = start(command({"sleep", "1000"}));
    player.control.end();
    EXPECT_EQ(wait_ended(player)->signal, SIGTERM);
}

TEST_F(GuardianTest, KillsAnAbandonedPlayer) { abandon(start(command({"sleep", "1000"}))); }

TEST_F(GuardianTest, FinishesTheStepsOfAnAbandonedPlayer) {
    auto player = start(stubborn());
    const auto process = open_process(player.pid);
    ASSERT_EQ(read_line(player.out.get()), "ready");
    const auto begin = Clock::now();
    player.control.end();
    { const auto let_go = std::move(player.control); }
    EXPECT_TRUE(readable(process.get()));
    EXPECT_GE(Clock::now() - begin, 500ms);
}

// A guardian that waited for their ends would start nothing before, however often it is tried;
// on a busy machine a start may take as long.
TEST_F(GuardianTest, EndsManyAtOnceWhileItStartsMore) {
    EXPECT_TRUE(comes_to([&] {
        std::vector<PlayerProcess> players;
        for (int i = 0; i < 10; ++i) {
            players.push_back(start(stubborn()));
            EXPECT_EQ(read_line(players.back().out.get()), "ready");
        }
        for (auto& player : players) player.control.end();
        EXPECT_EQ(read_all(start(shell("echo meanwhile")).out.get()), "meanwhile\n");
        const bool meanwhile = *players.front().control.ended() == std::nullopt;
        if (!meanwhile) players.erase(players.begin());
        for (auto& player : players) EXPECT_EQ(wait_ended(player)->signal, SIGKILL);
        return meanwhile;
    }));
}

// Processes that a player starts and leaves behind. Each writes "alive" to the lifeline and
// runs for ever. So does the player.
constexpr char kLastForEver[] = R"(
import ctypes, os, signal, sys, threading, time
def last():
    lifeline = os.open(sys.argv[1], os.O_WRONLY)
    os.write(lifeline, b'alive\n')
    while True: signal.pause()
def daemonize(then=last):
    if os.fork(): return
    os.setsid()
    parent = os.getpid()
    if os.fork(): os._exit(0)
    while os.getppid() == parent: time.sleep(0.001)
    os.closerange(0, 100)
    then()
def fork(prepare):
    if os.fork(): return
    prepare()
    last()
def last_without_first_thread():
    while ' Z ' not in open('/proc/self/stat').read(): time.sleep(0.001)
    last()
def end_first_thread():
    threading.Thread(target=last_without_first_thread).start()
    ctypes.CDLL(None).syscall(60 if os.uname().machine == 'x86_64' else 93, 0)  # SYS_exit
)";

struct Kind {
    const char* name;
    const char* script;
};

class Leftover : public GuardianTest, public ::testing::WithParamInterface<Kind> {
  protected:
    SpawnRequest player() const {
        const std::string forever = "\nwhile True: signal.pause()";
        return python(kLastForEver + std::string(GetParam().script) + forever, lifeline.path);
    }

    Lifeline lifeline;
};

INSTANTIATE_TEST_SUITE_P(
    Guardian, Leftover,
    ::testing::Values(
        Kind{"Child", "fork(lambda: None)"}, Kind{"Group", "fork(lambda: os.setpgid(0, 0))"},
        Kind{"Session", "fork(os.setsid)"},
        Kind{"Deaf", "fork(lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN))"},
        Kind{"Grandchild", "fork(lambda: os.fork() and os._exit(0))"},
        Kind{"Daemon", "daemonize()"}, Kind{"WithoutFirstThread", "fork(end_first_thread)"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(Leftover, IsKilledWhenThePlayerIsEnded) {
    auto process = start(player());
    lifeline.expect_alive();
    process.control.end();
    EXPECT_TRUE(wait_ended(process));
    lifeline.expect_dead();
}

TEST_P(Leftover, IsKilledWhenThePlayerIsAbandoned) {
    auto process = start(player());
    lifeline.expect_alive();
    abandon(std::move(process));
    lifeline.expect_dead();
}

TEST_P(Leftover, IsKilledWhenThePlayerEndsByItself) {
    auto process = start(player());
    lifeline.expect_alive();
    ::kill(process.pid, SIGSEGV);
    EXPECT_EQ(wait_ended(process)->signal, SIGSEGV);
    lifeline.expect_dead();
}

TEST_P(Leftover, LivesWhenAnotherPlayerEnds) {
    auto process = start(player());
    lifeline.expect_alive();
    auto other = start(shell("sleep 1000 & exit 0"));
    EXPECT_TRUE(wait_ended(other));
    EXPECT_FALSE(readable(lifeline.read.get(), 0ms));
    abandon(std::move(process));
    lifeline.expect_dead();
}

TEST_P(Leftover, IsKilledWhenTheGuardianIsStopped) {
    std::optional<Guardian> own(*Guardian::start(kPatience));
    auto process = own->spawn(player());
    ASSERT_TRUE(process);
    lifeline.expect_alive();
    own.reset();
    EXPECT_TRUE(readable(lifeline.read.get(), 0ms)) << "the destructor waits until all is dead";
    lifeline.expect_dead();
}

// An arena in a process of its own, which starts the player and is killed.
TEST_P(Leftover, IsKilledWhenTheArenaIsKilled) {
    const pid_t parent = ::getpid();
    const auto request = player();  // names the lifeline of this process
    const pid_t arena = ::fork();
    if (arena == 0) {
        lifeline.read.reset();
        lifeline.write.reset();
        auto own = Guardian::start(kPatience);
        auto process = own->spawn(request);
        if (!process || ::getppid() != parent) ::_exit(1);
        for (;;) ::pause();
    }
    lifeline.expect_alive();
    ::kill(arena, SIGKILL);
    ::waitpid(arena, nullptr, 0);
    lifeline.expect_dead();
}

// A player with an orphaned descendant in another session with an empty environment.
SpawnRequest forgetful(const std::string& lifeline, const std::string& before) {
    auto request = python(before + R"(
import os, sys
os.spawnve(os.P_WAIT, sys.executable, ['python3', '-c', sys.argv[2], sys.argv[1]], {})
os.execvp('sleep', ['sleep', '1000']))",
                          lifeline);
    request.command.push_back(std::string(kLastForEver) + "daemonize()");
    return request;
}

// The player is its subreaper.
TEST_F(GuardianTest, KillsProcessesWithoutTheEnvironmentWithTheirPlayer) {
    Lifeline lifeline;
    auto player = start(forgetful(lifeline.path, ""));
    auto other = start(command({"sleep", "1000"}));
    lifeline.expect_alive();
    abandon(std::move(player));
    lifeline.expect_dead();
}

// Neither parent nor session nor environment shows to which player it belongs.
TEST_F(GuardianTest, KillsUnidentifiedProcessesWithTheLastPlayer) {
    Lifeline lifeline;
    auto player = start(
        forgetful(lifeline.path, "import ctypes\nctypes.CDLL(None).prctl(36, 0, 0, 0, 0)"));
    auto other = start(command({"sleep", "1000"}));
    lifeline.expect_alive();
    const auto process = open_process(player.pid);
    abandon(std::move(player));
    while (::syscall(SYS_pidfd_send_signal, process.get(), 0, nullptr, 0) == 0)
        std::this_thread::yield();  // until the guardian has judged all
    auto last = start(command({"true"}));
    EXPECT_TRUE(wait_ended(last));
    EXPECT_FALSE(readable(lifeline.read.get(), 0ms)) << "it may be the other's";
    abandon(std::move(other));
    lifeline.expect_dead();
}

// Nothing but its environment shows whose it is, and its first thread has none any more.
TEST_F(GuardianTest, KnowsAProcessByTheEnvironmentOfALaterThread) {
    Lifeline lifeline;
    auto player = start(python("import ctypes\nctypes.CDLL(None).prctl(36, 0, 0, 0, 0)\n" +
                                   std::string(kLastForEver) +
                                   "daemonize(end_first_thread)\nwhile True: signal.pause()",
                               lifeline.path));
    auto other = start(command({"sleep", "1000"}));
    lifeline.expect_alive();
    abandon(std::move(player));
    lifeline.expect_dead();
    abandon(std::move(other));
}

// ---- off turn ----

// Stops players in the given way; skips the test if this machine has no such groups.
SpawnRequest resting(SpawnRequest request, Rest rest) {
    request.rest = rest;
    if (rest != Rest::Groups) return request;
    const auto turns = find_turn_groups({}, false);
    if (turns) request.groups = turns->groups;
    return request;
}

bool is_stopped(pid_t pid) {
    const auto process = read_process(pid);
    return process && process->state == 'T';
}

// The group of this guardian's player in a hierarchy; empty: there is none.
std::string own_group_in(const std::string& hierarchy, pid_t guardian) {
    const std::string name = "nimarena-" + std::to_string(guardian) + "-";
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(hierarchy, error)) {
        if (entry.path().filename().string().starts_with(name)) return entry.path();
    }
    return {};
}

class OffTurn : public GuardianTest, public ::testing::WithParamInterface<Rest> {
  protected:
    void SetUp() override {
        if (GetParam() == Rest::Groups && !find_turn_groups({}, false)) {
            GTEST_SKIP() << "no control group can be made here";
        }
    }
};

TEST_P(OffTurn, AnswersOnceItIsWoken) {
    auto player = start(resting(shell("while read line; do echo \"$line\"; done"), GetParam()));
    EXPECT_EQ(player.control.group_cpu().has_value(), GetParam() == Rest::Groups);
    for (const std::string word : {"one", "two", "three"}) {
        player.control.rest();
        player.control.rest();
        write_line(player, word);
        player.control.wake();
        EXPECT_EQ(read_line(player.out.get()), word);
    }
}

TEST_P(OffTurn, ReadsTheQuitThatItWasSent) {
    // On a busy machine it may be killed before it runs; asleep it would be each time.
    EXPECT_TRUE(comes_to([&] {
        auto player = start(resting(shell("read line; exit 7"), GetParam()));
        player.control.rest();
        write_line(player, "quit");
        player.control.end();
        const auto ended = wait_ended(player);
        return ended && ended->code == 7;
    }));
}

TEST_P(OffTurn, IsKilledWithItsChildren) {
    Lifeline line;
    auto player = start(resting(
        shell("(trap '' TERM; echo alive; while :; do :; done) >" + line.path + " & wait"),
        GetParam()));
    line.expect_alive();
    player.control.rest();
    abandon(std::move(player));
    line.expect_dead();
}

INSTANTIATE_TEST_SUITE_P(GuardianTest, OffTurn, ::testing::Values(Rest::Signals, Rest::Groups),
                         [](const auto& tested) {
                             return tested.param == Rest::Signals ? "Signals" : "Groups";
                         });

// The pid of a guardian in another namespace says nothing here; it may just make its group.
TEST_F(GuardianTest, RemovesGroupsThatTheDeadOfItsOwnNamespaceLeft) {
    const auto turns = find_turn_groups({}, false);
    if (!turns) GTEST_SKIP() << "no control group can be made here";
    const pid_t dead = (1 << 22) + ::getpid();  // Linux gives no such pid
    const std::string own =
        turns->groups.front().parent + "/" + group_name(std::to_string(dead) + "-1");
    const std::string of_another = own + "0";
    ASSERT_EQ(::mkdir(own.c_str(), 0755), 0);
    ASSERT_EQ(::mkdir(of_another.c_str(), 0755), 0);
    auto player = start(resting(shell("read line"), Rest::Groups));
    EXPECT_NE(::access(own.c_str(), F_OK), 0);
    EXPECT_EQ(::rmdir(of_another.c_str()), 0);
}

// In version 1 a frozen process does not die. The arena may freeze a group just when the
// guardian, which has seen the player's end, kills the rest of the group.
TEST_F(GuardianTest, RemovesAGroupThatWasFrozenAsItWasKilled) {
    const GroupTree tree = {
        "1 1 0:1 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n"
        "2 1 0:2 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n",
        "2:freezer:/\n1:cpuacct:/\n", [](const std::string&) { return true; },
        [](const std::string& file) { return ::access(file.c_str(), F_OK) == 0; }};
    const auto turns = find_turn_groups({}, false, tree);
    if (!turns) GTEST_SKIP() << "no freezer of version 1 is mounted here";
    auto request = shell("while :; do :; done & echo; read line");
    request.rest = Rest::Groups;
    request.groups = turns->groups;
    auto player = start(request);
    read_line(player.out.get());
    const auto group = own_group_in("/sys/fs/cgroup/freezer", guardian.pid());
    ASSERT_FALSE(group.empty());
    const auto process = open_process(player.pid);
    const protocol::UniqueFd freezer(::open((group + "/freezer.state").c_str(), O_WRONLY));
    ::kill(player.pid, SIGKILL);
    ASSERT_TRUE(readable(process.get()));
    const auto until = Clock::now() + 200ms;
    while (::pwrite(freezer.get(), "FROZEN", 6, 0) == 6 && Clock::now() < until) continue;
    EXPECT_TRUE(comes_to([&] { return ::access(group.c_str(), F_OK) != 0; }));
    EXPECT_TRUE(wait_ended(player));
}

// A player's child in a frozen group of version 1 that its guardian has not made: what a nested
// arena leaves, where such a process does not die.
class FrozenElsewhere : public GuardianTest {
  protected:
    void SetUp() override {
        if (::mkdir(group_.c_str(), 0755) != 0)
            GTEST_SKIP() << "no freezer of version 1 is mounted here";
    }
    void TearDown() override {
        write("freezer.state", "THAWED");
        comes_to([this] { return ::rmdir(group_.c_str()) == 0 || errno != EBUSY; });
    }
    // A descriptor that is readable once the child has died.
    protocol::UniqueFd freeze_child(const PlayerProcess& player) {
        const std::string child = read_line(player.out.get());
        write("cgroup.procs", child);
        write("freezer.state", "FROZEN");
        return open_process(std::stoi(child));
    }
    void write(const std::string& file, const std::string& text) const {
        std::ofstream(group_ + "/" + file) << text << std::flush;
    }

    const std::string group_ =
        "/sys/fs/cgroup/freezer/nimarena-test-" + std::to_string(::getpid());
    const SpawnRequest request_ = shell("sleep 1000 & echo $!; read line");
};

TEST_F(FrozenElsewhere, IsKilledWithItsPlayer) {
    auto player = start(request_);
    const auto child = freeze_child(player);
    write_line(player, "end");
    ASSERT_TRUE(wait_ended(player));
    EXPECT_TRUE(readable(child.get()));
}

TEST_F(FrozenElsewhere, IsKilledWhenTheGuardianIsStopped) {
    std::optional<Guardian> own(*Guardian::start(kPatience));
    auto player = own->spawn(request_);
    ASSERT_TRUE(player);
    const auto child = freeze_child(*player);
    own.reset();
    EXPECT_TRUE(readable(child.get(), 0ms));
}

// An orphan that left the player's session.
TEST_F(GuardianTest, StopsEachDescendantBySignals) {
    auto player = start(resting(python("import os, signal\n"
                                       "if os.fork() == 0:\n"
                                       "    os.setsid()\n"
                                       "    if os.fork() == 0:\n"
                                       "        print(os.getpid(), flush=True)\n"
                                       "        while True: pass\n"
                                       "    os._exit(0)\n"
                                       "os.wait(); signal.pause()\n"),
                                Rest::Signals));
    const pid_t child = std::stoi(read_line(player.out.get()));
    player.control.rest();
    EXPECT_TRUE(comes_to([&] { return is_stopped(player.pid) && is_stopped(child); }));
    player.control.wake();
    EXPECT_TRUE(comes_to([&] { return !is_stopped(player.pid) && !is_stopped(child); }));
}

// The kernel shows it as it shows the dead.
TEST_F(GuardianTest, StopsAPlayerWhoseFirstThreadHasEnded) {
    Lifeline lifeline;
    auto player =
        start(resting(python(std::string(kLastForEver) + "end_first_thread()", lifeline.path),
                      Rest::Signals));
    lifeline.expect_alive();
    EXPECT_FALSE(is_ending(player.pid));
    player.control.rest();
    EXPECT_TRUE(comes_to([&] { return is_stopped(player.pid); }));
    player.control.wake();
    EXPECT_TRUE(comes_to([&] { return !is_stopped(player.pid); }));
    abandon(std::move(player));
    lifeline.expect_dead();
}

// Neither parent, session nor environment identifies it, once its parent has been waited for.
TEST_F(GuardianTest, NeverLetsUnidentifiedProcessesRun) {
    auto player = start(resting(
        python(
            "import ctypes, os, signal\n"
            "ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)\n"  // PR_SET_CHILD_SUBREAPER
            "begin, gate = os.pipe()\n"
            "if os.fork() == 0:\n"
            "    os.setsid()\n"
            "    if os.fork() == 0:\n"
            "        os.dup2(begin, 0)\n"
            "        os.execve('/bin/sh', ['sh', '-c', 'read x; echo $$; while :; do :; done'],"
            " {})\n"
            "    os._exit(0)\n"
            "os.wait(); os.close(gate); signal.pause()\n"),
        Rest::Signals));
    const pid_t stray = std::stoi(read_line(player.out.get()));
    player.control.rest();
    EXPECT_TRUE(comes_to([&] { return is_stopped(player.pid) && is_stopped(stray); }));
    player.control.wake();
    EXPECT_TRUE(comes_to([&] { return !is_stopped(player.pid); }));
    EXPECT_TRUE(is_stopped(stray));
}

TEST_F(GuardianTest, CountsOrphansByTheirGroup) {
    const auto turns = find_turn_groups({}, false);
    if (!turns) GTEST_SKIP() << "no control group can be made here";
    auto player = start(resting(python("import os, signal, time\n"
                                       "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
                                       "if os.fork() == 0:\n"
                                       "    while time.process_time() < 0.2: pass\n"
                                       "    print(flush=True); os._exit(0)\n"
                                       "signal.pause()\n"),
                                Rest::Groups));
    read_line(player.out.get());
    EXPECT_TRUE(comes_to([&] { return *player.control.group_cpu() >= 200ms; }));
}

TEST_F(GuardianTest, SurvivesWhatATerminalOrAnAdministratorSends) {
    ASSERT_EQ(refusal(command({"true"})), "it started");
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGTSTP}) {
        ::kill(guardian.pid(), number);
    }
    EXPECT_EQ(refusal(command({"true"})), "it started");
    EXPECT_EQ(::getsid(guardian.pid()), guardian.pid());
}

TEST_F(GuardianTest, DeathOfTheGuardianEndsPlayersAndIsAnError) {
    auto player = start(command({"sleep", "1000"}));
    const auto process = open_process(player.pid);
    ::kill(guardian.pid(), SIGKILL);
    EXPECT_TRUE(readable(process.get())) << "players die with it";
    ASSERT_TRUE(readable(player.control.fd()));
    const auto ended = player.control.ended();
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().text, "the guardian process is gone, and all players with it");
    player.control.end();
    EXPECT_EQ(refusal(command({"true"})),
              "cannot start 'true': the guardian process is gone, and all players with it");
}

// The same, for a process that the guardian has not seen before.
TEST(Guardian, LeavesNothingThoughItIsKilled) {
    Lifeline lifeline;
    std::optional<Guardian> own(*Guardian::start(kPatience));
    auto player = own->spawn(forgetful(lifeline.path, ""));
    ASSERT_TRUE(player);
    lifeline.expect_alive();
    ::kill(own->pid(), SIGKILL);
    ASSERT_TRUE(readable(player->control.fd())) << "the guardian is dead";
    EXPECT_FALSE(readable(lifeline.read.get(), 0ms)) << "the daemon lives on";
    own.reset();
    EXPECT_TRUE(readable(lifeline.read.get(), 0ms)) << "the destructor waits until all is dead";
    lifeline.expect_dead();
}

TEST_F(GuardianTest, LeavesNoZombies) {
    for (int i = 0; i < 5; ++i) {
        auto player = start(shell("(sleep 0 &) ; exit 0"));
        ASSERT_TRUE(wait_ended(player));
    }
    auto last = start(command({"sleep", "1000"}));
    EXPECT_TRUE(comes_to([&] {
        return std::ranges::none_of(process_table(), [&](const auto& entry) {
            return entry.second.parent == guardian.pid() && entry.first != last.pid;
        });
    }));
}

TEST_F(GuardianTest, LeavesNoDescriptorsBehind) {
    const auto count = [](pid_t pid) {
        return list_numbers("/proc/" + std::to_string(pid) + "/fd").size();
    };
    ASSERT_EQ(refusal(command({"true"})), "it started");
    const auto ours = count(::getpid());
    std::vector<PlayerProcess> players;
    for (int i = 0; i < 10; ++i) players.push_back(start(command({"cat"})));
    EXPECT_EQ(count(::getpid()), ours + 40);
    for (auto& player : players) abandon(std::move(player));
    players.clear();
    EXPECT_EQ(refusal(command({"nowhere"})).substr(0, 13), "cannot start ");
    EXPECT_EQ(count(::getpid()), ours);
    auto last = start(command({"cat"}));
    // Streams, requests, signals, a channel. Three pipes are closed after they have been sent.
    EXPECT_TRUE(comes_to([&] { return count(guardian.pid()) <= 9; }));
}

TEST_F(GuardianTest, TakesRequestsFromManyThreads) {
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([this, t, &right] {
            for (int i = 0; i < 10; ++i) {
                const auto word = std::to_string(t) + "." + std::to_string(i);
                auto player = guardian.spawn(command({"echo", word}));
                if (player && read_all(player->out.get()) == word + "\n" &&
                    wait_ended(*player)->code == 0) {
                    ++right;
                }
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(right, 40);
}

TEST_F(GuardianTest, SaysWhenThisProcessHasTooManyFilesOpen) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const protocol::UniqueFd first_free(::dup(STDIN_FILENO));
    // Room for both ends of the channel, one of which is closed again, and for one of
    // three pipes.
    const rlimit tight{static_cast<rlim_t>(first_free.get()) + 3, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
    const auto player = guardian.spawn(command({"sleep", "1000"}));
    ::setrlimit(RLIMIT_NOFILE, &before);
    ASSERT_FALSE(player);
    EXPECT_EQ(player.error(),
              (Error{Fault::Failed,
                     "cannot start 'sleep': too many files are open here (see: ulimit -n)"}));
    EXPECT_EQ(refusal(command({"true"})), "it started");
}

// In the guardian, and between fork and exec.
TEST_F(GuardianTest, SaysThatNoPlayerIsGuiltyWhereTheGuardianLacksFiles) {
    auto request = command({"true"});
    request.filter = "a filter";
    rlimit limit{};
    ASSERT_EQ(::prlimit(guardian.pid(), RLIMIT_NOFILE, nullptr, &limit), 0);
    std::set<std::string> words;
    for (limit.rlim_cur = 5; limit.rlim_cur < 100; ++limit.rlim_cur) {
        ASSERT_EQ(::prlimit(guardian.pid(), RLIMIT_NOFILE, &limit, nullptr), 0);
        const auto player = guardian.spawn(request);
        if (player) break;
        EXPECT_EQ(player.error().fault, Fault::Failed) << player.error().text;
        words.insert(player.error().text);
    }
    EXPECT_LT(limit.rlim_cur, 100U);
    EXPECT_THAT(words,
                UnorderedElementsAre(
                    "cannot start 'true': too many files are open in the guardian",
                    "cannot start 'true': no pipe: Too many open files",
                    "cannot start 'true': its filter of system calls cannot be passed on: "
                    "Too many open files"));
}

}  // namespace arena::guardian_test
