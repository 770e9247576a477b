// nim-connect: joins a bot that speaks by its standard input and output to a server.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include "arena/command_line.hpp"
#include "arena/console.hpp"
#include "arena/deadlines.hpp"
#include "arena/exit_codes.hpp"
#include "arena/interrupts.hpp"
#include "arena/play_options.hpp"
#include "arena/sockets.hpp"
#include "arena/tls.hpp"
#include "protocol/endpoint.hpp"
#include "protocol/line_buffer.hpp"
#include "protocol/text.hpp"

extern char** environ;

namespace arena {
namespace {

namespace asio = boost::asio;
using protocol::Error;
using protocol::Fault;
using protocol::Result;
using protocol::UniqueFd;

constexpr std::chrono::seconds kDialTime{15};
constexpr Milliseconds kFirstPause{500};  // before the next try; doubled from one to the next
constexpr Milliseconds kLongestPause{30'000};
constexpr std::size_t kMostOnTheWay = 256 * 1024;  // bytes, each way
constexpr int kMostFailedStarts = 3;               // of the bot, in a row
constexpr std::chrono::milliseconds kLeave{1000};  // for the bot to end by itself
constexpr Milliseconds kLastWords{2000};           // for the server to read what the bot wrote

constexpr std::string_view kHelp =
    R"(Usage: nim-connect --server HOST:PORT --token-file FILE [OPTION]... -- COMMAND...

Joins a bot that speaks by its standard input and output to `nim-arena serve`. Starts COMMAND for each
connection, sends the token in its handshake, and dials again when the connection ends, after a pause
that grows from try to try. What the bot writes to its stderr is passed on.

)";
constexpr std::string_view kHelpTail = R"(
Example:
  nim-connect --server arena.example.org:7000 --tls --token-file ann.token -- python3 my_bot.py

Exit status:
  0        the server has said that it is over
  1        the bot cannot be started, or ends before its handshake again and again
  2        the command line makes no sense
  3        the server refuses the token, or its certificate is not to be trusted
  129/130/143
           interrupted
)";

constexpr std::array kTexts{
    OptionText{"Options", "server", "HOST:PORT", "where to dial; needed"},
    OptionText{"Options", "token-file", "FILE",
               "holds the token that nim-arena token add printed; needed"},
    OptionText{"Options", "tls", nullptr, "by TLS; the server's certificate is verified"},
    OptionText{"Options", "ca", "FILE",
               "a PEM file of who may sign that certificate (default: whom the system trusts)"},
};

struct ConnectOptions {
    protocol::Endpoint server;
    std::string token;
    bool tls = false;
    std::string ca;
    std::vector<std::string> command;
};

void say(std::string_view text) { complain(fmt::format("nim-connect: {}\n", text)); }

Result<std::string> read_token(const std::string& path) {
    const auto text = read_file(path);
    if (!text) return text.error();
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && (status.st_mode & 077) != 0) {
        say(fmt::format("warning: others may read {}: expected chmod 600",
                        protocol::quoted(path)));
    }
    const auto end = std::min(text->find_first_of("\r\n"), text->size());
    std::string token(protocol::trim(std::string_view(*text).substr(0, end)));
    if (!token.empty() && token.find_first_of(" \t") == token.npos) return token;
    return Error{
        Fault::BadInput,
        protocol::quoted(path) + ": expected one word, as nim-arena token add prints it", 0};
}

Result<ConnectOptions> read_options(const std::vector<Argument>& arguments) {
    ConnectOptions options;
    std::string token_file;
    std::string server;
    for (const Argument& argument : arguments) {
        if (argument.option.empty()) options.command.push_back(argument.value);
        if (argument.option == "server") server = argument.value;
        if (argument.option == "token-file") token_file = argument.value;
        if (argument.option == "tls") options.tls = true;
        if (argument.option == "ca") options.ca = argument.value;
    }
    const auto refuse = [](const char* text) { return Error{Fault::BadInput, text, 0}; };
    if (server.empty()) return refuse("expected --server HOST:PORT");
    if (token_file.empty()) return refuse("expected --token-file FILE");
    if (options.command.empty()) return refuse("expected the bot's COMMAND behind --");
    if (!options.ca.empty() && !options.tls) return refuse("--ca is for --tls alone");
    const auto endpoint = protocol::parse_endpoint(server);
    if (!endpoint) return locate("--server", server, endpoint.error());
    options.server = *endpoint;
    auto token = read_token(token_file);
    if (!token) return token.error();
    options.token = *std::move(token);
    return options;
}

// The way to the server, with the thread that carries what goes by TLS.
class Line {
  public:
    Line() = default;
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;
    ~Line() {
        finish();
        io_->stop();
        if (thread_.joinable()) thread_.join();
        // What is dropped in the middle uses the deadlines up to its end.
        deadlines_.close();
        busy_.reset();
        io_.reset();
    }

    // `tls`: null for none. BadInput: the server's certificate is not to be trusted. A signal
    // breaks it off.
    Result<void> open(const protocol::Endpoint& server, const Tls* tls,
                      const Interrupts& interrupts) {
        Result<void> done = Error{Fault::Disconnected, "the dialling was broken off", 0};
        asio::posix::stream_descriptor signals(*io_, ::dup(interrupts.fd()));
        signals.async_wait(asio::posix::stream_descriptor::wait_read,
                           [this](const boost::system::error_code& failed) {
                               if (!failed) io_->stop();
                           });
        auto ended = [this, &done](const std::exception_ptr& error,
                                   const Result<void>& result) {
            if (!error) done = result;
            io_->stop();
        };
        asio::co_spawn(*io_, dial_server(server, tls), ended);
        io_->run();
        if (done && tls != nullptr) {
            io_->restart();
            thread_ = std::thread([this] { io_->run(); });
        }
        return done;
    }

    UniqueFd socket;

  private:
    Awaitable<Result<void>> dial_server(const protocol::Endpoint& server, const Tls* tls) {
        const auto deadline = Clock::now() + kDialTime;
        auto dialled = co_await dial(*io_, deadlines_, server, deadline);
        if (!dialled) co_return dialled.error();
        socket = *std::move(dialled);
        if (tls == nullptr) co_return Result<void>();
        auto bridged = co_await tls->bridge(*io_, deadlines_, std::move(socket), server.host,
                                            deadline);
        if (!bridged) co_return bridged.error();
        socket = *std::move(bridged);
        co_return Result<void>();
    }

    // What was written last is on its way as long as the server has not closed, too.
    void finish() {
        if (!socket) return;
        ::shutdown(socket.get(), SHUT_WR);
        const auto deadline = Clock::now() + kLastWords;
        std::array<char, 4096> unread;
        for (;;) {
            const auto left = std::chrono::ceil<Milliseconds>(deadline - Clock::now());
            pollfd watched{socket.get(), POLLIN, 0};
            if (left.count() <= 0 || ::poll(&watched, 1, static_cast<int>(left.count())) <= 0)
                break;
            const ssize_t size = ::read(socket.get(), unread.data(), unread.size());
            if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) break;
        }
        socket.reset();
    }

    std::unique_ptr<asio::io_context> io_ = std::make_unique<asio::io_context>(1);
    std::optional<asio::executor_work_guard<asio::io_context::executor_type>> busy_{
        io_->get_executor()};
    Deadlines deadlines_{*io_};
    std::thread thread_;
};

// The bot's process, with its pipes; in a group of its own, so that all of it can be ended.
class BotProcess {
  public:
    ~BotProcess() { end(); }

    Result<void> start(const std::vector<std::string>& command) {
        std::array<int, 2> in{}, out{};
        if (::pipe2(in.data(), O_CLOEXEC) != 0) return failure(command, errno);
        UniqueFd in_read(in[0]), in_write(in[1]);
        if (::pipe2(out.data(), O_CLOEXEC) != 0) return failure(command, errno);
        UniqueFd out_read(out[0]), out_write(out[1]);
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, in_read.get(), STDIN_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions, out_write.get(), STDOUT_FILENO);
        posix_spawnattr_t attributes;
        ::posix_spawnattr_init(&attributes);
        sigset_t none, defaults;
        ::sigemptyset(&none);
        ::sigemptyset(&defaults);
        ::sigaddset(&defaults, SIGPIPE);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &defaults);
        ::posix_spawnattr_setpgroup(&attributes, 0);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                    POSIX_SPAWN_SETSIGDEF);
        std::vector<char*> words;
        for (const std::string& word : command)
            words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        const int error =
            ::posix_spawnp(&pid_, words[0], &actions, &attributes, words.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
        if (error != 0) {
            pid_ = -1;
            return failure(command, error);
        }
        input = std::move(in_write);
        output = std::move(out_read);
        ::fcntl(input.get(), F_SETFL, O_NONBLOCK);
        ::fcntl(output.get(), F_SETFL, O_NONBLOCK);
        return {};
    }

    // In steps: the end of its input, SIGTERM, SIGKILL. Gives how it ended.
    std::string end() {
        if (pid_ < 0) return {};
        input.reset();
        int status = 0;
        bool has_ended = wait(status);
        if (!has_ended) {
            ::kill(-pid_, SIGTERM);
            has_ended = wait(status);
        }
        ::kill(-pid_, SIGKILL);  // what it has started, too
        if (!has_ended) ::waitpid(pid_, &status, 0);
        pid_ = -1;
        output.reset();
        if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
        return fmt::format("ended with exit status {}", WEXITSTATUS(status));
    }

    UniqueFd input, output;

  private:
    static Error failure(const std::vector<std::string>& command, int error) {
        return {Fault::BadInput,
                fmt::format("cannot start {}: {}", protocol::quoted(command[0]),
                            std::strerror(error)),
                0};
    }

    bool wait(int& status) const {
        const auto deadline = Clock::now() + kLeave;
        while (Clock::now() < deadline) {
            if (::waitpid(pid_, &status, WNOHANG) == pid_) return true;
            ::poll(nullptr, 0, 10);
        }
        return false;
    }

    pid_t pid_ = -1;
};

// How a connection ended.
struct End {
    enum class Kind { Over, Refused, ServerGone, BotGone, Interrupted };
    Kind kind = Kind::ServerGone;
    std::string why;
};

// Lines one way: those that have come whole, and what is still to be written.
struct Way {
    protocol::LineBuffer lines;
    std::string on_the_way;

    // False: the end, or an error.
    bool read(int from) {
        const auto room = lines.space();
        const ssize_t size = ::read(from, room.data(), room.size());
        if (size > 0) lines.commit(static_cast<std::size_t>(size));
        return size > 0 || (size < 0 && (errno == EAGAIN || errno == EINTR));
    }
    bool write(int to) {
        if (on_the_way.empty()) return true;
        const ssize_t size = ::write(to, on_the_way.data(), on_the_way.size());
        if (size > 0) on_the_way.erase(0, static_cast<std::size_t>(size));
        return size >= 0 || errno == EAGAIN || errno == EINTR;
    }
    bool has_room() const { return on_the_way.size() < kMostOnTheWay; }
};

// One connection, from `ugi` to its end.
class Conversation {
  public:
    Conversation(const std::string& token, int server, BotProcess& bot, Interrupts& interrupts)
        : token_(token), server_(server), bot_(bot), interrupts_(interrupts) {}

    bool was_greeted() const { return was_greeted_; }  // the server has said something
    bool was_admitted() const { return was_admitted_; }
    bool bot_shook_hands() const { return bot_shook_hands_; }

    End run() {
        for (;;) {
            std::array<pollfd, 4> watched{{
                server_events(),
                {to_server_.has_room() ? bot_.output.get() : -1, POLLIN, 0},
                {to_bot_.on_the_way.empty() ? -1 : bot_.input.get(), POLLOUT, 0},
                {interrupts_.fd(), POLLIN, 0},
            }};
            ::poll(watched.data(), watched.size(), -1);
            if (interrupts_.read() != 0) return {End::Kind::Interrupted, {}};
            if (watched[0].revents != 0 && !to_bot_.has_room() &&
                to_server_.on_the_way.empty()) {  // there is nothing but its end
                return {End::Kind::ServerGone, "the server closed the connection"};
            }
            if (watched[0].revents != 0 && to_bot_.has_room()) {
                const bool goes_on = to_bot_.read(server_);
                if (const auto end = take_from_server()) return *end;
                if (!goes_on)
                    return {End::Kind::ServerGone, "the server closed the connection"};
            }
            if (watched[1].revents != 0) {
                const bool goes_on = to_server_.read(bot_.output.get());
                take_from_bot();
                if (!goes_on) {
                    say_last_words();
                    return {End::Kind::BotGone, {}};
                }
            }
            if (!to_server_.write(server_))
                return {End::Kind::ServerGone, std::strerror(errno)};
            if (!to_bot_.write(bot_.input.get())) bot_.input.reset();
            // One that reads no more may still answer.
            if (!bot_.input) to_bot_.on_the_way.clear();
        }
    }

  private:
    pollfd server_events() const {
        const int reads = to_bot_.has_room() ? POLLIN : 0;
        const int writes = to_server_.on_the_way.empty() ? 0 : POLLOUT;
        return {server_, static_cast<short>(reads | writes), 0};
    }

    // Of a bot that has ended, as far as the server takes them in time.
    void say_last_words() {
        const auto deadline = Clock::now() + kLastWords;
        while (to_server_.write(server_) && !to_server_.on_the_way.empty()) {
            const auto left = std::chrono::ceil<Milliseconds>(deadline - Clock::now());
            pollfd watched{server_, POLLOUT, 0};
            if (left.count() <= 0 || ::poll(&watched, 1, static_cast<int>(left.count())) <= 0)
                return;
        }
    }

    std::optional<End> take_from_server() {
        while (const auto line = to_bot_.lines.next_line()) {
            was_greeted_ = true;
            if (!*line) continue;
            std::string_view rest = **line;
            const std::string_view word = protocol::next_word(rest);
            if (word == "refused")
                return End{End::Kind::Refused, protocol::printable(protocol::trim(rest))};
            to_bot_.on_the_way.append(**line).append("\n");
            if (word == "quit") {
                to_bot_.write(bot_.input.get());
                return End{End::Kind::Over, {}};
            }
            // Asked first when the token was taken.
            if (word == "isready" && bot_shook_hands_) was_admitted_ = true;
        }
        return std::nullopt;
    }

    void take_from_bot() {
        while (const auto line = to_server_.lines.next_line()) {
            if (!*line) continue;
            std::string_view rest = **line;
            if (!bot_shook_hands_ && protocol::next_word(rest) == "ugiok") {
                to_server_.on_the_way += "id token " + token_ + "\n";
                bot_shook_hands_ = true;
            }
            to_server_.on_the_way.append(**line).append("\n");
        }
    }

    const std::string& token_;
    int server_;
    BotProcess& bot_;
    Interrupts& interrupts_;
    Way to_bot_, to_server_;
    bool bot_shook_hands_ = false;
    bool was_greeted_ = false;
    bool was_admitted_ = false;
};

// Would another try be refused, too?
bool is_final(std::string_view why) {
    constexpr std::array<std::string_view, 4> kFinal{
        "token:", "name:", "late:", "another connection came"};
    return std::ranges::any_of(kFinal, [&](auto word) { return why.starts_with(word); });
}

class Connector {
  public:
    explicit Connector(const ConnectOptions& options) : options_(options) {}

    int run() {
        if (options_.tls) {
            const auto tls = Tls::client(options_.ca);
            if (!tls) {
                say(tls.error().text);
                return kExitUsage;
            }
            tls_ = *tls;
        }
        for (;;) {
            const auto status = once();
            if (const int signal = interrupts_.read(); signal != 0) return 128 + signal;
            if (status) return *status;
            // Between half of it and all: those who lost the server together come back apart.
            std::uniform_real_distribution<double> jitter(0.5, 1);
            const auto wait =
                std::chrono::duration_cast<Milliseconds>(pause_ * jitter(random_));
            say(fmt::format("trying again in {:.1f} s",
                            static_cast<double>(wait.count()) / 1000));
            pollfd watched{interrupts_.fd(), POLLIN, 0};
            ::poll(&watched, 1, static_cast<int>(wait.count()));
            if (const int signal = interrupts_.read(); signal != 0) return 128 + signal;
            pause_ = std::min(2 * pause_, kLongestPause);
        }
    }

  private:
    // The exit status, where there is no use in another try.
    std::optional<int> once() {
        Line line;
        const auto opened = line.open(options_.server, tls_.get(), interrupts_);
        if (!opened) {
            if (interrupts_.read() != 0) return std::nullopt;
            say(opened.error().text);
            if (opened.error().fault != Fault::BadInput) return std::nullopt;
            say("expected a server that proves to be " + to_string(options_.server) +
                ": ask who runs it for the certificate that signs its own, and say --ca FILE");
            return kExitStartup;
        }
        BotProcess bot;
        const auto started = bot.start(options_.command);
        if (!started) {
            say(started.error().text);
            return kExitInternal;
        }
        Conversation talk(options_.token, line.socket.get(), bot, interrupts_);
        End end = talk.run();
        if (end.kind == End::Kind::ServerGone && !talk.was_greeted() && !options_.tls)
            end.why += " without a word: does it speak TLS? Then say --tls";
        if (talk.was_admitted()) pause_ = kFirstPause;
        if (talk.bot_shook_hands()) failed_starts_ = 0;
        return conclude(end, bot, talk.bot_shook_hands());
    }

    std::optional<int> conclude(const End& end, BotProcess& bot, bool bot_shook_hands) {
        const std::string ended = bot.end();
        switch (end.kind) {
            case End::Kind::Over:
                return kExitPlayed;
            case End::Kind::Refused:
                say("the server refuses: " + end.why);
                if (is_final(end.why)) return kExitStartup;
                return std::nullopt;
            case End::Kind::BotGone:
                say(fmt::format("{} {}", protocol::quoted(options_.command[0]), ended));
                if (!bot_shook_hands && ++failed_starts_ >= kMostFailedStarts) {
                    return kExitInternal;
                }
                return std::nullopt;
            case End::Kind::ServerGone:
                say(end.why);
                return std::nullopt;
            case End::Kind::Interrupted:
                break;
        }
        return std::nullopt;
    }

    const ConnectOptions& options_;
    std::shared_ptr<const Tls> tls_;
    Interrupts interrupts_;
    std::mt19937_64 random_{std::random_device{}()};
    Milliseconds pause_ = kFirstPause;
    int failed_starts_ = 0;
};

int run_connect(const std::vector<std::string>& arguments) {
    const auto split = split_arguments(kTexts, arguments);
    if (split && asks_for_help(*split)) {
        Console console(stdout);
        console.write(fmt::format("{}{}{}", kHelp, describe_options(kTexts), kHelpTail));
        return console.finish(kExitPlayed);
    }
    const auto options = split ? read_options(*split) : Result<ConnectOptions>(split.error());
    if (!options) {
        say(options.error().text + "\nTry 'nim-connect --help' for what it takes.");
        return kExitUsage;
    }
    return Connector(*options).run();
}

}  // namespace
}  // namespace arena

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone is told by write()
    return arena::run_connect({argv + 1, argv + argc});
}
