// Plies per second that the arena referees, compared with two yardsticks of the same bytes in
// the same run: a raw ping-pong between two processes on one core, and a bare epoll loop
// without rules that plays as many games with the same bots, one thread and its bots on each
// core. At the end, the cost of pinning for bots that compute, and the arena's memory a game.
//
//     arena_bench [SECONDS]     about SECONDS a row (default 2)
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include <fmt/format.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPlies = 80;  // of each game

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void pin_to_one_core() {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &set);
    ::sched_setaffinity(0, sizeof set, &set);
}

// The lines of the arena in one game, ply by ply: position with history, and go.
std::vector<std::string> questions() {
    std::vector<std::string> messages;
    std::string history = fmt::format("position fen take{{1}}:{}", kPlies);
    for (int ply = 0; ply < kPlies; ++ply) {
        messages.push_back(history + "\ngo movetime 1000\n");
        history += fmt::format("{}1={}", ply == 0 ? " moves " : " ", kPlies - 1 - ply);
    }
    return messages;
}

// The other side of the ping-pong: one reply for each line.
[[noreturn]] void echo(int in, int out) {
    std::array<char, 65536> piece{};
    constexpr std::string_view kReply = "bestmove 1=40\n";
    for (;;) {
        const ssize_t size = ::read(in, piece.data(), piece.size());
        if (size <= 0) _exit(0);
        if (piece[static_cast<std::size_t>(size) - 1] != '\n') continue;
        if (::write(out, kReply.data(), kReply.size()) < 0) _exit(0);
    }
}

// Round trips a second between this process and a child, both on one core.
double ping_pong(std::array<int, 2> down, std::array<int, 2> up, double seconds) {
    const pid_t child = ::fork();
    if (child == 0) {
        pin_to_one_core();
        ::close(down[1]);
        if (up[0] != down[1]) ::close(up[0]);
        echo(down[0], up[1]);
    }
    ::close(down[0]);
    if (up[1] != down[0]) ::close(up[1]);
    const auto messages = questions();
    std::array<char, 4096> reply{};
    long trips = 0;
    const auto start = Clock::now();
    while (seconds_since(start) < seconds) {
        for (const std::string& message : messages) {
            if (::write(down[1], message.data(), message.size()) < 0) std::abort();
            if (::read(up[0], reply.data(), reply.size()) <= 0) std::abort();
            ++trips;
        }
    }
    const double rate = static_cast<double>(trips) / seconds_since(start);
    ::close(down[1]);
    if (up[0] != down[1]) ::close(up[0]);
    ::waitpid(child, nullptr, 0);
    return rate;
}

double pipe_ping_pong(double seconds) {
    std::array<int, 2> down{};
    std::array<int, 2> up{};
    if (::pipe(down.data()) != 0 || ::pipe(up.data()) != 0) std::abort();
    return ping_pong(down, up, seconds);
}

double tcp_ping_pong(double seconds) {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener, plain, size) != 0 || ::listen(listener, 1) != 0) std::abort();
    ::getsockname(listener, plain, &size);
    const int near = ::socket(AF_INET, SOCK_STREAM, 0);
    if (::connect(near, plain, size) != 0) std::abort();
    const int far = ::accept(listener, nullptr, nullptr);
    for (const int socket : {near, far}) {
        const int on = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    ::close(listener);
    return ping_pong({far, near}, {near, far}, seconds);
}

void pin_to(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(core), &set);
    ::sched_setaffinity(0, sizeof set, &set);
}

std::vector<int> allowed_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(0, sizeof set, &set);
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(static_cast<std::size_t>(core), &set)) cores.push_back(core);
    }
    return cores;
}

// A bot of the loop below, as the arena would start it.
struct LoopBot {
    explicit LoopBot(int core) {
        std::array<int, 2> down{};
        std::array<int, 2> up{};
        if (::pipe2(down.data(), O_CLOEXEC) != 0 || ::pipe2(up.data(), O_CLOEXEC) != 0)
            std::abort();
        pid = ::fork();
        if (pid == 0) {
            pin_to(core);
            ::dup2(down[0], STDIN_FILENO);
            ::dup2(up[1], STDOUT_FILENO);
            ::execl(ZERO_BOT, ZERO_BOT, nullptr);
            _exit(127);
        }
        ::close(down[0]);
        ::close(up[1]);
        to = down[1];
        from = up[0];
    }
    ~LoopBot() {
        ::close(to);
        ::close(from);
        ::waitpid(pid, nullptr, 0);
    }
    LoopBot(const LoopBot&) = delete;
    LoopBot& operator=(const LoopBot&) = delete;

    pid_t pid = 0;
    int to = -1;
    int from = -1;
};

struct LoopGame {
    explicit LoopGame(int core) : bots{LoopBot(core), LoopBot(core)} {}
    std::array<LoopBot, 2> bots;
    std::size_t ply = 0;
};

// One thread of the loop: three system calls a ply.
long play_in_a_loop(std::vector<LoopGame*> games, Clock::time_point end) {
    const auto messages = questions();
    const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
    const auto ask = [&](const LoopGame& game) {
        const std::string& message = messages[game.ply % messages.size()];
        if (::write(game.bots[game.ply % 2].to, message.data(), message.size()) < 0)
            std::abort();
    };
    for (LoopGame* const game : games) {
        for (const LoopBot& bot : game->bots) {
            epoll_event event{EPOLLIN, {game}};
            ::epoll_ctl(epoll, EPOLL_CTL_ADD, bot.from, &event);
        }
        ask(*game);
    }
    long plies = 0;
    std::array<epoll_event, 128> events;
    std::array<char, 4096> reply;
    while (Clock::now() < end) {
        const int ready = ::epoll_wait(epoll, events.data(), events.size(), 100);
        for (int i = 0; i < ready; ++i) {
            LoopGame& game =
                *static_cast<LoopGame*>(events[static_cast<std::size_t>(i)].data.ptr);
            if (::read(game.bots[game.ply % 2].from, reply.data(), reply.size()) <= 0)
                std::abort();
            ++plies;
            ++game.ply;
            ask(game);
        }
    }
    ::close(epoll);
    return plies;
}

// Plies a second of the bare loop with this many games.
double loop_rate(int concurrency, double seconds) {
    const std::vector<int> cores = allowed_cores();
    const std::size_t threads = std::min(cores.size(), static_cast<std::size_t>(concurrency));
    std::vector<std::unique_ptr<LoopGame>> games;
    std::vector<std::vector<LoopGame*>> shares(threads);
    for (std::size_t i = 0; i < static_cast<std::size_t>(concurrency); ++i) {
        games.push_back(std::make_unique<LoopGame>(cores[i % threads]));
        shares[i % threads].push_back(games.back().get());
    }
    const auto start = Clock::now();
    const auto end = start + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(seconds));
    std::vector<long> plies(threads);
    std::vector<std::thread> running;
    for (std::size_t i = 0; i < threads; ++i) {
        running.emplace_back([&, i] {
            pin_to(cores[i]);
            plies[i] = play_in_a_loop(shares[i], end);
        });
    }
    for (std::thread& thread : running) thread.join();
    return static_cast<double>(std::accumulate(plies.begin(), plies.end(), 0L)) /
           seconds_since(start);
}

// The time of a whole match of so many games, from the start of the program to its end.
double match_time(const std::string& arguments, long games, int plies = kPlies) {
    const std::string command =
        fmt::format("{} match {} --position 'take{{1}}:{}' --games {} --quiet >/dev/null",
                    NIM_ARENA, arguments, plies, games);
    const auto start = Clock::now();
    if (std::system(command.c_str()) != 0) {
        fmt::print(stderr, "arena_bench: this failed: {}\n", command);
        std::exit(1);
    }
    return seconds_since(start);
}

// Plies per second without the costs of starting and ending: subtracts the time of a match with
// one game for each of the `concurrency` slots.
double match_rate(const std::string& arguments, long concurrency, double seconds) {
    const long first_games = concurrency + concurrency % 2;
    const double to_start = match_time(arguments, first_games);
    long games = std::max(200L, 4 * first_games);
    for (;;) {
        const double took = match_time(arguments, games) - to_start;
        if (took >= seconds / 2)
            return static_cast<double>((games - first_games) * kPlies) / took;
        const double grow = took > 0.05 ? seconds / took : 10;
        games = static_cast<long>(static_cast<double>(games) * std::min(grow, 10.0)) / 2 * 2;
    }
}

// `zero_bot --listen` for as long as it lives.
class TcpBot {
  public:
    TcpBot() {
        std::array<int, 2> out{};
        if (::pipe(out.data()) != 0) std::abort();
        child_ = ::fork();
        if (child_ == 0) {
            ::dup2(out[1], STDOUT_FILENO);
            ::execl(ZERO_BOT, ZERO_BOT, "--listen", nullptr);
            _exit(127);
        }
        ::close(out[1]);
        std::array<char, 128> line{};
        const ssize_t size = ::read(out[0], line.data(), line.size());
        if (size <= 0) std::abort();
        const std::string text(line.data(), static_cast<std::size_t>(size) - 1);
        address_ = text.substr(text.rfind(' ') + 1);
    }
    ~TcpBot() {
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
    }
    TcpBot(const TcpBot&) = delete;
    TcpBot& operator=(const TcpBot&) = delete;

    std::string player() const { return "tcp://" + address_; }

  private:
    pid_t child_ = 0;
    std::string address_;
};

// `loop`: the rate of the bare loop; 0: there is none.
void print_row(const std::string& what, double rate, double limit, double loop = 0) {
    fmt::print("{:<48}{:>12.0f}{:>10.2f}", what, rate, rate / limit);
    if (loop > 0) fmt::print("{:>10.2f}", rate / loop);
    fmt::print("\n");
    std::fflush(stdout);
}

// Bots that burn 10 ms for each move, so a core can play 100 moves per second: pinning must not
// leave a core idle while games wait.
void print_burners(std::size_t cores) {
    constexpr int kShort = 10;  // plies
    const std::string bots = "'" ZERO_BOT " --burn 10' '" ZERO_BOT " --burn 10'";
    for (const int concurrency : {1, 2, 3, 8}) {
        for (const char* affinity : {"on", "off"}) {
            const std::string arguments =
                fmt::format("{} --concurrency {} --affinity {}", bots, concurrency, affinity);
            const long games = 24;
            const double took = match_time(arguments, games, kShort);
            const double most = 100.0 * static_cast<double>(std::min<std::size_t>(
                                            cores, static_cast<std::size_t>(concurrency)));
            print_row(fmt::format("10 ms of CPU a move, concurrency {}, affinity {}",
                                  concurrency, affinity),
                      static_cast<double>(games * kShort) / took, most);
        }
    }
}

// The most memory that a match of so many games at once takes, in KiB.
long peak_memory(int concurrency) {
    const std::string games = std::to_string(2 * concurrency);
    const std::string at_once = std::to_string(concurrency);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
        ::execl(NIM_ARENA, NIM_ARENA, "match", ZERO_BOT, ZERO_BOT, "--position", "take{1}:80",
                "--games", games.c_str(), "--concurrency", at_once.c_str(), "--quiet", nullptr);
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    if (status == 0) return usage.ru_maxrss;
    fmt::print(stderr, "arena_bench: a match of {} games at once failed\n", concurrency);
    std::exit(1);
}

// The guardian and the bots are processes of their own, and do not count.
void print_memory() {
    constexpr int kFew = 2;
    constexpr int kMany = 202;
    const double more = static_cast<double>(peak_memory(kMany) - peak_memory(kFew));
    fmt::print("{:<48}{:>12.1f}\n", "memory of the arena for each game at once, KiB",
               more / (kMany - kFew));
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 2.0;
    fmt::print("{:<48}{:>12}{:>10}{:>10}\n", "80-ply games, bots that do not think", "plies/s",
               "ratio", "to loop");

    cpu_set_t all;
    ::sched_getaffinity(0, sizeof all, &all);
    pin_to_one_core();
    const double pipes = pipe_ping_pong(seconds);
    const double tcp = tcp_ping_pong(seconds);
    ::sched_setaffinity(0, sizeof all, &all);

    print_row("raw ping-pong over pipes, one core", pipes, pipes);
    const std::string bots = ZERO_BOT " " ZERO_BOT;
    for (const int concurrency : {1, 2, 8, 64}) {
        const double loop = loop_rate(concurrency, seconds);
        print_row(fmt::format("bare epoll loop, {} games at once", concurrency), loop, pipes,
                  loop);
        for (const char* affinity : {"", " --affinity on", " --affinity off"}) {
            print_row(
                fmt::format("arena over pipes, concurrency {}{}", concurrency, affinity),
                match_rate(fmt::format("{} --concurrency {}{}", bots, concurrency, affinity),
                           concurrency, seconds),
                pipes, loop);
        }
    }
    print_burners(allowed_cores().size());
    print_row("raw ping-pong over TCP, one core", tcp, tcp);
    {
        const TcpBot bot;
        const std::string players = bot.player() + " " + bot.player();
        for (const int concurrency : {1, 8}) {
            print_row(fmt::format("arena over TCP, concurrency {}", concurrency),
                      match_rate(fmt::format("{} --concurrency {}", players, concurrency),
                                 concurrency, seconds),
                      tcp);
        }
    }
    for (const char* player : {"random", "perfect"}) {
        print_row(fmt::format("arena, builtin:{0} against builtin:{0}", player),
                  match_rate(fmt::format("builtin:{0} builtin:{0}", player), 2, seconds),
                  pipes);
    }
    print_memory();
}
