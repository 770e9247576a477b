#include "arena/check/check_talk.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;

constexpr std::size_t kKeptLines = 12;
constexpr std::size_t kKeptBytes = 1000;  // of a line
// For buffered output after the end of input, the first time and later.
constexpr Milliseconds kLastChance{1000};
constexpr Milliseconds kFurtherChance{300};

bool is_best_move(std::string_view line) { return protocol::next_word(line) == "bestmove"; }

// Whether a line is empty or begins with a reply of the protocol.
bool is_said_by_bots(std::string_view line) {
    constexpr std::array<std::string_view, 10> kWords{
        "",        "id",   "option",   "ugiok",    "uciok",
        "readyok", "info", "bestmove", "response", "registration"};
    return std::ranges::find(kWords, protocol::next_word(line)) != kWords.end();
}

}  // namespace

Talk::Talk(const PlayerSpec& spec, const MakePeer& make_peer, Milliseconds startup,
           Milliseconds answer)
    : spec_(spec), peer_(make_peer(spec)), startup_(startup), answer_(answer) {}

// ---- start ----

Awaitable<Milliseconds> Talk::open(Milliseconds dial_in) {
    stderr_ = {};
    auto began = now();
    const bool dials_in = spec_.kind == PlayerKind::TcpListen;
    const auto deadline = began + (dials_in ? dial_in : startup_);
    Conversation::Listener listener = [this](char direction, std::string_view text) {
        keep(direction, text);
    };
    const auto opened = co_await peer_->open(deadline, listener);
    if (!opened)
        throw PointFailure{opened.error().text, "a bot that can be started, or reached", {}};
    cpu_ = peer_->cpu();
    if (dials_in) began = now();
    const auto done = co_await peer_->shake_hands(began + startup_);
    const bool is_starved = !done && peer_->is_starved();
    const Introduction& given = peer_->introduction();
    name_ = given.name;
    wants_legal_moves_ = spec_.legal_moves == LegalMoves::On ||
                         (spec_.legal_moves == LegalMoves::Auto && given.lists_legal_moves);
    if (!done) {
        PointFailure failure = co_await failure_of(done.error(), "ugiok", startup_);
        failure.is_starved = is_starved && done.error().fault == Fault::TimedOut;
        throw failure;
    }
    co_return std::chrono::duration_cast<Milliseconds>(peer_->arrived() - began);
}

// ---- lines ----

Awaitable<void> Talk::send(std::string text) {
    const auto written = co_await peer_->send(text, now() + patience());
    // If the bot has ended, its last lines are read first: then hear() reports the end.
    if (written || written.error().fault != Fault::TimedOut) co_return;
    hang_up();
    throw PointFailure{
        fmt::format("it did not read {} bytes within {} ms", text.size(), patience().count()),
        "a bot that reads its lines, also long ones",
        "read lines of any length up to 1 MiB, and do not stop reading"};
}

Awaitable<Heard> Talk::hear(std::string awaited, Milliseconds within, std::string other) {
    heard_ = {};
    cpu_ = peer_->cpu();
    const auto line = co_await peer_->hear(awaited, now() + within, other);
    if (!line) {
        PointFailure failure = co_await failure_of(line.error(), awaited, within);
        throw failure;
    }
    was_ready_ = was_ready_ || awaited == "readyok";
    heard_.line = *line;
    heard_.at = peer_->arrived();
    heard_.best_moves -= is_best_move(*line);  // it was awaited
    co_return heard_;
}

Awaitable<std::optional<Heard>> Talk::try_hear(std::string awaited, Milliseconds within) {
    Patience more(*peer_, within, patience());
    for (;;) {
        const auto line = co_await peer_->hear(awaited, more.deadline(), {});
        if (line) co_return Heard{std::string(*line), 0, false, peer_->arrived()};
        if (line.error().fault == Fault::TimedOut) {
            if (more.extend()) continue;
            co_return std::nullopt;
        }
        PointFailure failure = co_await failure_of(line.error(), awaited, within);
        throw failure;
    }
}

Awaitable<int> Talk::drain() {
    co_await send("isready\n");
    const Heard heard = co_await hear("readyok", patience());
    // A question without an unexpected answer is not shown in the report.
    if (lines_[lines_.size() - 2].sent) lines_.resize(lines_.size() - 2);
    co_return heard.best_moves + peer_->begin_question();
}

void Talk::keep(char direction, std::string_view lines) {
    if (direction == '!') return stderr_.add(lines);
    if (direction == '>') keep_heard(lines);
    do {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        lines_.push_back(
            {direction == '<', std::string(line.substr(0, kKeptBytes)), line.size()});
        if (lines_.size() > kKeptLines) lines_.pop_front();
    } while (!lines.empty());
}

void Talk::keep_heard(std::string_view line) {
    heard_.best_moves += is_best_move(line);
    heard_.refused = heard_.refused || is_refusal(line);
    if (stray_line_.empty() && !is_said_by_bots(line)) stray_line_ = line.substr(0, kKeptBytes);
}

// ---- failure and end ----

Diagnosis Talk::diagnose_death(const std::optional<ExitStatus>& exit) {
    const std::string said = stderr_.text();
    std::size_t longest = 0;
    for (const SaidLine& line : lines_) {
        if (line.sent) longest = std::max(longest, line.bytes);
    }
    Diagnosis found = diagnose({exit, said, longest, peer_->memory_limit()});
    if (found.remedy.empty() && !said.empty())
        found.remedy = "its messages on stderr tell more. It must run until `quit`";
    if (found.remedy.empty())
        found.remedy = "the bot must go on reading lines until `quit` or the end of input";
    return found;
}

// Closes the connection.
Awaitable<PointFailure> Talk::failure_of(Error error, std::string awaited,
                                         Milliseconds within) {
    PointFailure failure;
    failure.expected = fmt::format("{} within {} ms", awaited, within.count());
    failure.detail = error.text;
    failure.fix = "write less: lines of at most 1 MiB, few of them a move";
    failure.gave_up = error.fault != Fault::TooLong;
    if (error.fault == Fault::TimedOut) {
        const Effort effort = effort_between(cpu_, peer_->cpu());
        failure.detail = fmt::format("no '{}' within {} ms", awaited, within.count());
        const bool has_written = !lines_.empty() && !lines_.back().sent;
        const Silence silence{awaited, has_written ? std::string_view(lines_.back().text) : "",
                              peer_->unfinished(), effort};
        if (peer_->has_process() && word_advice(silence).empty())
            failure.detail += "; " + cpu_words(effort);
        failure.fix = silence_remedy(silence);
        Belated belated;  // one that computes waits for nothing
        if (!was_computing(effort)) belated = co_await wait_on(awaited);
        failure.buffered = belated.buffered;
        // Its answer to `ugi` may have told that already.
        if (!belated.words.empty() &&
            !(belated.advice == kForeignAdvice && failure.fix == kForeignAdvice)) {
            failure.detail =
                fmt::format("no '{}' within {} ms; {}", awaited, within.count(), belated.words);
            failure.fix = belated.advice;
        }
    } else if (error.fault == Fault::Disconnected) {
        const auto exit = co_await peer_->await_exit();
        Diagnosis found = diagnose_death(exit);
        if (!found.detail.empty()) failure.detail = std::move(found.detail);
        if (!peer_->unfinished().empty()) failure.detail += fmt::format("; {}", kNoLineEnd);
        failure.fix = std::move(found.remedy);
        if (!was_ready_) {
            explain_environment({exit, stderr_.text()}, peer_->environment(), failure.detail,
                                failure.fix);
        }
    } else if (error.fault == Fault::BadInput) {
        failure.detail = fmt::format("no '{}': {}", awaited, error.text);
        failure.fix = lines_.empty() ? "" : foreign_advice(lines_.back().text);
    }
    hang_up();
    co_return failure;
}

Awaitable<Belated> Talk::wait_on(std::string awaited) {
    const std::vector<SaidLine> kept = lines();
    const Belated belated = co_await provoke(*peer_, std::move(awaited),
                                             was_silent_ ? kFurtherChance : kLastChance);
    lines_.assign(kept.begin(), kept.end());
    was_silent_ = was_silent_ || belated.words.empty();
    co_return belated;
}

Awaitable<bool> Talk::wait_for_end(Milliseconds within) {
    Patience more(*peer_, within, patience());
    for (;;) {
        const bool has_ended = co_await peer_->wait_for_end(more.deadline());
        if (has_ended || !more.extend()) co_return has_ended;
    }
}

}  // namespace arena
