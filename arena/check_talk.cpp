#include "arena/check_talk.hpp"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "protocol/message.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

constexpr std::size_t kKeptLines = 12;
constexpr std::size_t kKeptBytes = 1000;   // of a line
constexpr std::size_t kStderrTail = 4096;  // bytes
constexpr Milliseconds kExitNotice{250};   // from the end of output to the news of the exit
constexpr Milliseconds kLastChance{1000};  // to say what was held back, at the end of input

constexpr std::string_view kFlush =
    "flush the output after each line: print(…, flush=True) in Python, std::flush or std::endl "
    "in C++, fflush(stdout) in C";

bool is_error(std::string_view line) {
    return protocol::next_word(line) == "info" && protocol::next_word(line) == "string" &&
           protocol::next_word(line) == "error";
}

std::string fix_for(Fault fault, std::string_view awaited, bool heard) {
    if (fault == Fault::TooLong)
        return "write less: lines of at most 1 MiB, few of them a move";
    if (fault == Fault::Disconnected) {
        return "the bot must go on reading lines until `quit` or the end of input; its "
               "messages "
               "on stderr, if any, tell more";
    }
    std::string fix = fmt::format("write '{}' as a line of its own", awaited);
    if (awaited == "bestmove")
        fix = "write 'bestmove MOVE' as a line of its own, after each `go`";
    if (!heard) fix += fmt::format("; nothing at all came, so perhaps {}", kFlush);
    return fix;
}

}  // namespace

Talk::Talk(const PlayerSpec& spec, Milliseconds startup, Milliseconds patience,
           const LinkContext& context)
    : spec_(spec), startup_(startup), patience_(patience), context_(context) {}

Talk::~Talk() = default;

void Talk::hang_up() { link_.reset(); }

// ---- start ----

Awaitable<Milliseconds> Talk::open(Milliseconds dial_in) {
    stderr_tail_.clear();
    auto began = Clock::now();
    const LinkDeadlines deadlines{began + startup_, began + dial_in};
    std::function<void(std::string_view)> on_stderr = [this](std::string_view text) {
        keep_stderr(text);
    };
    auto opened = co_await open_link(spec_, context_, deadlines, on_stderr);
    if (!opened) {
        if (spec_.kind == PlayerKind::Command && opened.error().fault == Fault::Disconnected) {
            throw std::runtime_error(opened.error().text);
        }
        throw PointFailure{opened.error().text, "a bot that can be started, or reached", {}};
    }
    link_ = *std::move(opened);
    if (spec_.kind == PlayerKind::TcpListen) began = Clock::now();
    co_await shake_hands(began + startup_);
    co_return std::chrono::duration_cast<Milliseconds>(link_->connection->arrived() - began);
}

Awaitable<void> Talk::shake_hands(Clock::time_point deadline) {
    wants_legal_moves_ = spec_.legal_moves == LegalMoves::On;
    co_await send("ugi\n");
    for (;;) {
        const auto line = co_await read(deadline);
        if (!line) {
            Error error = line.error();
            PointFailure failure = co_await failure_of(std::move(error), "ugiok", startup_);
            throw failure;
        }
        const protocol::Reply reply = protocol::parse_reply(*line);
        if (std::holds_alternative<protocol::UgiOkReply>(reply)) break;
        if (const auto* id = std::get_if<protocol::IdReply>(&reply)) {
            if (id->key == "name") name_ = id->value;
        } else if (const auto* option = std::get_if<protocol::OptionReply>(&reply)) {
            if (spec_.legal_moves == LegalMoves::Auto && option->name == "LegalMoves") {
                wants_legal_moves_ = true;
            }
        }
    }
    std::string options;
    for (const auto& [name, value] : spec_.options) {
        options += fmt::format("setoption name {} value {}\n", name, value);
    }
    if (!options.empty()) co_await send(std::move(options));
}

// ---- lines ----

Awaitable<void> Talk::send(std::string text) {
    std::string_view rest = text;
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        keep(true, rest.substr(0, end));
        rest.remove_prefix(end + 1);
    }
    const auto written = co_await link_->connection->write(text, Clock::now() + patience_);
    // One that has gone may have said something before: it is told when that is read.
    if (written || written.error().fault != Fault::TimedOut) co_return;
    hang_up();
    throw PointFailure{
        fmt::format("it did not read {} bytes within {} ms", text.size(), patience_.count()),
        "a bot that reads its lines, also long ones",
        "read lines of any length up to 1 MiB, and do not stop reading"};
}

Awaitable<Talk::Line> Talk::read(Clock::time_point deadline) {
    auto line = co_await link_->connection->read_line(deadline);
    if (line) keep(false, *line);
    co_return line;
}

Awaitable<Heard> Talk::hear(std::string awaited, Milliseconds within, std::string other) {
    const auto deadline = Clock::now() + within;
    Heard heard;
    for (;;) {
        const auto line = co_await read(deadline);
        if (!line) {
            Error error = line.error();
            PointFailure failure = co_await failure_of(std::move(error), awaited, within);
            throw failure;
        }
        std::string_view rest = *line;
        const auto word = protocol::next_word(rest);
        if (word == awaited || (!other.empty() && word == other)) {
            heard.line = *line;
            heard.at = link_->connection->arrived();
            co_return heard;
        }
        heard.best_moves += word == "bestmove";
        heard.refused = heard.refused || is_error(*line);
    }
}

Awaitable<std::optional<Heard>> Talk::overhear(std::string awaited, Milliseconds within) {
    const auto deadline = Clock::now() + within;
    Heard heard;
    for (;;) {
        const auto line = co_await read(deadline);
        if (!line && line.error().fault == Fault::TimedOut) co_return std::nullopt;
        if (!line) {
            Error error = line.error();
            PointFailure failure = co_await failure_of(std::move(error), awaited, within);
            throw failure;
        }
        std::string_view rest = *line;
        if (protocol::next_word(rest) != awaited) continue;
        heard.line = *line;
        heard.at = link_->connection->arrived();
        co_return heard;
    }
}

Awaitable<int> Talk::settle() {
    co_await send("isready\n");
    const Heard heard = co_await hear("readyok", patience_);
    // No news is no line of the report.
    if (lines_[lines_.size() - 2].sent) lines_.resize(lines_.size() - 2);
    co_return heard.best_moves + link_->connection->begin_question();
}

void Talk::keep(bool sent, std::string_view line) {
    lines_.push_back({sent, std::string(line.substr(0, kKeptBytes)), line.size()});
    if (lines_.size() > kKeptLines) lines_.pop_front();
}

void Talk::keep_stderr(std::string_view text) {
    stderr_tail_ += text;
    if (stderr_tail_.size() > kStderrTail) {
        stderr_tail_.erase(0, stderr_tail_.size() - kStderrTail);
    }
}

// ---- failure and end ----

// Hangs up.
Awaitable<PointFailure> Talk::failure_of(Error error, std::string awaited,
                                         Milliseconds within) {
    PointFailure failure;
    failure.expected = fmt::format("{} within {} ms", awaited, within.count());
    failure.detail = error.text;
    failure.fix = fix_for(error.fault, awaited, link_->connection->heard());
    if (error.fault == Fault::TimedOut) {
        failure.detail = fmt::format("no '{}' within {} ms", awaited, within.count());
        failure.buffered = co_await comes_after_end_of_input(awaited);
    } else if (error.fault == Fault::Disconnected && link_->child) {
        co_await link_->child->wait_for_end(Clock::now() + kExitNotice);
        const auto exit = link_->child->exit_status();
        if (exit) failure.detail = words_of(*exit);
    }
    if (failure.buffered) {
        failure.detail += "; it came once the bot's input was closed";
        failure.fix = kFlush;
    }
    hang_up();
    co_return failure;
}

Awaitable<bool> Talk::comes_after_end_of_input(std::string awaited) {
    const std::vector<SaidLine> kept = lines();
    end_input();
    const auto deadline = Clock::now() + kLastChance;
    bool came = false;
    while (!came) {
        const auto line = co_await read(deadline);
        if (!line) break;
        std::string_view rest = *line;
        came = protocol::next_word(rest) == awaited;
    }
    lines_.assign(kept.begin(), kept.end());
    co_return came;
}

void Talk::end_input() { link_->connection->end_input(); }

Awaitable<bool> Talk::wait_for_end(Milliseconds within) {
    const auto deadline = Clock::now() + within;
    if (link_->child) {
        co_await link_->child->wait_for_end(deadline);
        co_return link_->child->has_ended();
    }
    for (;;) {
        const auto line = co_await read(deadline);
        if (!line) co_return line.error().fault == Fault::Disconnected;
    }
}

std::optional<ExitStatus> Talk::exit_status() const {
    if (!link_ || !link_->child) return std::nullopt;
    return link_->child->exit_status();
}

}  // namespace arena
