// The program of a bot: its options, and a Session connected to a stream of lines.
//
// There are three streams: standard input and output, a connection that the bot opens
// (--connect), and connections that it accepts (--listen). Each session has a thread that reads
// with blocking calls, which is simpler than an event loop; a bot serves few arenas at a time.
// A lost peer shows as a failed read(), or as a failed write(): socket_writer() then shuts the
// socket down, so that the reading thread sees an end of input. A search that ignores `stop`
// cannot be cancelled: a program of one session exits without waiting for it, and a program of
// many sessions only closes the connection.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <mutex>
#include <span>
#include <thread>

#include <boost/program_options.hpp>

#include "protocol/bot.hpp"
#include "protocol/endpoint.hpp"
#include "protocol/line_buffer.hpp"
#include "protocol/sockets.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace protocol {
namespace {

namespace options = boost::program_options;

constexpr int kUsage = 2;
constexpr int kMaxSessions = 1000;
constexpr std::string_view kTooManySessions =
    "info string error 1000 sessions are open, which is the most; try again later\n";

class FunctionBot : public Bot {
  public:
    explicit FunctionBot(const Choose& function) : function_(function) {}
    std::optional<Move> choose(const Turn& turn) override { return function_(turn); }

  private:
    const Choose& function_;
};

// ---- bytes ----

// Another process that shares stdin may have made it non-blocking.
bool wait_for(int fd, short event, int timeout_ms) {
    pollfd entry{.fd = fd, .events = event, .revents = 0};
    int ready = 0;
    do {
        ready = ::poll(&entry, 1, timeout_ms);
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

// Returns the number of bytes read, 0 at the end of input; nullopt on a lost connection.
std::optional<std::size_t> read_some(int fd, std::span<char> space) {
    for (;;) {
        const ssize_t got = ::read(fd, space.data(), space.size());
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno == EAGAIN) wait_for(fd, POLLIN, -1);
        if (errno != EINTR && errno != EAGAIN) return std::nullopt;
    }
}

// `full_ms`: how long to wait for room, beyond the time that write() itself waits.
bool write_all(int fd, std::string_view bytes, int full_ms) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(fd, bytes.data(), bytes.size());
        if (put >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(put));
        } else if (errno == EAGAIN) {
            if (!wait_for(fd, POLLOUT, full_ms)) return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

// Feeds the lines of `fd` to the session until either ends.
void converse(int fd, Session& session) {
    LineBuffer buffer;
    for (;;) {
        const auto got = read_some(fd, buffer.space());
        if (!got) return;  // a pending answer would reach nobody
        if (*got == 0) break;
        buffer.commit(*got);
        while (const auto line = buffer.next_line()) {
            if (!*line) {
                session.refuse(line->error());
            } else if (!session.feed(**line)) {
                return;
            }
        }
    }
    const auto rest = buffer.rest();
    if (rest && !*rest) session.refuse(rest->error());
    if (rest && *rest && !session.feed(**rest)) return;
    session.finish();
}

// ---- one session a program ----

// Ends the program, even while a search runs.
[[noreturn]] void leave_now(int status) {
    std::fflush(nullptr);
    std::_Exit(status);
}

// A full disk shows only once the text is written out.
void flush_output(const BotInfo& info) {
    if (std::cout.flush()) return;
    const std::string why = std::strerror(errno);
    std::cerr << info.name << ": cannot write the output: " << why << '\n';
    leave_now(EXIT_FAILURE);
}

int talk(int in, const Session::Write& write, const BotInfo& info, const MakeBot& make_bot) {
    Session session(info, make_bot(), write);
    converse(in, session);
    if (session.is_thinking()) leave_now(EXIT_SUCCESS);
    return EXIT_SUCCESS;
}

int talk_over_stdio(const BotInfo& info, const MakeBot& make_bot) {
    // The reading thread would not notice that standard output is closed, so exit here.
    const auto write = [](std::string_view lines) {
        if (!write_all(STDOUT_FILENO, lines, -1)) leave_now(EXIT_FAILURE);
        return true;
    };
    return talk(STDIN_FILENO, write, info, make_bot);
}

// Writes to a socket. If that fails, the thread that reads from it gets an end of input.
Session::Write socket_writer(int fd) {
    return [fd](std::string_view lines) {
        const bool written = write_all(fd, lines, 0);
        if (!written) ::shutdown(fd, SHUT_RDWR);
        return written;
    };
}

int talk_over_connection(const char* program, const Endpoint& endpoint, const BotInfo& info,
                         const MakeBot& make_bot) {
    const auto socket = connect_socket(endpoint);
    if (!socket) {
        std::cerr << program << ": " << socket.error().text << '\n';
        return EXIT_FAILURE;
    }
    return talk(socket->get(), socket_writer(socket->get()), info, make_bot);
}

// ---- many sessions ----

// Counts the open sessions.
class Sessions {
  public:
    bool enter() {
        const std::lock_guard lock(mutex_);
        if (open_ == kMaxSessions) return false;
        ++open_;
        return true;
    }

    void leave() {
        const std::lock_guard lock(mutex_);
        --open_;
    }

  private:
    std::mutex mutex_;
    int open_ = 0;
};

void serve_connection(UniqueFd socket, const BotInfo& info, const MakeBot& make_bot) {
    try {
        Session session(info, make_bot(), socket_writer(socket.get()));
        converse(socket.get(), session);
        ::shutdown(socket.get(), SHUT_RDWR);  // so the peer need not wait for the search to end
    } catch (const std::exception& exception) {
        std::cerr << "a session ended: " << exception.what() << '\n';
    }
}

void start_session(UniqueFd socket, Sessions& sessions, const BotInfo& info,
                   const MakeBot& make_bot) {
    if (!sessions.enter()) {
        write_all(socket.get(), kTooManySessions, 0);
        return;
    }
    try {
        std::thread([&, connection = std::move(socket)]() mutable {
            serve_connection(std::move(connection), info, make_bot);
            sessions.leave();
        }).detach();
    } catch (const std::system_error& error) {
        std::cerr << "no thread for a session: " << error.what() << '\n';
        sessions.leave();
    }
}

int serve(const char* program, const Endpoint& endpoint, const BotInfo& info,
          const MakeBot& make_bot) {
    const auto listening = listen_socket(endpoint);
    if (!listening) {
        std::cerr << program << ": " << listening.error().text << '\n';
        return EXIT_FAILURE;
    }
    std::cout << "listening on " << to_string(listening->endpoint) << '\n';
    flush_output(info);
    Sessions sessions;
    const auto accepted = [&](UniqueFd socket) {
        start_session(std::move(socket), sessions, info, make_bot);
    };
    const Error error = serve_sockets(*listening, accepted);
    std::cerr << program << ": " << error.text << '\n';
    leave_now(EXIT_FAILURE);  // sessions still running refer to this frame
}

// ---- options ----

struct Arguments {
    std::optional<Endpoint> listen, connect;
    bool help = false;
    bool version = false;
    std::optional<std::string> help_format;
};

options::options_description describe_options(bool has_manual) {
    options::options_description description("Options");
    const auto endpoint = [] { return options::value<std::string>()->value_name("HOST:PORT"); };
    auto add = description.add_options();
    add("listen", endpoint(), "serve many sessions over TCP; port 0 takes a free port");
    add("connect", endpoint(), "dial in to an arena that listens");
    add("help,h", "print this help and exit");
    add("version", "print the version and exit");
    if (has_manual) {
        add("help-format", options::value<std::string>()->value_name(kHelpFormats),
            kHelpFormatHelp);
    }
    return description;
}

Result<std::optional<Endpoint>> read_endpoint(const options::variables_map& given,
                                              const std::string& name) {
    if (given.count(name) == 0) return std::optional<Endpoint>();
    const auto endpoint = parse_endpoint(given[name].as<std::string>());
    if (endpoint) return std::optional(*endpoint);
    return Error{Fault::BadInput, "--" + name + ": " + describe(endpoint.error())};
}

Result<Arguments> read_arguments(int argc, char** argv, bool has_manual) {
    namespace style = options::command_line_style;
    const options::options_description description = describe_options(has_manual);
    options::variables_map given;
    try {
        const auto parsed = options::command_line_parser(argc, argv)
                                .options(description)
                                .style(style::unix_style & ~style::allow_guessing)
                                .run();
        for (const auto& option : parsed.options) {
            if (option.position_key < 0) continue;
            if (option.value.front() == "help") return Arguments{{}, {}, true, false, {}};
            return Error{Fault::BadInput,
                         "read " + quoted(option.value.front()) + ", expected an option"};
        }
        options::store(parsed, given);
    } catch (const options::unknown_option& error) {
        constexpr std::array<std::string_view, 5> kKnown{"--listen", "--connect", "--help",
                                                         "--version", "--help-format"};
        return Error{
            Fault::BadInput,
            printable(error.what()) + suggestion(error.get_option_name(),
                                                 std::span(kKnown).first(has_manual ? 5 : 4))};
    } catch (const options::error& error) {
        return Error{Fault::BadInput, printable(error.what())};
    }
    const auto listen = read_endpoint(given, "listen");
    if (!listen) return listen.error();
    const auto connect = read_endpoint(given, "connect");
    if (!connect) return connect.error();
    if (*listen && *connect) {
        return Error{Fault::BadInput, "read both --listen and --connect, expected one"};
    }
    Arguments arguments{*listen, *connect, given.count("help") > 0, given.count("version") > 0,
                        std::nullopt};
    if (given.count("help-format") > 0) {
        arguments.help_format = given["help-format"].as<std::string>();
    }
    return arguments;
}

constexpr const char* kWithoutOptions =
    "Without --listen and --connect it speaks the Universal Game Interface over\n"
    "standard input and output (see protocol/README.md). Try these lines:\n\n"
    "  ugi\n  position fen nim:3,4,5\n  go movetime 100\n  quit\n";

void print_help(const char* program, const BotInfo& info) {
    std::cout << info.name << " plays impartial games.\n\nUsage: " << program
              << " [options]\n\n"
              << describe_options(info.manual != nullptr) << '\n'
              << kWithoutOptions;
    flush_output(info);
}

int print_manual(const BotInfo& info, const std::string& format, std::string_view program) {
    const auto text = info.manual(format, program.substr(program.rfind('/') + 1),
                                  "Plays impartial games.\n\n" + std::string(kWithoutOptions));
    if (text) {
        std::cout << *text;
        flush_output(info);
        return EXIT_SUCCESS;
    }
    std::cerr << program << ": --help-format: " << text.error().text << "; try --help\n";
    return kUsage;
}

}  // namespace

std::vector<OptionHelp> bot_options() {
    std::vector<OptionHelp> all;
    const options::options_description description = describe_options(true);
    for (const auto& option : description.options()) {
        std::string value = option->semantic()->name();
        if (option->semantic()->max_tokens() == 0) value.clear();
        all.push_back({"Options", option->long_name(), "", value, option->description()});
    }
    return all;
}

int bot_main(int argc, char** argv, const BotInfo& info, const MakeBot& make_bot) {
    const auto arguments = read_arguments(argc, argv, info.manual != nullptr);
    if (!arguments) {
        const std::string& text = arguments.error().text;
        std::cerr << argv[0] << ": " << text
                  << (text.ends_with('?') ? " Try --help\n" : "; try --help\n");
        return kUsage;
    }
    if (arguments->help) {
        print_help(argv[0], info);
        return EXIT_SUCCESS;
    }
    if (arguments->help_format) return print_manual(info, *arguments->help_format, argv[0]);
    if (arguments->version) {
        std::cout << info.name << " (Nimarena " NIMARENA_VERSION ")\n";
        flush_output(info);
        return EXIT_SUCCESS;
    }
    std::signal(SIGPIPE, SIG_IGN);  // write() reports a lost peer
    if (arguments->listen) return serve(argv[0], *arguments->listen, info, make_bot);
    if (arguments->connect)
        return talk_over_connection(argv[0], *arguments->connect, info, make_bot);
    return talk_over_stdio(info, make_bot);
}

int bot_main(int argc, char** argv, const BotInfo& info, const Choose& choose) {
    const MakeBot make_bot = [&choose] { return std::make_unique<FunctionBot>(choose); };
    return bot_main(argc, argv, info, make_bot);
}

}  // namespace protocol
