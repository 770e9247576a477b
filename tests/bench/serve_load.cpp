// `nim-arena serve` under the load of many bots: all of them dial in to one server over
// loopback from this process, on one thread, and answer each question with a legal move.
// Measures the arena: its memory for each bot, plies per second, and its delay from the moment
// when a bot begins to write its move until this process sees the opponent's question. The
// delay includes that of this process itself.
//
//     serve_load [--bots N] [--plies N] [--rate N] [-- OPTION...]
//
// N bots (default 10,000) play until so many plies are measured (default 1,200,000), at a total
// rate of so many plies per second (default 20,000; 0: no limit), kept by the thinking time of
// the bots. The options after -- are for serve. Fails if a game was lost by a fault, if a bot
// lost its connection, or if no question followed a move.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <queue>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "arena/players/tokens.hpp"
#include "arena/process/fingerprint.hpp"
#include "protocol/endpoint.hpp"
#include "protocol/unique_fd.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using protocol::UniqueFd;

constexpr std::uint64_t kHeap = 10'000'000'000'000;  // so large that heaps identify games
constexpr std::uint64_t kMostTaken = kHeap / 100;
constexpr int kFewestMoves = 10;  // of a bot in a game, unless its opponent ends it before
constexpr int kMostMoves = 30;
constexpr std::size_t kHandshakes = 200;       // at the same time
constexpr std::chrono::seconds kPatience{60};  // with a silent server

[[noreturn]] void fail(const std::string& why) { throw std::runtime_error(why); }

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

// ---- the server ----

class Server {
  public:
    explicit Server(std::vector<std::string> words) {
        std::array<int, 2> output{};
        if (::pipe2(output.data(), O_CLOEXEC) != 0) fail("no pipe");
        pid_ = ::fork();
        if (pid_ == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            ::dup2(output[1], STDOUT_FILENO);
            std::vector<char*> pointers;
            for (std::string& word : words) pointers.push_back(word.data());
            pointers.push_back(nullptr);
            ::execv(pointers[0], pointers.data());
            _exit(127);
        }
        ::close(output[1]);
        output_.reset(output[0]);
        while (said_.find('\n') == said_.npos && read_output()) {
        }
        constexpr std::string_view kListening = "listening on ";
        const auto where =
            protocol::parse_endpoint(std::string_view(said_)
                                         .substr(0, said_.find('\n'))
                                         .substr(std::min(said_.size(), kListening.size())));
        if (!said_.starts_with(kListening) || !where) {
            fail("serve said '" + said_ + "', expected '" + std::string(kListening) + "…'");
        }
        port_ = where->port;
    }

    ~Server() {
        if (has_ended_) return;
        ::kill(pid_, SIGKILL);
        wait();
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    std::uint16_t port() const { return port_; }
    int output() const { return output_.get(); }
    const std::string& said() const { return said_; }
    void stop() const { ::kill(pid_, SIGTERM); }

    // False at its end.
    bool read_output() {
        std::array<char, 65536> piece;
        const auto size = ::read(output_.get(), piece.data(), piece.size());
        if (size > 0) said_.append(piece.data(), static_cast<std::size_t>(size));
        return size > 0;
    }

    // The exit status; 128 + N for a signal.
    int wait() {
        int status = 0;
        ::waitpid(pid_, &status, 0);
        has_ended_ = true;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    // Proportional set size in bytes: shared pages count in part.
    double memory() const {
        std::ifstream file(fmt::format("/proc/{}/smaps_rollup", pid_));
        for (std::string line; std::getline(file, line);) {
            if (line.starts_with("Pss:")) return 1024 * std::atof(line.c_str() + 4);
        }
        fail("cannot read the memory of serve");
    }

    // Seconds of CPU time up to now.
    double cpu() const {
        std::ifstream file(fmt::format("/proc/{}/stat", pid_));
        std::string line;
        std::getline(file, line);
        std::istringstream fields(line.substr(line.rfind(')') + 2));
        std::string skipped;
        for (int i = 3; i < 14; ++i) fields >> skipped;
        double user = 0;
        double system = 0;
        fields >> user >> system;
        return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    }

  private:
    pid_t pid_ = -1;
    bool has_ended_ = false;
    UniqueFd output_;
    std::string said_;
    std::uint16_t port_ = 0;
};

double own_cpu() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto in_seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime);
}

// ---- the bots ----

struct Bot {
    UniqueFd socket;
    std::string secret;
    std::string unread;         // after the last line end
    std::uint64_t heap = 0;     // in the last position that it was sent
    bool is_start = true;       // nobody has moved there
    int moves_left = 0;         // before it takes the whole heap
    bool is_connected = false;  // it has answered the first `isready`
    bool is_gone = false;
};

// The counts during the measurement.
struct Measured {
    std::vector<float> delays;  // milliseconds
    std::uint64_t games = 0;
    double boards = 0;  // sum over plies, for the mean
    std::uint64_t most_boards = 0;
};

class Bots {
  public:
    Bots(Server& server, std::vector<std::string> secrets, std::uint64_t rate)
        : server_(server), rate_(rate), bots_(secrets.size()), epoll_(::epoll_create1(0)) {
        for (std::size_t i = 0; i < bots_.size(); ++i) bots_[i].secret = std::move(secrets[i]);
        watch(server.output(), kServer);
    }

    std::size_t connected() const { return connected_; }
    std::uint64_t boards() const { return begun_ - ended_; }  // games in play
    std::uint64_t begun() const { return begun_; }
    std::uint64_t ended() const { return ended_; }
    std::uint64_t unasked() const { return answered_.size(); }
    bool server_ended() const { return server_ended_; }
    Measured& measured() { return measured_; }

    void dial(std::size_t number) {
        UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (!socket) fail("no socket: is `ulimit -n` too low?");
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(server_.port());
        const auto* plain = reinterpret_cast<const sockaddr*>(&address);
        if (::connect(socket.get(), plain, sizeof address) != 0) fail("cannot connect");
        const int on = 1;
        ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        ::fcntl(socket.get(), F_SETFL, O_NONBLOCK);
        watch(socket.get(), number);
        bots_[number].socket = std::move(socket);
    }

    // Bots up to number `count`, a limited number of handshakes at a time.
    void connect(std::size_t count) {
        run([&] {
            while (dialled_ < count && dialled_ - connected_ < kHandshakes) dial(dialled_++);
            return connected_ == count;
        });
    }

    // The server was asked to end: bots continue to play, and connections may end.
    void begin_end() { is_ending_ = true; }
    void measure(bool on) { is_measuring_ = on; }

    // Plays until `done`, which is tested from time to time.
    void run(const std::function<bool()>& done) {
        heard_ = Clock::now();
        while (!done()) turn();
    }

  private:
    static constexpr std::uint64_t kServer = ~std::uint64_t{0};
    struct Due {
        Clock::time_point at;
        std::size_t bot;
        bool operator<(const Due& other) const { return at > other.at; }
    };

    void watch(int fd, std::uint64_t number) const {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.u64 = number;
        ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
    }

    void turn() {
        std::array<epoll_event, 128> events;
        const int count = ::epoll_wait(epoll_.get(), events.data(), events.size(), timeout());
        now_ = Clock::now();
        if (count > 0) heard_ = now_;
        if (now_ - heard_ > kPatience) fail("serve has said nothing for a minute");
        for (int i = 0; i < count; ++i) {
            const auto number = events[static_cast<std::size_t>(i)].data.u64;
            if (number == kServer) {
                hear_server();
            } else {
                hear(number);
            }
        }
        // Not too many at a time, so that new events are seen soon.
        for (int i = 0; i < 64 && !due_.empty() && due_.top().at <= now_; ++i) {
            const std::size_t bot = due_.top().bot;
            due_.pop();
            answer(bots_[bot]);
        }
    }

    int timeout() const {
        if (due_.empty()) return 100;
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(due_.top().at - Clock::now());
        return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 100));
    }

    void hear_server() {
        if (server_.read_output()) return;
        server_ended_ = true;
        ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, server_.output(), nullptr);
        if (!is_ending_) fail("serve ended too early: " + server_.said());
    }

    void hear(std::size_t number) {
        Bot& bot = bots_[number];
        const auto size = ::read(bot.socket.get(), piece_.data(), piece_.size());
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (size <= 0) return lose(bot);
        std::string_view text(piece_.data(), static_cast<std::size_t>(size));
        if (!bot.unread.empty()) {
            bot.unread += text;
            joined_.swap(bot.unread);
            bot.unread.clear();
            text = joined_;
        }
        for (auto end = text.find('\n'); end != text.npos; end = text.find('\n')) {
            obey(number, text.substr(0, end));
            text.remove_prefix(end + 1);
        }
        bot.unread = text;
    }

    void lose(Bot& bot) {
        if (!is_ending_) fail("a bot lost its connection: " + bot.unread);
        bot.is_gone = true;
        bot.socket.reset();
    }

    void obey(std::size_t number, std::string_view line) {
        Bot& bot = bots_[number];
        if (line.starts_with("position ")) {
            read_position(bot, line);
        } else if (line.starts_with("go")) {
            take_question(number);
        } else if (line == "isready") {
            say(bot, "readyok\n");
            if (!std::exchange(bot.is_connected, true)) ++connected_;
        } else if (line == "uginewgame") {
            bot.moves_left =
                kFewestMoves + static_cast<int>(random_() % (kMostMoves - kFewestMoves));
        } else if (line == "ugi") {
            say(bot, fmt::format("id name bot {}\nid token {}\nugiok\n", number, bot.secret));
        } else if (line.starts_with("refused ") && !is_ending_) {
            fail("a bot was " + std::string(line));
        }
    }

    // The size of the heap: the last number of the line.
    static void read_position(Bot& bot, std::string_view line) {
        const auto digits = line.find_last_of("=:") + 1;
        const auto read =
            std::from_chars(line.data() + digits, line.data() + line.size(), bot.heap);
        if (read.ec != std::errc() || read.ptr != line.data() + line.size()) {
            fail("serve sent '" + std::string(line) + "', expected a heap of nim");
        }
        bot.is_start = line[digits - 1] == ':';
    }

    void take_question(std::size_t number) {
        const Bot& bot = bots_[number];
        if (bot.is_start) {
            ++begun_;
        } else {
            const auto written = answered_.find(bot.heap);
            if (written == answered_.end()) fail("serve asked after a move that nobody made");
            if (is_measuring_) {
                measured_.delays.push_back(
                    static_cast<float>(1000 * seconds(now_ - written->second)));
                measured_.boards += static_cast<double>(boards());
                measured_.most_boards = std::max(measured_.most_boards, boards());
            }
            answered_.erase(written);
        }
        due_.push({now_ + time_for_a_move(), number});
    }

    // The thinking time with which all boards together reach the rate.
    Clock::duration time_for_a_move() {
        if (rate_ == 0) return {};
        const double mean = static_cast<double>(boards()) / static_cast<double>(rate_);
        std::uniform_real_distribution<double> around(0.5 * mean, 1.5 * mean);
        return std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(around(random_)));
    }

    void answer(Bot& bot) {
        if (bot.is_gone) return;
        const std::uint64_t most = std::min(bot.heap, kMostTaken);
        const bool ends = --bot.moves_left <= 0 || most < 2;
        const std::uint64_t left = ends ? 0 : bot.heap - 1 - random_() % (most - 1);
        if (ends) {
            ++ended_;
            measured_.games += is_measuring_;
        } else {
            answered_[left] = Clock::now();
        }
        say(bot, fmt::format("bestmove 1={}\n", left));
    }

    void say(Bot& bot, std::string_view text) {
        const auto written = ::send(bot.socket.get(), text.data(), text.size(), MSG_NOSIGNAL);
        if (written == static_cast<ssize_t>(text.size())) return;
        if (!is_ending_) fail("a bot could not write its answer");
    }

    Server& server_;
    const std::uint64_t rate_;
    std::vector<Bot> bots_;
    UniqueFd epoll_;
    std::array<char, 65536> piece_;
    std::string joined_;
    std::mt19937_64 random_{1};
    Clock::time_point now_ = Clock::now();
    Clock::time_point heard_ = now_;  // the time of the last input
    std::priority_queue<Due> due_;
    std::unordered_map<std::uint64_t, Clock::time_point>
        answered_;  // by the heap after the move
    std::size_t dialled_ = 0;
    std::size_t connected_ = 0;
    std::uint64_t begun_ = 0;
    std::uint64_t ended_ = 0;
    bool is_measuring_ = false;
    bool is_ending_ = false;
    bool server_ended_ = false;
    Measured measured_;
};

// ---- what was measured ----

struct Options {
    std::uint64_t bots = 10'000;
    std::uint64_t plies = 1'200'000;
    std::uint64_t rate = 20'000;
    std::vector<std::string> serve;
};

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--") {
            options.serve.assign(argv + i + 1, argv + argc);
            break;
        }
        std::uint64_t* target = nullptr;
        if (word == "--bots") target = &options.bots;
        if (word == "--plies") target = &options.plies;
        if (word == "--rate") target = &options.rate;
        if (target == nullptr || i + 1 == argc) {
            fail("expected [--bots N] [--plies N] [--rate N] [-- OPTION...]");
        }
        const std::string_view number = argv[++i];
        const auto end = number.data() + number.size();
        const auto read = std::from_chars(number.data(), end, *target);
        if (read.ec != std::errc() || read.ptr != end) {
            fail(fmt::format("{}: read '{}', expected a number", word, number));
        }
    }
    if (options.bots < 4 || options.bots % 2 != 0)
        fail("--bots: expected 4 or more, an even number");
    return options;
}

void row(std::string_view what, const std::string& value, const std::string& aim = "") {
    fmt::print("{:<44}{:>14}{:>12}\n", what, value, aim);
}

std::string kib(double bytes) { return fmt::format("{:.1f} KiB", bytes / 1024); }

float percentile(const std::vector<float>& sorted, double share) {
    if (sorted.empty()) return 0;
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

void raise_file_limit(std::uint64_t bots) {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max < bots + 64) {
        fail(fmt::format("{} bots need as many files, and the hard limit is {}: see ulimit -Hn",
                         bots, limit.rlim_max));
    }
}

std::vector<std::string> make_tokens(const std::string& path, std::uint64_t count) {
    std::vector<std::string> secrets;
    std::ofstream file(path);
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto secret = arena::draw_secret();
        if (!secret) fail(secret.error().text);
        file << arena::sha256_of(*secret) << " bot " << i << '\n';
        secrets.push_back(*secret);
    }
    if (!file.flush()) fail("cannot write " + path);
    return secrets;
}

// Checks the report of serve: no fault, and as many games as were played here.
void check_end(Server& server, std::uint64_t games) {
    const int status = server.wait();
    const std::string& said = server.said();
    const std::string recorded = fmt::format("interrupted: {} games recorded", games);
    if (said.find(" game by ") != said.npos || said.find(" games by ") != said.npos) {
        fail("games were lost by faults:\n" + said);
    }
    if (said.find(recorded) == said.npos || status != 128 + SIGTERM) {
        fail(fmt::format("serve ended with status {}, expected '{}':\n{}", status, recorded,
                         said));
    }
}

void measure(const Options& options, const std::string& folder) {
    auto secrets = make_tokens(folder + "/tokens", options.bots);
    std::vector<std::string> words{NIM_ARENA,
                                   "serve",
                                   "--listen",
                                   "127.0.0.1:0",
                                   "--tokens",
                                   folder + "/tokens",
                                   "--record",
                                   folder + "/record.db",
                                   "--position",
                                   fmt::format("nim:{}", kHeap),
                                   "--await",
                                   std::to_string(options.bots),
                                   "--concurrency",
                                   std::to_string(options.bots / 2),
                                   "--unproven",  // all from one address
                                   std::to_string(options.bots),
                                   "--seed",
                                   "1",
                                   "--quiet"};
    words.insert(words.end(), options.serve.begin(), options.serve.end());
    Server server(words);
    const double bots = static_cast<double>(options.bots);
    const double empty = server.memory();
    auto start = Clock::now();
    const auto since_start = [&start] { return seconds(Clock::now() - start); };
    Bots all(server, std::move(secrets), options.rate);
    all.connect(options.bots - 1);
    row("", "measured", "aim");
    row("connections", fmt::format("{}", options.bots), "10000");
    row("  handshakes a second", fmt::format("{:.0f}", (bots - 1) / since_start()));
    row("  memory of the arena for each", kib((server.memory() - empty) / bots), "< 16 KiB");

    start = Clock::now();
    all.connect(options.bots);
    all.run([&] { return all.begun() >= options.bots / 2; });
    row("until every bot had a game", fmt::format("{:.2f} s", since_start()));

    start = Clock::now();
    const double cpu = server.cpu();
    const double cpu_here = own_cpu();
    all.measure(true);
    Measured& measured = all.measured();
    all.run([&] { return measured.delays.size() >= options.plies; });
    all.measure(false);
    const double time = since_start();
    const auto share_of_core = [time](double used) {
        return fmt::format("{:.0f}%", 100 * used / time);
    };
    const double plies = static_cast<double>(measured.delays.size());
    row("games at once, most", fmt::format("{}", measured.most_boards), "5000");
    row("  mean, with the ends of rounds", fmt::format("{:.0f}", measured.boards / plies));
    row("  games a second", fmt::format("{:.0f}", static_cast<double>(measured.games) / time));
    row("  plies a second", fmt::format("{:.0f}", plies / time), "20000");
    row("  memory of the arena for each connection", kib((server.memory() - empty) / bots),
        "< 16 KiB");
    row("  CPU time of the arena, of a core", share_of_core(server.cpu() - cpu));
    row("  the same of all bots together", share_of_core(own_cpu() - cpu_here));
    std::ranges::sort(measured.delays);
    const auto shown = [&](double share) {
        return fmt::format("{:.2f} ms", percentile(measured.delays, share));
    };
    row("the arena's own delay, p50", shown(0.5));
    row("  p99", shown(0.99), "< 50 ms");
    row("  p99.9", shown(0.999));
    row("  longest", shown(1));

    all.begin_end();
    server.stop();
    all.run([&] { return all.server_ended(); });
    check_end(server, all.ended());
    if (all.unasked() > 0)
        fail(fmt::format("{} moves were followed by nothing", all.unasked()));
    row("games lost by a fault", "0", "0");
}

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::string folder = std::filesystem::temp_directory_path() / "serve_load.XXXXXX";
    int status = 1;
    try {
        const Options options = parse(argc, argv);
        raise_file_limit(options.bots);
        if (::mkdtemp(folder.data()) == nullptr) fail("no directory for its files");
        measure(options, folder);
        status = 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "serve_load: {}\n", error.what());
    }
    std::filesystem::remove_all(folder);
    return status;
}
