// A bot for measuring the arena: plays `take{1}:N`, where every move is forced, with as little
// work as the protocol allows. `--burn MS` spends that much CPU time on each move.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

// The size of the heap after our move: one less than the last number of the line.
std::string best_move(std::string_view position) {
    const std::size_t digits = position.find_last_of("=:") + 1;
    int size = 0;
    std::from_chars(position.data() + digits, position.data() + position.size(), size);
    return "bestmove 1=" + std::to_string(size - 1) + "\n";
}

long burn_ms = 0;  // of CPU time for each move

void burn() {
    const auto used = [] {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return time.tv_sec * 1'000'000L + time.tv_nsec / 1000;
    };
    const long end = used() + burn_ms * 1000;
    while (used() < end) {
    }
}

// One session. False after `quit`, or when the peer has ended.
bool answer(std::string_view line, std::string& position, std::string& out) {
    if (line.starts_with("go")) {
        if (burn_ms > 0) burn();
        out += best_move(position);
    } else if (line.starts_with("position"))
        position = line;
    else if (line == "ugi")
        out += "id name zero\nugiok\n";
    else if (line == "isready")
        out += "readyok\n";
    return line != "quit";
}

void serve(int in, int out) {
    std::string text;
    std::string position;
    std::string reply;
    std::array<char, 65536> piece{};
    for (;;) {
        const ssize_t size = ::read(in, piece.data(), piece.size());
        if (size <= 0) return;
        text.append(piece.data(), static_cast<std::size_t>(size));
        std::size_t begin = 0;
        for (std::size_t end = 0; (end = text.find('\n', begin)) != text.npos;
             begin = end + 1) {
            if (!answer(std::string_view(text).substr(begin, end - begin), position, reply))
                return;
        }
        text.erase(0, begin);
        if (!reply.empty() && ::write(out, reply.data(), reply.size()) < 0) return;
        reply.clear();
    }
}

// `--listen`: prints its port and serves every connection.
int listen_for_ever() {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener, plain, size) != 0 || ::listen(listener, 64) != 0) return 1;
    ::getsockname(listener, plain, &size);
    std::printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
    std::fflush(stdout);
    for (;;) {
        const int client = ::accept(listener, nullptr, nullptr);
        if (client < 0) return 1;
        const int on = 1;
        ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        std::thread([client] {
            serve(client, client);
            ::close(client);
        }).detach();
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "--listen") return listen_for_ever();
    if (argc > 2 && std::string_view(argv[1]) == "--burn") burn_ms = std::atol(argv[2]);
    serve(STDIN_FILENO, STDOUT_FILENO);
}
