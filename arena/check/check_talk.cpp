#include "arena/check/check_talk.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;

constexpr std::size_t kKeptLines = 12;
constexpr std::size_t kKeptBytes = 1000;   // of a line
constexpr Milliseconds kLastChance{1000};  // to say what was held back, at the end of input

constexpr std::string_view kFlush =
    "flush the output after each line: print(…, flush=True) in Python, std::flush or std::endl "
    "in C++, fflush(stdout) in C";

bool is_best_move(std::string_view line) { return protocol::next_word(line) == "bestmove"; }

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
    stderr_ = {};
    auto began = Clock::now();
    const LinkDeadlines deadlines{began + startup_, began + dial_in};
    Conversation::Listener listener = [this](char direction, std::string_view text) {
        keep(direction, text);
    };
    auto opened = co_await open_link(spec_, context_, deadlines, listener);
    if (!opened)
        throw PointFailure{opened.error().text, "a bot that can be started, or reached", {}};
    link_ = *std::move(opened);
    if (spec_.kind == PlayerKind::TcpListen) began = Clock::now();
    const auto done = co_await link_->talk->shake_hands(began + startup_, spec_.options);
    const Introduction& told = link_->talk->introduction();
    name_ = told.name;
    wants_legal_moves_ = spec_.legal_moves == LegalMoves::On ||
                         (spec_.legal_moves == LegalMoves::Auto && told.lists_legal_moves);
    if (!done) {
        PointFailure failure = co_await failure_of(done.error(), "ugiok", startup_);
        throw failure;
    }
    co_return std::chrono::duration_cast<Milliseconds>(link_->connection->arrived() - began);
}

// ---- lines ----

Awaitable<void> Talk::send(std::string text) {
    const auto written = co_await link_->talk->send(text, Clock::now() + patience_);
    // One that has gone may have said something before: it is told when that is read.
    if (written || written.error().fault != Fault::TimedOut) co_return;
    hang_up();
    throw PointFailure{
        fmt::format("it did not read {} bytes within {} ms", text.size(), patience_.count()),
        "a bot that reads its lines, also long ones",
        "read lines of any length up to 1 MiB, and do not stop reading"};
}

Awaitable<Heard> Talk::hear(std::string awaited, Milliseconds within, std::string other) {
    heard_ = {};
    const auto line = co_await link_->talk->hear(awaited, Clock::now() + within, other);
    if (!line) {
        PointFailure failure = co_await failure_of(line.error(), awaited, within);
        throw failure;
    }
    heard_.line = *line;
    heard_.at = link_->connection->arrived();
    heard_.best_moves -= is_best_move(*line);  // it was awaited
    co_return heard_;
}

Awaitable<std::optional<Heard>> Talk::overhear(std::string awaited, Milliseconds within) {
    const auto line = co_await link_->talk->hear(awaited, Clock::now() + within);
    if (line) co_return Heard{std::string(*line), 0, false, link_->connection->arrived()};
    if (line.error().fault == Fault::TimedOut) co_return std::nullopt;
    PointFailure failure = co_await failure_of(line.error(), awaited, within);
    throw failure;
}

Awaitable<int> Talk::settle() {
    co_await send("isready\n");
    const Heard heard = co_await hear("readyok", patience_);
    // No news is no line of the report.
    if (lines_[lines_.size() - 2].sent) lines_.resize(lines_.size() - 2);
    co_return heard.best_moves + link_->connection->begin_question();
}

void Talk::keep(char direction, std::string_view lines) {
    if (direction == '!') return stderr_.add(lines);
    if (direction == '>') {
        heard_.best_moves += is_best_move(lines);
        heard_.refused = heard_.refused || is_error(lines);
    }
    do {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        lines_.push_back(
            {direction == '<', std::string(line.substr(0, kKeptBytes)), line.size()});
        if (lines_.size() > kKeptLines) lines_.pop_front();
    } while (!lines.empty());
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
    } else if (error.fault == Fault::Disconnected) {
        const auto exit = co_await await_exit(*link_);
        if (exit) failure.detail = "its process " + words_of(*exit);
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
    const auto line = co_await link_->talk->hear(awaited, Clock::now() + kLastChance);
    lines_.assign(kept.begin(), kept.end());
    co_return line.has_value();
}

void Talk::end_input() { link_->connection->end_input(); }

Awaitable<bool> Talk::wait_for_end(Milliseconds within) {
    const auto deadline = Clock::now() + within;
    if (link_->child) {
        co_await link_->child->wait_for_end(deadline);
        co_return link_->child->has_ended();
    }
    for (;;) {
        const auto line = co_await link_->talk->hear({}, deadline);
        if (!line) co_return line.error().fault == Fault::Disconnected;
    }
}

std::optional<ExitStatus> Talk::exit_status() const {
    if (!link_ || !link_->child) return std::nullopt;
    return link_->child->exit_status();
}

}  // namespace arena
