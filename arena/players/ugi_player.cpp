// A player that speaks the protocol: a child process over pipes, or a peer over TCP. The Link
// carries the lines; this file decides when to start and restart the player, what to send, and
// what an answer, a silence or an end of output means.
//
// Lines of different questions must not be confused, although the protocol numbers no answers:
// begin_question() drops earlier output, confirm() asks `isready` where an answer equals the
// last one, and a player that has answered twice is sent `isready` before each question. To ask
// it always was ruled out: it costs a round trip for each move of every honest bot.
//
// The player's clock runs from the question to the arrival of the line, except while the arena
// itself does not run (Heartbeat). Outside that time the
// process is stopped (rest), if the options say so, and its CPU time is counted (OffTurnCpu).
#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "arena/base/compute.hpp"
#include "arena/base/heartbeat.hpp"
#include "arena/players/diagnosis.hpp"
#include "arena/players/launcher.hpp"
#include "arena/players/link.hpp"
#include "arena/players/lobby.hpp"
#include "arena/players/names.hpp"
#include "arena/players/player.hpp"
#include "arena/players/question.hpp"
#include "arena/players/stderr_text.hpp"
#include "arena/players/traffic_log.hpp"
#include "arena/process/process_cpu.hpp"
#include "protocol/message.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

constexpr Milliseconds kLastWords{250};    // for an answer of a player that closed its input
constexpr Milliseconds kLastChance{500};   // for one that is asked why it is silent
constexpr Milliseconds kOwedAnswer{3000};  // for one of a game that is over or void
// Between games: a reading walks all processes of a player, and games may take less.
constexpr Milliseconds kMemoryInterval{10};
constexpr Milliseconds kTreeInterval{100};  // between samples of a player's descendants
// The CPU time for an answer is counted from then on: almost from the question, and yet no
// quick answer costs the system calls.
constexpr Milliseconds kSlow{10};
constexpr Milliseconds kLeave{1000};              // longer than Child::end() takes
constexpr int kQuestionsOfBudget = 32;            // for whose time CPU time is allowed at once
constexpr std::size_t kLongestShown = 1000;       // bytes of a line, for the report
constexpr std::size_t kLongestStderrLine = 4096;  // bytes that wait for their end, for the log
constexpr std::size_t kLongestShownEnd =
    200;  // of its last line on stderr, where that is no fault

std::size_t longest_line(std::string_view lines) {
    std::size_t longest = 0;
    for (const auto line : std::views::split(lines, '\n'))
        longest = std::max<std::size_t>(longest, line.size());
    return longest;
}

class UgiPlayer : public Player {
  public:
    UgiPlayer(const PlayerSpec& spec, std::size_t index, const PlayerContext& context)
        : spec_(spec),
          index_(index),
          context_(context),
          instance_(context.shared.log->on() ? context.shared.log->number_instance(index) : 1) {
    }
    ~UgiPlayer() override {
        if (!context_.shared.log->on()) return;
        log_stderr_line();
        context_.shared.log->give_back(index_, instance_);
    }
    UgiPlayer(const UgiPlayer&) = delete;
    UgiPlayer& operator=(const UgiPlayer&) = delete;

    Awaitable<std::optional<Cause>> try_start() override {
        if (link_) co_return std::nullopt;
        auto failure = co_await start();
        if (!failure && spec_.options.empty()) failure = co_await await_ready();
        co_await settle(failure);
        co_return failure;
    }

    Awaitable<std::optional<Cause>> prepare(std::uint64_t seed) override {
        own_end_.reset();
        if (link_ && owes_answer_) {
            // The last game ended while the player was thinking: a move in its place ended it,
            // or it is played again.
            const bool came = co_await late_reply(Clock::now() + kOwedAnswer);
            owes_answer_ = false;
            if (!came) {
                co_await count_own_end();
                co_await close_link();
            }
        }
        if (link_) {
            // A player that exited between two games is restarted. One that does not answer
            // is at fault: else it could delay the start of each game.
            auto failure = co_await go_on(seed);
            if (!failure || failure->reason == Reason::Timeout) co_return failure;
        }
        co_await await_end();
        stderr_ = {};
        auto failure = co_await start_game(seed);
        co_return failure;
    }

    Awaitable<std::optional<Cause>> go_on(std::uint64_t seed) override {
        own_end_.reset();
        if (!link_) co_return std::nullopt;
        auto failure = co_await begin_game(seed, true);
        if (!failure) co_return std::nullopt;
        if (was_cut_off_ && link_->child && link_->child->is_ending()) {
            tell_own_end(failure->exit);
            if (link_->connection->is_unread()) {
                own_end_ = failure;
                own_end_->reason = Reason::Disconnected;
                own_end_->stderr_tail = stderr_.text();
            }
        }
        co_await close_link();
        co_return failure;
    }

    std::optional<Cause> take_own_end() override {
        return std::exchange(own_end_, std::nullopt);
    }

    Awaitable<Answer> ask(const Question& question) override {
        stderr_logged_ = 0;
        slow_since_.reset();

        if (link_->child) allow_cpu(question.referee);
        // The arena's own work is not on the player's clock.
        const std::function<void()> write = [&] {
            write_question(message_, question, spec_.history, wants_legal_moves_);
        };
        if (wants_legal_moves_ && question.referee.is_costly())
            co_await compute(context_.loop.compute, write);
        else
            write();
        // Earlier output answers no question.
        if (link_->connection->begin_question() > 0) answers_twice_ = true;
        wake();
        const auto asked = SteadyClock::now();
        const auto deadline = Clock::at(asked) + question.referee.allowance();
        Answer answer;
        bool was_sent = false;
        if (answers_twice_) {
            const auto ready = co_await link_->talk->ask("isready\n", "readyok", deadline);
            if (!ready) answer.failure = co_await failure_of(ready.error(), "readyok");
        }
        if (!answer.failure) {
            std::string_view rest = message_;
            auto sent = link_->talk->try_send(rest);
            if (!sent) sent = co_await link_->connection->write(rest, deadline);
            const auto& written = *sent;
            was_sent = written.has_value();
            if (written) {
                co_await read_best_move(deadline, answer);
            } else if (written.error().fault == Fault::TimedOut) {
                answer.failure = Cause{Reason::Timeout, "it " + written.error().text};
            } else {
                co_await read_last_words(written.error(), deadline, answer);
            }
        }
        if (answer.failure && answer.failure->exit && link_->connection->is_unread()) {
            answer.is_unread = true;
            answer.failure->detail += "; it had not read the question";
        }
        const bool late = answer.failure && answer.failure->reason == Reason::Timeout;
        owes_answer_ = late && was_sent;
        const auto answered = std::max(asked, late ? SteadyClock::now() : answered_);
        rest(answered);
        if (!Heartbeat::knows(asked, answered)) co_await Heartbeat::await(answered);
        answer.used = Heartbeat::present(asked, answered);
        last_answer_ = answer.word;
        if (!answer.failure) ++answers_;
        co_return answer;
    }

    Awaitable<void> notify(std::string notice) override {
        if (!link_ || !link_->borrowed || !link_->borrowed->session().wants_notices) co_return;
        const std::string line = fmt::format("info notice {}\n", notice);
        co_await link_->talk->send(line, Clock::now() + kLastWords);
    }

    Awaitable<void> end_game(bool at_fault) override {
        note_chatter();
        if (!link_) co_return;
        // Before it can end by itself.
        if (Clock::now() - memory_seen_ >= kMemoryInterval) tell_memory();
        if (at_fault || spec_.restart) co_await close_link();
    }

    Awaitable<void> quit() override {
        // Judged before `quit` is sent: from then on it may end.
        if (link_) co_await count_own_end();
        note_chatter();
        if (link_ && link_->borrowed) {
            link_->borrowed->give_back(link_->connection->release());
            link_.reset();
        }
        if (link_) co_await close_link();
        co_await await_end();
    }

    Awaitable<std::optional<Cause>> recover(Reason fault, Milliseconds grace,
                                            std::uint64_t seed) override {
        if (fault == Reason::Timeout && link_) {
            const auto deadline = Clock::now() + grace;
            const bool came = co_await late_reply(deadline);
            owes_answer_ = !came;
            if (came) co_return std::nullopt;
        }
        if (link_) {
            if (link_->child) link_->child->read_stderr();  // before the process is closed
            co_await close_link();
        }
        co_await await_end();
        auto failure = co_await start_game(seed);
        co_return failure;
    }

    Microseconds take_cpu() override {
        count_cpu();
        return std::exchange(cpu_used_, Microseconds(0));
    }

    std::shared_ptr<const PlayerBuild> build() const override { return build_; }

    Microseconds take_off_turn_cpu() override { return cpu_ ? cpu_->take() : Microseconds(0); }

    std::string stderr_tail() override {
        // A player that failed to start has been closed already.
        const Link* link = link_ ? link_.get() : leaving_.get();
        if (link != nullptr && link->child) link->child->read_stderr();
        return stderr_.text();
    }

  private:
    // Starts or connects, and begins a game.
    Awaitable<std::optional<Cause>> start_game(std::uint64_t seed) {
        auto failure = co_await start();
        if (!failure) failure = co_await begin_game(seed);
        if (failure && was_cut_off_ && link_ && link_->borrowed) {
            // The player was leaving the lobby when it was taken: waits for its return.
            co_await close_link();
            failure = co_await start();
            if (!failure) failure = co_await begin_game(seed);
        }
        co_await settle(failure);
        co_return failure;
    }

    // Completes a start, or a failed one.
    Awaitable<void> settle(std::optional<Cause>& failure) {
        if (failure && link_) co_await close_link();
        if (failure) {
            explain_environment({failure->exit, stderr_tail()},
                                context_.shared.launcher.environment_text(spec_),
                                failure->detail, failure->advice);
        }
        if (failure || !link_->child) co_return;
        link_->child->rest();
        const Child& child = *link_->child;
        const bool is_exact = child.has_group_cpu();
        if (is_exact || spec_.threads == 1) {
            cpu_.emplace([&child] { return child.cpu(); }, is_exact);
        }
    }

    // Before anything the player must answer: it runs from here on.
    void wake() {
        if (cpu_) cpu_->begin_turn(SteadyClock::now());
        if (link_->child) link_->child->wake();
    }
    // After its answer: it is stopped, if the options say so.
    void rest(SteadyClock::time_point answered) {
        if (link_->child) link_->child->rest();
        if (cpu_) cpu_->end_turn(answered);
    }

    // Starts or connects, and completes the handshake. The start-up time includes dialling. For
    // a process it begins when it runs, because its start may have waited for a compute thread.
    Awaitable<std::optional<Cause>> start() {
        const bool dials_in = spec_.kind == PlayerKind::TcpListen;
        auto deadline =
            Clock::now() + (dials_in ? context_.shared.dial_in : context_.shared.startup);
        Conversation::Listener listener = [this](char direction, std::string_view text) {
            if (direction == '!')
                keep_stderr(text);
            else if (!is_tried_out_)
                log(direction, text);
        };
        auto opened = co_await open_link(spec_, index_, context_, deadline, listener);
        if (!opened) co_return Cause{Reason::Startup, opened.error().text};
        started_ = SteadyClock::now();
        if (spec_.kind != PlayerKind::TcpConnect)
            deadline = Clock::now() + context_.shared.startup;
        link_ = std::move(*opened);
        cpu_seen_ = cpu_of_others_ = Microseconds(0);
        cpu_sampled_ = cpu_suffices_until_ = {};
        answers_twice_ = owes_answer_ = false;
        if (link_->borrowed) {  // the lobby has shaken hands
            know(link_->borrowed->session());
            co_return std::nullopt;
        }
        auto failure = co_await shake_hands(deadline);
        co_return failure;
    }

    Awaitable<std::optional<Cause>> shake_hands(Clock::time_point deadline) {
        const auto done = co_await link_->talk->shake_hands(deadline, spec_.options);
        const Introduction& given = link_->talk->introduction();
        context_.shared.names->introduce(index_, given.name);
        if (!done) co_return co_await startup_failure(done.error(), "ugiok");
        started_.reset();
        know(given);
        if (spec_.options.empty()) co_return std::nullopt;
        auto failure = co_await await_ready();
        if (!failure && context_.shared.warn) warn_of_options(given);
        co_return failure;
    }

    // All that it answers to its options comes before `readyok`.
    Awaitable<std::optional<Cause>> await_ready() {
        const auto deadline = Clock::now() + context_.shared.startup;
        const auto ready = co_await link_->talk->ask("isready\n", "readyok", deadline);
        if (ready) co_return std::nullopt;
        Cause failure = co_await startup_failure(ready.error(), "readyok");
        co_return failure;
    }

    void warn_of_options(const Introduction& given) const {
        auto wrong = undeclared_options(spec_.options, given);
        for (const std::string& line : link_->talk->refusals()) {
            wrong.push_back("it refuses an option: " + refusal_text(line));
        }
        if (!wrong.empty()) context_.shared.warn(index_, wrong);
    }

    // Keeps what the player said in its handshake.
    void know(const Introduction& said) {
        wants_legal_moves_ = spec_.legal_moves == LegalMoves::On ||
                             (spec_.legal_moves == LegalMoves::Auto && said.lists_legal_moves);
        PlayerSpec started = spec_;
        // The places for holders of tokens have no names of their own.
        if (spec_.kind == PlayerKind::Token) started.name = context_.shared.names->of(index_);
        PlayerBuild build{context_.shared.launcher.text(started), said.id, {}};
        if (index_ < context_.shared.executables.size())
            build.executable = context_.shared.executables[index_];
        build_ = std::make_shared<const PlayerBuild>(std::move(build));
    }

    // Begins a game; afterwards all earlier output has been read. `is_running`: the player was
    // not started for this game.
    Awaitable<std::optional<Cause>> begin_game(std::uint64_t seed, bool is_running = false) {
        link_->connection->begin_question();
        last_answer_.clear();
        answers_ = 0;
        const std::string message =
            fmt::format("setoption name Seed value {}\nuginewgame\nisready\n", seed);
        const Milliseconds time =
            is_running ? context_.shared.startup / 2 : context_.shared.startup;
        wake();
        const auto ready = co_await link_->talk->ask(message, "readyok", Clock::now() + time);
        if (ready) rest(SteadyClock::now());
        was_cut_off_ = !ready && ready.error().fault == Fault::Disconnected;
        if (ready) co_return std::nullopt;
        Cause failure = co_await startup_failure(ready.error(), "readyok", time);
        if (is_running && ready.error().fault == Fault::TimedOut)
            failure.reason = Reason::Timeout;
        co_return failure;
    }

    // Fills in the word after `bestmove` (empty if it stood alone), or why there is none. The
    // CPU time of a player that is slow is counted, to tell a search from a wait for input.
    Awaitable<void> read_best_move(Clock::time_point deadline, Answer& answer) {
        const auto slow = Clock::now() + kSlow;
        const auto first = std::min(deadline, slow);
        std::optional<Conversation::Line> heard;
        while (!(heard = link_->talk->try_hear("bestmove", first))) {
            co_await link_->connection->wait(first);
        }
        auto line = *heard;
        if (slow < deadline && !line && line.error().fault == Fault::TimedOut) {
            if (link_->child) slow_since_ = link_->child->count_cpu();
            line = co_await link_->talk->hear("bestmove", deadline);
        }
        answered_ = link_->connection->arrived();
        if (const auto& refusals = link_->talk->refusals(); !refusals.empty())
            answer.refusal = refusals.front();
        if (!line) {
            answer.failure = co_await failure_of(line.error(), "bestmove MOVE");
            co_return;
        }
        std::string_view rest = *line;
        protocol::next_word(rest);
        answer.word = protocol::next_word(rest);
        answer.line = line->substr(0, kLongestShown);
        if (!answer.word.empty() && answer.word == last_answer_ && !answers_twice_) {
            co_await confirm(deadline, answer);
        }
    }

    // If the player cannot be written to, it may have answered before, so its output is still
    // read; but the wait is only as long as the report of its end takes. A process closes its
    // input before its output, also when it dies.
    Awaitable<void> read_last_words(Error unwritten, Clock::time_point deadline,
                                    Answer& answer) {
        co_await read_best_move(std::min(deadline, Clock::now() + kLastWords), answer);
        if (!answer.failure || answer.failure->reason != Reason::Timeout) co_return;
        answer.failure->reason = Reason::Disconnected;
        answer.failure->detail = "it has closed its input: " + unwritten.text;
        if (!link_->child || !link_->child->is_ending()) co_return;
        answer.failure->exit = co_await await_exit(*link_);
        explain_death(*answer.failure);
    }

    // The same word as last time may be a late duplicate of the last answer. The lines up to
    // `readyok` decide: another `bestmove` among them is the answer.
    Awaitable<void> confirm(Clock::time_point deadline, Answer& answer) {
        co_await link_->talk->send("isready\n", deadline);  // if it fails, so does hear()
        for (;;) {
            const auto line = co_await link_->talk->hear("readyok", deadline, "bestmove");
            if (!line) break;
            std::string_view rest = *line;
            if (protocol::next_word(rest) == "readyok") break;
            if (answers_twice_) continue;
            answers_twice_ = true;
            answer.word = protocol::next_word(rest);
            answer.line = line->substr(0, kLongestShown);
            answered_ = link_->connection->arrived();
        }
    }

    // Describes an error while waiting for `expected`. After the end of output it waits a
    // moment for the process's exit status.
    Awaitable<Cause> failure_of(Error error, std::string_view expected) {
        Cause failure;
        failure.detail = error.text;
        failure.received = link_->talk->last_line();
        failure.expected = expected;
        const std::string_view unfinished = link_->connection->unfinished();
        const bool has_no_end = !unfinished.empty();
        if (has_no_end) failure.received = without_secret(unfinished).substr(0, kLongestShown);
        if (error.fault == Fault::TimedOut) {
            failure.reason = Reason::Timeout;
            failure.detail = silence_words(silence_until(expected));
        } else if (error.fault == Fault::TooLong) {
            failure.reason = Reason::Protocol;
        } else if (error.fault == Fault::BadInput) {
            failure.reason = Reason::Protocol;
            failure.advice = foreign_advice(link_->talk->last_line());
        } else {
            failure.reason = Reason::Disconnected;
            failure.exit = co_await await_exit(*link_);
            if (link_->child) explain_death(failure);
            if (has_no_end) failure.detail += fmt::format("; {}", kNoLineEnd);
        }
        co_return failure;
    }

    Silence silence_until(std::string_view expected) const {
        Silence silence{expected.substr(0, expected.find(' ')), link_->talk->last_line(),
                        link_->connection->unfinished()};
        if (slow_since_ && link_->child)
            silence.effort = effort_between(*slow_since_, link_->cpu());
        silence.answered = answers_;
        return silence;
    }

    void note_chatter() {
        if (!link_ || !link_->talk) return;
        const Chatter chatter = link_->talk->take_chatter();
        if (chatter.lines > 0) context_.shared.names->count_chatter(index_, chatter);
    }

    // If its process has ended, or is ending.
    Awaitable<void> count_own_end() {
        if (!link_->child || !link_->child->is_ending()) co_return;
        const auto exit = co_await await_exit(*link_);
        link_->child->read_stderr();
        tell_own_end(exit);
    }

    // With its last line on stderr.
    void tell_own_end(const std::optional<ExitStatus>& exit) {
        const auto said = last_lines(stderr_.text(), 1, kLongestShownEnd);
        context_.shared.names->count_own_end(
            index_, (exit ? words_of(*exit) : "ended in a way that is not known") +
                        (said.empty() ? "" : fmt::format(" ({})", said.front())));
    }

    // Adds how the process ended, and the remedy.
    void explain_death(Cause& failure) {
        link_->child->read_stderr();
        const std::string said = stderr_.text();
        const bool ran_out = failure.exit && failure.exit->out_of_memory;
        const Diagnosis found =
            diagnose({failure.exit, said, longest_line(message_),
                      context_.shared.launcher.memory_text(spec_, ran_out)});
        if (!found.detail.empty()) failure.detail = found.detail;
        failure.advice = found.remedy;
    }

    // The same during the handshake, or at the start of a game.
    Awaitable<Cause> startup_failure(Error error, std::string_view expected,
                                     std::optional<Milliseconds> time = std::nullopt) {
        message_.clear();
        slow_since_.reset();
        Cause failure = co_await failure_of(std::move(error), expected);
        if (failure.reason == Reason::Timeout) {
            const std::string missed =
                fmt::format("after {} ms no '{}' in time",
                            time.value_or(context_.shared.startup).count(), expected);
            failure.detail = missed + (failure.detail.empty() ? "" : "; ") + failure.detail;
            failure.is_starved = started_ && is_starved(*link_, *started_);
            if (failure.is_starved)
                failure.detail += kStarved;
            else if (link_->child && failure.received.empty() && !was_computing_since_start())
                co_await explain_silence(failure, missed, expected);
        } else {
            failure.detail = fmt::format("no '{}': {}", expected, failure.detail);
        }
        failure.reason = Reason::Startup;
        co_return failure;
    }

    bool was_computing_since_start() const {
        if (!started_) return false;
        const auto waited = Heartbeat::present(*started_, SteadyClock::now());
        return was_computing({waited, link_->cpu().used, {}});
    }

    // The connection is closed after that, so that it can be tried out.
    Awaitable<void> explain_silence(Cause& failure, const std::string& missed,
                                    std::string_view expected) {
        note_chatter();
        is_tried_out_ = true;
        const Belated belated = co_await provoke(*link_, std::string(expected), kLastChance);
        is_tried_out_ = false;
        link_->talk->take_chatter();  // the arena has asked for that
        if (belated.words.empty()) co_return;
        failure.detail = fmt::format("{}; {}", missed, belated.words);
        failure.advice = belated.advice;
    }

    // Allows CPU time for the next questions and the following start of a game. A thread uses
    // no more CPU time than the time that passes, so more is allowed only after that.
    void allow_cpu(const Referee& referee) {
        const auto now = Clock::now();
        if (now + referee.allowance() <= cpu_suffices_until_) return;
        const int seat = referee.seat_to_move();
        const TimeControl& clock = referee.clock(seat);
        Microseconds time = kQuestionsOfBudget * referee.allowance();
        if (const auto left = referee.time_left(seat)) {
            time = *left + kQuestionsOfBudget * (clock.increment + clock.margin);
        }
        cpu_suffices_until_ = now + time;
        raise_cpu_limit(link_->child->pid(),
                        cpu_for(time + context_.shared.startup, spec_.threads));
    }

    // Whether the reply to an expired question comes after `stop`.
    Awaitable<bool> late_reply(Clock::time_point deadline) {
        wake();  // it may think until it reads the `stop`
        const auto line = co_await link_->talk->ask("stop\n", "bestmove", deadline);
        rest(SteadyClock::now());
        co_return line.has_value();
    }

    void count_cpu() {
        if (!link_ || !link_->child) return;
        const Child& child = *link_->child;
        const Microseconds now = child.has_group_cpu() ? child.cpu() : tree_cpu(child.pid());
        cpu_used_ += std::max(now - cpu_seen_, Microseconds(0));
        cpu_seen_ = std::max(now, cpu_seen_);
    }

    Microseconds tree_cpu(pid_t pid) {
        const Microseconds own = own_cpu(pid);
        const auto time = Clock::now();
        if (time - cpu_sampled_ >= kTreeInterval) {
            cpu_sampled_ = time;
            cpu_of_others_ = std::max(process_cpu(pid) - own, Microseconds(0));
        }
        return own + cpu_of_others_;
    }

    void tell_memory() {
        if (!context_.shared.tell_memory || !link_->child) return;
        memory_seen_ = Clock::now();
        const std::uint64_t bytes = peak_memory(link_->child->pid());
        if (bytes <= memory_told_) return;
        memory_told_ = bytes;
        context_.shared.tell_memory(index_, bytes);
    }

    // Sends `quit` if possible, and begins to end the process.
    Awaitable<void> close_link() {
        note_chatter();
        tell_memory();
        if (link_->borrowed) {  // the player may dial in again
            link_.reset();
            co_return;
        }
        co_await link_->talk->send("quit\n", Clock::now());
        count_cpu();
        cpu_.reset();
        if (link_->child) link_->child->end();
        leaving_ = std::move(link_);
    }

    // Waits until the last process has ended, so that the next one has the core to itself.
    Awaitable<void> await_end() {
        if (leaving_ && leaving_->child) {
            co_await leaving_->child->wait_for_end(Clock::now() + kLeave);
        }
        leaving_.reset();
        log_stderr_line();
    }

    // The log has the same limit as a reply, so that floods do not fill the disk.
    void keep_stderr(std::string_view text) {
        stderr_.add(text);
        if (stderr_logged_ > kMaxReplyBytes) return;
        stderr_logged_ += text.size();
        if (!context_.shared.log->on()) return;
        // Programs write a line in pieces. A long one is logged before its end.
        stderr_line_ += text;
        const std::size_t ended = stderr_line_.rfind('\n') + 1;  // 0: none has
        log('!', stderr_line_.substr(0, ended));
        stderr_line_.erase(0, ended);
        if (stderr_line_.size() > kLongestStderrLine) log_stderr_line();
        if (stderr_logged_ <= kMaxReplyBytes) return;
        log_stderr_line();
        log('!', "... more is left out of this log");
    }

    void log_stderr_line() {
        if (!stderr_line_.empty()) log('!', stderr_line_);
        stderr_line_.clear();
    }

    void log(char direction, std::string_view text) {
        if (!context_.shared.log->on() || text.empty()) return;
        context_.shared.log->lines(context_.shared.names->of(index_), direction, text,
                                   instance_);
    }

    const PlayerSpec& spec_;
    std::size_t index_;
    const PlayerContext& context_;
    const int instance_;  // for the log
    std::unique_ptr<Link> link_;
    std::unique_ptr<Link> leaving_;   // of the last process, which may not have ended yet
    bool wants_legal_moves_ = false;  // after `searchmoves`
    // Once the player has answered twice, `isready` precedes each question.
    bool answers_twice_ = false;
    bool is_tried_out_ = false;  // why it is silent: that is not logged
    bool was_cut_off_ = false;   // disconnected at the beginning of the last game
    bool owes_answer_ = false;   // to an expired question
    Clock::time_point memory_seen_{};
    std::uint64_t memory_told_ = 0;       // the most so far
    std::string message_;                 // the question; a member to reuse its memory
    SteadyClock::time_point answered_{};  // the time of the last reply or of the end of output
    std::optional<Cause> own_end_;        // see take_own_end()
    std::string last_answer_;             // the word after its `bestmove`
    std::size_t answers_ = 0;             // of this game
    std::optional<SteadyClock::time_point> started_;  // until it has shaken hands
    // When it became slow to answer the current question.
    std::optional<CpuCount> slow_since_;
    std::shared_ptr<const PlayerBuild> build_;
    std::optional<OffTurnCpu> cpu_;
    Microseconds cpu_used_{};       // since the last take_cpu()
    Microseconds cpu_seen_{};       // of the current process and its descendants
    Microseconds cpu_of_others_{};  // of its descendants, at cpu_sampled_
    Clock::time_point cpu_sampled_{};
    Clock::time_point cpu_suffices_until_{};  // when all that is allowed may have been used
    // What the current or last process wrote, and those before it in the same game.
    StderrText stderr_;
    std::size_t stderr_logged_ = 0;  // bytes, since the last question
    std::string stderr_line_;        // its last line there, which has not ended: for the log
};

}  // namespace

std::unique_ptr<Player> make_ugi_player(const PlayerSpec& spec, std::size_t index,
                                        const PlayerContext& context) {
    return std::make_unique<UgiPlayer>(spec, index, context);
}

}  // namespace arena
