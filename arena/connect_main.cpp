// nim-connect: connects a bot that speaks over standard input and output to `nim-arena serve`.
// Two coroutines relay the lines, one for each direction (Relay); the program adds the token to
// the handshake, shows the server's notices to the bot's owner, and dials again after a lost
// connection. The bot is started anew for each connection, so it needs no code for a second
// handshake.
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "arena/base/bad_input.hpp"
#include "arena/base/console.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/files.hpp"
#include "arena/base/option_table.hpp"
#include "arena/base/run_alone.hpp"
#include "arena/players/connection.hpp"
#include "arena/players/sockets.hpp"
#include "arena/players/tls.hpp"
#include "arena/process/child.hpp"
#include "arena/process/guardian.hpp"
#include "protocol/endpoint.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace asio = boost::asio;
using protocol::Fault;
using protocol::Result;
using protocol::UniqueFd;

constexpr std::chrono::seconds kDialTime{15};
constexpr Milliseconds kFirstPause{500};  // before the next try; doubled each time
constexpr Milliseconds kLongestPause{30'000};
constexpr int kMostFailedStarts = 3;      // of the bot, in a row
constexpr Milliseconds kLeave{1000};      // for the bot to exit, and again after it is killed
constexpr Milliseconds kLastWords{2000};  // for the server to read the last lines of the bot
constexpr Milliseconds kStalled{60'000};  // for a reader that reads nothing

constexpr std::string_view kHelp =
    R"(Usage: nim-connect --server HOST:PORT --token-file FILE [OPTION]... -- COMMAND...

Connects a bot that speaks over standard input and output to `nim-arena serve`. Starts COMMAND
for each connection, sends the token in its handshake, and dials again when the connection ends,
after a pause that grows with each try. Prints on stderr how many players the server still waits
for, the result of each game, and the stderr of the bot.

)";
constexpr std::string_view kHelpTail = R"(
Example:
  nim-connect --server arena.example.org:7000 --tls --token-file ann.token -- python3 my_bot.py

Exit status:
  0        the server has ended the contest
  1        the bot cannot be started, or ends before its handshake several times in a row
  2        the command line is wrong
  3        the server refuses the token, or its certificate is not trusted
  129/130/143
           interrupted

`nim-connect --help-format man|bash|zsh|fish` prints this as a page for man, or the completions
for a shell.
)";

struct ConnectOptions {
    protocol::Endpoint server;
    std::string token_file;
    std::string token;
    bool tls = false;
    std::string ca;
    bool version = false;
    std::vector<std::string> command;
};

OptionTable<ConnectOptions> connect_table() {
    return {
        endpoint({"Options", "server", "HOST:PORT", "the address of the server; required"},
                 &ConnectOptions::server),
        text({"Options", "token-file", "FILE",
              "the file with the token that nim-arena token add printed; required"},
             &ConnectOptions::token_file, "a file"),
        flag({"Options", "tls", nullptr, "use TLS; the server's certificate is verified"},
             &ConnectOptions::tls),
        text({"Options", "ca", "FILE",
              "a PEM file of authorities that may sign it (default: those of the system)"},
             &ConnectOptions::ca, "a file"),
        flag({"Options", "version", nullptr, "print the version"}, &ConnectOptions::version),
    };
}

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
    return bad_input("{}: expected one word, as nim-arena token add prints it",
                     protocol::quoted(path));
}

Result<void> finish(ConnectOptions& options, const Given& given) {
    if (options.version) return {};
    if (!given.contains("server")) return bad_input("expected --server HOST:PORT");
    if (!given.contains("token-file")) return bad_input("expected --token-file FILE");
    if (options.command.empty()) return bad_input("expected the bot's COMMAND after --");
    if (!options.ca.empty() && !options.tls) return bad_input("--ca is for --tls alone");
    auto token = read_token(options.token_file);
    if (!token) return token.error();
    options.token = *std::move(token);
    return {};
}

// How a connection ended.
struct End {
    enum class Kind { Over, Refused, ServerGone, BotGone, Interrupted };
    Kind kind = Kind::ServerGone;
    std::string why = {};
};

// One connection from `ugi` to its end: two coroutines, one for each direction, which end with
// the socket and the pipes.
class Relay : public std::enable_shared_from_this<Relay> {
  public:
    Relay(const AloneContext& context, const std::string& token, UniqueFd server,
          PlayerProcess& bot)
        : token_(token),
          socket_(std::move(server)),
          changed_(context.io, SteadyClock::time_point::max()),
          to_server_(std::make_unique<Connection>(context.io, context.deadlines,
                                                  UniqueFd(::dup(socket_.get())),
                                                  std::move(bot.out), kNoReplyLimit)),
          to_bot_(std::make_unique<Connection>(context.io, context.deadlines, std::move(bot.in),
                                               UniqueFd(::dup(socket_.get())), kNoReplyLimit)) {
    }

    // Returns when either side has ended.
    Awaitable<End> run() {
        const auto executor = changed_.get_executor();
        asio::co_spawn(executor, pass_to_bot(shared_from_this()), rethrow);
        asio::co_spawn(executor, pass_to_server(shared_from_this()), rethrow);
        while (!end_) co_await wait_for_change(Clock::time_point::max());
        co_return *end_;
    }

    // Only the first reason counts.
    void end(End::Kind kind, std::string why = {}) {
        if (!end_) end_ = End{kind, std::move(why)};
        changed_.cancel();
    }

    void bot_has_ended() {
        if (to_server_) to_server_->peer_ended();
    }
    void end_input() { to_bot_->end_input(); }

    // Waits for the server to close, too: else the last lines could be lost.
    Awaitable<void> close() {
        ::shutdown(socket_.get(), SHUT_WR);
        const auto deadline = Clock::now() + kLastWords;
        while (!server_gone_ && Clock::now() < deadline) co_await wait_for_change(deadline);
        to_bot_.reset();
        to_server_.reset();
        socket_.reset();
    }

    bool was_greeted() const { return was_greeted_; }  // the server has said something
    bool was_admitted() const { return was_admitted_; }
    bool bot_shook_hands() const { return bot_shook_hands_; }

  private:
    static void rethrow(const std::exception_ptr& error) {
        if (error) std::rethrow_exception(error);
    }

    Awaitable<void> wait_for_change(Clock::time_point deadline) {
        changed_.expires_at(Clock::real(deadline));
        boost::system::error_code ignored;
        co_await changed_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }

    static Awaitable<void> pass_to_bot(std::shared_ptr<Relay> relay) {
        bool bot_reads = true;  // a bot that reads no more may still answer
        while (relay->to_bot_) {
            const auto line = co_await relay->to_bot_->read_line(Clock::time_point::max());
            if (!line && line.error().fault == Fault::TooLong) continue;
            if (!line) {
                relay->server_gone_ = true;
                co_return relay->end(End::Kind::ServerGone, "the server closed the connection");
            }
            if (relay->end_) continue;
            relay->was_greeted_ = true;
            std::string_view rest = *line;
            const std::string_view word = protocol::next_word(rest);
            if (word == "refused") {
                relay->end(End::Kind::Refused, protocol::printable(protocol::trim(rest)));
                continue;
            }
            if (word == "info") {           // for the owner of the bot
                protocol::next_word(rest);  // `string`
                say(protocol::printable(protocol::trim(rest)));
                continue;
            }
            const bool is_over = word == "quit";
            // The server sends this only after it has accepted the token.
            if (word == "isready" && relay->bot_shook_hands_) relay->was_admitted_ = true;
            const std::string message = std::string(*line) + "\n";
            if (bot_reads) {
                const auto written =
                    co_await relay->to_bot_->write(message, Clock::now() + kStalled);
                bot_reads = written.has_value();
            }
            if (is_over) relay->end(End::Kind::Over);
        }
    }

    static Awaitable<void> pass_to_server(std::shared_ptr<Relay> relay) {
        while (relay->to_server_) {
            const auto line = co_await relay->to_server_->read_line(Clock::time_point::max());
            if (!line && line.error().fault == Fault::TooLong) continue;
            if (!line) co_return relay->end(End::Kind::BotGone);
            std::string message = std::string(*line) + "\n";
            std::string_view words = *line;
            if (!relay->bot_shook_hands_ && protocol::next_word(words) == "ugiok") {
                message.insert(0, "id token " + relay->token_ + "\nid notices on\n");
                relay->bot_shook_hands_ = true;
            }
            const auto written =
                co_await relay->to_server_->write(message, Clock::now() + kStalled);
            if (!written) co_return relay->end(End::Kind::ServerGone, written.error().text);
        }
    }

    const std::string& token_;
    UniqueFd socket_;
    asio::steady_timer changed_;
    // Each belongs to one coroutine, which reads from one side and writes to the other.
    std::unique_ptr<Connection> to_server_, to_bot_;
    std::optional<End> end_;
    bool server_gone_ = false;
    bool bot_shook_hands_ = false;
    bool was_greeted_ = false;
    bool was_admitted_ = false;
};

// Whether another try would be refused, too.
bool is_final(std::string_view why) {
    constexpr std::array<std::string_view, 5> kFinal{
        "token:", "name:", "late:", "tls:", "another connection came"};
    return std::ranges::any_of(kFinal, [&](auto word) { return why.starts_with(word); });
}

class Connector {
  public:
    Connector(const ConnectOptions& options, const Guardian& guardian)
        : options_(options), guardian_(guardian) {}

    int run() {
        if (options_.tls) {
            auto tls = Tls::client(options_.ca);
            if (!tls) {
                say(tls.error().text);
                return kExitUsage;
            }
            tls_ = *std::move(tls);
        }
        int status = kExitPlayed;
        // A connection ends in order; a dial or a pause is dropped.
        const auto on_signal = [this] {
            is_interrupted_ = true;
            if (relay_) relay_->end(End::Kind::Interrupted);
            return relay_ != nullptr;
        };
        const int signal = run_alone(
            [&](const AloneContext& context) -> Awaitable<void> {
                status = co_await connect(context);
            },
            on_signal);
        return signal != 0 ? 128 + signal : status;
    }

  private:
    // Dials until another try is useless. Returns the exit status.
    Awaitable<int> connect(const AloneContext& context) {
        for (;;) {
            const auto status = co_await once(context);
            if (status || is_interrupted_) co_return status.value_or(kExitPlayed);
            // Random, so that bots that lost the server together do not return together.
            std::uniform_real_distribution<double> jitter(0.5, 1);
            const auto wait =
                std::chrono::duration_cast<Milliseconds>(pause_ * jitter(random_));
            say(fmt::format("trying again in {:.1f} s",
                            static_cast<double>(wait.count()) / 1000));
            asio::steady_timer timer(context.io, wait);
            co_await timer.async_wait(asio::use_awaitable);
            pause_ = std::min(2 * pause_, kLongestPause);
        }
    }

    // The exit status if another try is useless.
    Awaitable<std::optional<int>> once(const AloneContext& context) {
        auto server = co_await dial_server(context);
        if (!server) {
            say(server.error().text);
            if (server.error().fault != Fault::BadInput) co_return std::nullopt;
            say("expected a server that proves to be " + to_string(options_.server) +
                ": ask who runs it for the certificate that signs its own, and say --ca FILE");
            co_return kExitStartup;
        }
        SpawnRequest request;
        request.command = options_.command;
        auto bot = guardian_.spawn(request);
        if (!bot) {
            say(bot.error().text);
            co_return kExitInternal;
        }
        relay_ = std::make_shared<Relay>(context, options_.token, *std::move(server), *bot);
        Child child(
            context.io, *bot, [](std::string_view text) { complain(text); },
            [relay = relay_] { relay->bot_has_ended(); });
        End end = co_await relay_->run();
        if (end.kind == End::Kind::ServerGone && !relay_->was_greeted() && !options_.tls)
            end.why += " without a word: does it speak TLS? Then say --tls";
        if (relay_->was_admitted()) pause_ = kFirstPause;
        if (relay_->bot_shook_hands()) failed_starts_ = 0;
        const std::string ended = co_await end_bot(child);
        co_await relay_->close();
        const auto status = conclude(end, ended, relay_->bot_shook_hands());
        relay_.reset();
        co_return status;
    }

    Awaitable<Result<UniqueFd>> dial_server(const AloneContext& context) const {
        const auto deadline = Clock::now() + kDialTime;
        auto socket = co_await dial(context.io, context.deadlines, options_.server, deadline);
        if (socket && tls_) {
            socket = co_await tls_->bridge(context.io, context.deadlines, *std::move(socket),
                                           options_.server.host, deadline);
        }
        co_return socket;
    }

    // Ends the input of the bot, then the bot itself. Returns how it ended.
    Awaitable<std::string> end_bot(Child& child) const {
        relay_->end_input();
        co_await child.wait_for_end(Clock::now() + kLeave);
        child.end();
        co_await child.wait_for_end(Clock::now() + kLeave);
        child.read_stderr();
        const auto exit = child.exit_status();
        co_return exit ? words_of(*exit) : "is gone";
    }

    std::optional<int> conclude(const End& end, const std::string& bot_ended,
                                bool bot_shook_hands) {
        switch (end.kind) {
            case End::Kind::Over:
                return kExitPlayed;
            case End::Kind::Refused:
                say("the server refuses: " + end.why);
                if (is_final(end.why)) return kExitStartup;
                return std::nullopt;
            case End::Kind::BotGone:
                say(fmt::format("{} {}", protocol::quoted(options_.command[0]), bot_ended));
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
    const Guardian& guardian_;
    std::shared_ptr<const Tls> tls_;
    std::shared_ptr<Relay> relay_;  // null: not connected
    std::mt19937_64 random_{std::random_device{}()};
    Milliseconds pause_ = kFirstPause;
    int failed_starts_ = 0;
    bool is_interrupted_ = false;
};

int run_connect(const Words& words) {
    CommandLine<ConnectOptions> line("nim-connect", connect_table(), kHelp, kHelpTail);
    line.argument = [](ConnectOptions& options, const std::string& word) -> Result<void> {
        options.command.push_back(word);
        return {};
    };
    line.finish = finish;
    return run(parse(std::move(line), words), [](const ConnectOptions& options) {
        if (options.version) {
            return print_help({fmt::format("nim-connect {}\n", NIMARENA_VERSION)});
        }
        const auto guardian = Guardian::start();
        if (!guardian) {
            say(guardian.error().text);
            return static_cast<int>(kExitInternal);
        }
        try {
            return Connector(options, *guardian).run();
        } catch (const std::exception& error) {
            say(error.what());
            return static_cast<int>(kExitInternal);
        }
    });
}

}  // namespace
}  // namespace arena

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone is told by write()
    arena::Words words{argv + 1, argv + argc};
    if (words == arena::Words{"help"}) words = {"--help"};  // as the other programs read it
    return arena::run_connect(words);
}
