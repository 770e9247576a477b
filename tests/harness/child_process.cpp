#include "tests/harness/child_process.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "tests/harness/patience.hpp"

namespace protocol::test {
namespace {

bool write_all(int fd, std::string_view text) {
    ::signal(SIGPIPE, SIG_IGN);
    while (!text.empty()) {
        const ssize_t put = ::write(fd, text.data(), text.size());
        if (put < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
}

bool readable(int fd) {
    pollfd entry{.fd = fd, .events = POLLIN, .revents = 0};
    return ::poll(&entry, 1, static_cast<int>(kPatience.count())) > 0;
}

std::optional<std::string> next_line(int fd, LineBuffer& lines) {
    for (;;) {
        if (const auto line = lines.next_line()) {
            return *line ? std::string(**line) : line->error().text;
        }
        if (!readable(fd)) {
            ADD_FAILURE() << "nothing came in time";
            return std::nullopt;
        }
        const auto space = lines.space();
        const ssize_t got = ::read(fd, space.data(), space.size());
        if (got <= 0) {
            const auto rest = lines.rest();
            if (rest && *rest) return std::string(**rest) + " (without a line end)";
            return std::nullopt;
        }
        lines.commit(static_cast<std::size_t>(got));
    }
}

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments) {
    std::array<int, 2> input{};
    std::array<int, 2> output{};
    if (::pipe2(input.data(), O_CLOEXEC) != 0 || ::pipe2(output.data(), O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipe");
    }
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, output[1], STDERR_FILENO);
    std::vector<char*> words;
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    // A shell that runs the tests in its background ignores SIGINT, and so would the program.
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t defaults;
    ::sigemptyset(&defaults);
    ::sigaddset(&defaults, SIGINT);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const int error =
        ::posix_spawnp(&pid_, words[0], &actions, &attributes, words.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(input[0]);
    ::close(output[1]);
    in_ = input[1];
    out_ = output[0];
    if (error != 0) throw std::runtime_error("cannot start " + arguments[0]);
}

ChildProcess::~ChildProcess() {
    close_input();
    close_output();
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
}

bool ChildProcess::write(std::string_view text) const { return write_all(in_, text); }

void ChildProcess::close_input() {
    if (in_ >= 0) ::close(std::exchange(in_, -1));
}

void ChildProcess::close_output() {
    if (out_ >= 0) ::close(std::exchange(out_, -1));
}

void ChildProcess::send_signal(int number) const { ::kill(pid_, number); }

std::optional<std::string> ChildProcess::read_line() { return next_line(out_, lines_); }

std::vector<std::string> ChildProcess::read_lines() {
    std::vector<std::string> lines;
    while (auto line = read_line()) lines.push_back(*std::move(line));
    return lines;
}

int ChildProcess::wait() {
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
    const bool ended = readable(handle);
    ::close(handle);
    if (!ended) return -1;
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Connection::Connection(Connection&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), lines_(std::move(other.lines_)) {}

Connection::~Connection() {
    if (fd_ >= 0) ::close(fd_);
}

Connection Connection::dial(int port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        throw std::runtime_error("cannot connect");
    }
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return Connection(fd);
}

bool Connection::write(std::string_view text) const { return write_all(fd_, text); }
void Connection::shut_down_writing() const { ::shutdown(fd_, SHUT_WR); }

void Connection::reset() {
    const linger none{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    ::close(std::exchange(fd_, -1));
}

std::optional<std::string> Connection::read_line() { return next_line(fd_, lines_); }

Listener::Listener() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* general = reinterpret_cast<sockaddr*>(&address);
    if (::bind(fd_, general, size) != 0 || ::listen(fd_, 8) != 0 ||
        ::getsockname(fd_, general, &size) != 0) {
        throw std::runtime_error("cannot listen");
    }
    port_ = ntohs(address.sin_port);
}

Listener::~Listener() { ::close(fd_); }

Connection Listener::accept() const {
    if (!readable(fd_)) throw std::runtime_error("nobody dialled in");
    return Connection(::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC));
}

}  // namespace protocol::test
