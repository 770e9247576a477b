// A player that speaks the protocol: a child process over pipes, or a peer over TCP.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "arena/launcher.hpp"
#include "arena/link.hpp"
#include "arena/lobby.hpp"
#include "arena/names.hpp"
#include "arena/off_turn_cpu.hpp"
#include "arena/player.hpp"
#include "arena/process_cpu.hpp"
#include "arena/question.hpp"
#include "arena/stderr_text.hpp"
#include "arena/traffic_log.hpp"
#include "protocol/line_buffer.hpp"
#include "protocol/message.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

constexpr Milliseconds kExitNotice{250};     // from the end of output to the news of the exit
constexpr Milliseconds kLookAtTree{10};      // between looks at what a player has started
constexpr Milliseconds kLeave{1000};         // longer than Child::end() takes
constexpr int kQuestionsOfBudget = 32;       // for which CPU time is allowed at once
constexpr std::size_t kLongestShown = 1000;  // bytes of a line, for the report
constexpr std::string_view kSilent =
    "; it wrote nothing at all: does it flush its output after each line (in Python "
    "print(..., flush=True), in C setvbuf or fflush)?";

constexpr std::string_view kUnfinished = "; its last line has no end: does it write a newline?";

class UgiPlayer : public Player {
  public:
    UgiPlayer(const PlayerSpec& spec, std::size_t index, const PlayerContext& context)
        : spec_(spec), index_(index), context_(context) {}

    Awaitable<std::optional<Failure>> prepare(std::uint64_t seed) override {
        seed_ = seed;
        if (link_) {
            // One that went away between two games, or does not answer any more, is started
            // anew.
            auto failure = co_await begin_game(seed);
            if (!failure) co_return std::nullopt;
            co_await let_go();
        }
        co_await see_off();
        stderr_ = {};
        auto failure = co_await start_game(seed);
        co_return failure;
    }

    Awaitable<Answer> ask(const Question& question) override {
        Connection& connection = *link_->connection;
        if (connection.begin_question() > 0) answers_twice_ = true;
        stderr_logged_ = 0;

        if (link_->child && questions_++ % kQuestionsOfBudget == 0) allow_cpu(question.referee);
        const auto asked = Clock::now();
        const auto deadline = asked + question.referee.allowance();
        if (cpu_) cpu_->begin_turn(asked);
        Answer answer;
        if (answers_twice_) {
            const auto failed = co_await await_ready("isready\n", deadline);
            if (!failed) answer.failure = co_await failure_of(failed.error(), "readyok");
        }
        if (!answer.failure) {
            write_question(message_, question, spec_.history, wants_legal_moves_);
            log('<', message_);
            const auto written = co_await connection.write(message_, deadline);
            if (written) {
                co_await read_best_move(deadline, answer);
            } else if (written.error().fault == Fault::TimedOut) {
                answer.failure = Failure{Reason::Timeout, written.error().text, {}, {}, {}};
            } else {
                co_await read_last_words(written.error(), deadline, answer);
            }
        }
        const bool late = answer.failure && answer.failure->reason == Reason::Timeout;
        const auto answered = std::max(asked, late ? Clock::now() : answered_);
        answer.used = std::chrono::duration_cast<Microseconds>(answered - asked);
        if (cpu_) cpu_->end_turn(answered);
        last_answer_ = answer.word;
        co_return answer;
    }

    Awaitable<void> end_game(bool at_fault) override {
        if (link_ && (at_fault || spec_.restart)) co_await let_go();
    }

    Awaitable<void> quit() override {
        if (link_ && link_->loan) {
            link_->loan->give_back(link_->connection->release());
            link_.reset();
        }
        if (link_) co_await let_go();
        co_await see_off();
    }

    Awaitable<std::optional<Failure>> recover(Reason fault, Milliseconds grace) override {
        if (fault == Reason::Timeout && link_) {
            const auto deadline = Clock::now() + grace;
            const bool came = co_await late_reply(deadline);
            if (came) co_return std::nullopt;
        }
        if (link_) {
            if (link_->child) link_->child->read_stderr();  // it may tell the reason
            co_await let_go();
        }
        co_await see_off();
        auto failure = co_await start_game(seed_);
        co_return failure;
    }

    Microseconds take_cpu() override {
        count_cpu();
        return std::exchange(cpu_used_, Microseconds(0));
    }

    std::shared_ptr<const PlayerBuild> build() const override { return build_; }

    Microseconds take_off_turn_cpu() override { return cpu_ ? cpu_->take() : Microseconds(0); }

    std::string stderr_tail() override {
        // One that failed to start has been let go already.
        const Link* link = link_ ? link_.get() : leaving_.get();
        if (link != nullptr && link->child) link->child->read_stderr();
        return stderr_.text();
    }

  private:
    // Starts or connects, and begins a game.
    Awaitable<std::optional<Failure>> start_game(std::uint64_t seed) {
        auto failure = co_await start();
        if (!failure) failure = co_await begin_game(seed);
        if (failure && was_cut_off_ && link_ && link_->loan) {
            // One of the lobby's that was on its way out when it was taken: it is waited for.
            co_await let_go();
            failure = co_await start();
            if (!failure) failure = co_await begin_game(seed);
        }
        if (failure && link_) co_await let_go();
        if (failure) explain_environment(*failure);
        if (!failure && counts_cpu()) cpu_.emplace(link_->child->pid());
        co_return failure;
    }

    // Starts or connects, and shakes hands, all within the start-up time.
    Awaitable<std::optional<Failure>> start() {
        id_.clear();
        auto deadline = Clock::now() + context_.startup;
        const bool dials_in = spec_.kind == PlayerKind::TcpListen;
        const LinkContext link_context{
            context_.io,       context_.deadlines,
            context_.compute,  context_.guardian,
            context_.launcher, dials_in ? context_.listeners[index_].get() : nullptr,
            context_.cores,    context_.lobby,
            static_cast<int>(index_)};
        const LinkDeadlines deadlines{deadline, Clock::now() + context_.dial_in};
        std::function<void(std::string_view)> on_stderr = [this](std::string_view text) {
            keep_stderr(text);
        };
        auto opened = co_await open_link(spec_, link_context, deadlines, on_stderr);
        if (!opened) {
            if (opened.error().fault == Fault::Disconnected &&
                spec_.kind == PlayerKind::Command) {
                throw GuardianGone();
            }
            co_return Failure{Reason::Startup, opened.error().text, {}, {}, {}};
        }
        if (dials_in) deadline = Clock::now() + context_.startup;
        link_ = std::move(*opened);
        cpu_seen_ = cpu_of_others_ = Microseconds(0);
        cpu_looked_ = {};
        answers_twice_ = false;
        wants_legal_moves_ = spec_.legal_moves == LegalMoves::On;
        if (!link_->loan) co_return co_await shake_hands(deadline);
        // The lobby has shaken hands.
        const Guest& guest = link_->loan->guest();
        id_ = guest.id;
        if (spec_.legal_moves == LegalMoves::Auto) wants_legal_moves_ = guest.lists_legal_moves;
        keep_build();
        co_return std::nullopt;
    }

    Awaitable<std::optional<Failure>> shake_hands(Clock::time_point deadline) {
        Connection& connection = *link_->connection;
        last_line_.clear();
        log('<', "ugi\n");
        co_await connection.write("ugi\n", deadline);  // if it fails, so does reading
        for (;;) {
            const auto line = co_await connection.read_line(deadline);
            if (!line) co_return co_await startup_failure(line.error(), "ugiok");
            log('>', *line);
            const protocol::Reply reply = protocol::parse_reply(*line);
            if (std::holds_alternative<protocol::UgiOkReply>(reply)) break;
            last_line_ = line->substr(0, kLongestShown);
            if (const auto* id = std::get_if<protocol::IdReply>(&reply)) {
                if (id_.size() < kLongestShown) {
                    id_ += fmt::format("{}{} {}", id_.empty() ? "" : "; ", shown_name(id->key),
                                       shown_name(protocol::trim(id->value)));
                }
                if (id->key == "name") context_.names.introduce(index_, id->value);
            } else if (const auto* option = std::get_if<protocol::OptionReply>(&reply)) {
                if (spec_.legal_moves == LegalMoves::Auto && option->name == "LegalMoves") {
                    wants_legal_moves_ = true;
                }
            }
        }
        keep_build();
        std::string options;
        for (const auto& [name, value] : spec_.options) {
            options += fmt::format("setoption name {} value {}\n", name, value);
        }
        log('<', options);
        co_await connection.write(options, deadline);
        co_return std::nullopt;
    }

    // The start of a game: afterwards all that was said before has been read.
    Awaitable<std::optional<Failure>> begin_game(std::uint64_t seed) {
        link_->connection->begin_question();
        last_answer_.clear();
        questions_ = 0;
        const std::string message =
            fmt::format("setoption name Seed value {}\nuginewgame\nisready\n", seed);
        const auto ready = co_await await_ready(message, Clock::now() + context_.startup);
        was_cut_off_ = !ready && ready.error().fault == protocol::Fault::Disconnected;
        if (ready) co_return std::nullopt;
        co_return co_await startup_failure(ready.error(), "readyok");
    }

    // Sends lines that end in `isready` and waits for its answer.
    Awaitable<Result<void>> await_ready(std::string_view message, Clock::time_point deadline) {
        Connection& connection = *link_->connection;
        log('<', message);
        co_await connection.write(message, deadline);  // if it fails, so does reading
        last_line_.clear();
        for (;;) {
            const auto line = co_await connection.read_line(deadline);
            if (!line) co_return line.error();
            log('>', *line);
            std::string_view rest = *line;
            if (protocol::next_word(rest) == "readyok") co_return Result<void>();
            last_line_ = line->substr(0, kLongestShown);
        }
    }

    // Fills in the word behind `bestmove` (empty if it stood alone), or why there is none.
    Awaitable<void> read_best_move(Clock::time_point deadline, Answer& answer) {
        const auto word = co_await next_best_move(deadline);
        if (!word) {
            answer.failure = co_await failure_of(word.error(), "bestmove MOVE");
            co_return;
        }
        answer.word = *word;
        if (!answer.word.empty() && answer.word == last_answer_ && !answers_twice_) {
            co_await confirm(deadline, answer);
        }
    }

    // One that can be asked nothing more may have answered before, so what it wrote is read all
    // the same; but it is not waited for longer than the news of its end takes.
    Awaitable<void> read_last_words(Error unwritten, Clock::time_point deadline,
                                    Answer& answer) {
        co_await read_best_move(std::min(deadline, Clock::now() + kExitNotice), answer);
        if (!answer.failure || answer.failure->reason != Reason::Timeout) co_return;
        answer.failure->reason = Reason::Disconnected;
        answer.failure->detail = "it has closed its input: " + unwritten.text;
    }

    // The word behind the next `bestmove`.
    Awaitable<Result<std::string>> next_best_move(Clock::time_point deadline) {
        Connection& connection = *link_->connection;
        last_line_.clear();
        for (;;) {
            const auto line = co_await connection.read_line(deadline);
            answered_ = connection.arrived();
            if (!line) co_return line.error();
            log('>', *line);
            std::string_view rest = *line;
            if (protocol::next_word(rest) == "bestmove") {
                co_return std::string(protocol::next_word(rest));
            }
            last_line_ = line->substr(0, kLongestShown);
        }
    }

    // The same word as last time may be the last answer said twice, that came late. What the
    // player says up to its `readyok` tells: another `bestmove` is the answer then.
    Awaitable<void> confirm(Clock::time_point deadline, Answer& answer) {
        Connection& connection = *link_->connection;
        log('<', "isready\n");
        co_await connection.write("isready\n", deadline);  // if it fails, so does reading
        for (;;) {
            const auto line = co_await connection.read_line(deadline);
            if (!line) break;
            log('>', *line);
            std::string_view rest = *line;
            const std::string_view first = protocol::next_word(rest);
            if (first == "readyok") break;
            if (first != "bestmove" || answers_twice_) continue;
            answers_twice_ = true;
            answer.word = protocol::next_word(rest);
            answered_ = connection.arrived();
        }
    }

    // Says what went wrong while `expected` was awaited. After the end of output it waits a
    // moment for the news of how the process ended.
    Awaitable<Failure> failure_of(Error error, std::string_view expected) {
        Failure failure;
        failure.detail = error.text;
        failure.received = last_line_;
        failure.expected = expected;
        const std::string_view unfinished = link_->connection->unfinished();
        if (!unfinished.empty()) failure.received = unfinished.substr(0, kLongestShown);
        if (error.fault == Fault::TimedOut) {
            failure.reason = Reason::Timeout;
            failure.detail = fmt::format("no '{}' in time", expected);
            if (!link_->connection->heard()) failure.detail += kSilent;
            if (!unfinished.empty()) failure.detail += kUnfinished;
        } else if (error.fault == Fault::TooLong) {
            failure.reason = Reason::Protocol;
        } else {
            failure.reason = Reason::Disconnected;
            if (link_->child) co_await add_exit(failure);
        }
        co_return failure;
    }

    Awaitable<void> add_exit(Failure& failure) {
        co_await link_->child->wait_for_end(Clock::now() + kExitNotice);
        if (link_->child->guardian_gone()) throw GuardianGone();
        failure.exit = link_->child->exit_status();
        if (failure.exit) failure.detail = words_of(*failure.exit);
        if (link_->child->ran_out_of_memory()) {
            failure.detail += ": it used up the memory that the sandbox has for it";
        }
    }

    // The same during the handshake, or at the start of a game.
    Awaitable<Failure> startup_failure(Error error, std::string_view expected) {
        Failure failure = co_await failure_of(std::move(error), expected);
        if (failure.reason == Reason::Timeout) {
            failure.detail.insert(0, fmt::format("after {} ms ", context_.startup.count()));
        } else {
            failure.detail = fmt::format("no '{}': {}", expected, failure.detail);
        }
        failure.reason = Reason::Startup;
        co_return failure;
    }

    // It may lack what it would find in the arena's environment.
    void explain_environment(Failure& failure) {
        if (context_.launcher.confines(spec_)) {
            constexpr std::string_view kSandbox = "bwrap: ";
            const std::string said = stderr_tail();
            if (said.starts_with(kSandbox)) {
                failure.detail += fmt::format(
                    "; {}", protocol::printable(said.substr(0, said.find('\n')), 400));
            }
            failure.detail +=
                "; in the sandbox it sees the system and the directories of its own files "
                "alone";
            return;
        }
        if (spec_.kind != PlayerKind::Command || !context_.launcher.cleans(spec_)) return;
        failure.detail +=
            "; it was started with env=clean: PATH, LANG and env.NAME alone, HOME empty "
            "(env=inherit: all that the arena has)";
    }

    // CPU time for its next questions, and for the start of the game behind them.
    void allow_cpu(const Referee& referee) const {
        const int seat = referee.seat_to_move();
        const TimeControl& clock = referee.clock(seat);
        Microseconds time = kQuestionsOfBudget * referee.allowance();
        if (const auto left = referee.left(seat)) {
            time = *left + kQuestionsOfBudget * (clock.increment + clock.margin);
        }
        time += context_.startup;
        raise_cpu_limit(link_->child->pid(), cpu_for(time, spec_.threads));
    }

    // Whether the reply to a question whose time is over comes behind `stop`.
    Awaitable<bool> late_reply(Clock::time_point deadline) {
        log('<', "stop\n");
        co_await link_->connection->write("stop\n", deadline);  // if it fails, so does reading
        const auto word = co_await next_best_move(deadline);
        co_return word.has_value();
    }

    void keep_build() {
        PlayerBuild build{to_string(spec_), id_, {}};
        if (context_.launcher.confines(spec_)) {
            build.command += " (in bwrap: " + context_.launcher.sandbox_text() + ")";
        }
        if (index_ < context_.executables.size())
            build.executable = context_.executables[index_];
        build_ = std::make_shared<const PlayerBuild>(std::move(build));
    }

    void count_cpu() {
        if (!link_ || !link_->child) return;
        const pid_t pid = link_->child->pid();
        const Microseconds own = own_cpu(pid);
        const auto time = Clock::now();
        if (time - cpu_looked_ >= kLookAtTree) {
            cpu_looked_ = time;
            cpu_of_others_ = std::max(process_cpu(pid) - own, Microseconds(0));
        }
        const Microseconds now = own + cpu_of_others_;
        cpu_used_ += std::max(now - cpu_seen_, Microseconds(0));
        cpu_seen_ = std::max(now, cpu_seen_);
    }

    // Says `quit` to what can still hear it, and begins the end of a process.
    Awaitable<void> let_go() {
        if (link_->loan) {  // it may come back by another connection
            link_.reset();
            co_return;
        }
        log('<', "quit\n");
        co_await link_->connection->write("quit\n", Clock::now());
        count_cpu();
        if (link_->child) link_->child->end();
        cpu_.reset();
        leaving_ = std::move(link_);
    }

    // Waits until what was let go has gone: the next one shall have the core to itself.
    Awaitable<void> see_off() {
        if (leaving_ && leaving_->child) {
            co_await leaving_->child->wait_for_end(Clock::now() + kLeave);
        }
        leaving_.reset();
    }

    bool counts_cpu() const { return link_->child && spec_.threads == 1; }

    // A log takes as much of it as of a reply: one that floods shall not fill the disk.
    void keep_stderr(std::string_view text) {
        stderr_.add(text);
        if (stderr_logged_ > kMaxReplyBytes) return;
        stderr_logged_ += text.size();
        log('!', text);
        if (stderr_logged_ > kMaxReplyBytes) log('!', "... more is left out of this log");
    }

    void log(char direction, std::string_view text) {
        if (context_.log.on()) context_.log.lines(context_.names.of(index_), direction, text);
    }

    const PlayerSpec& spec_;
    std::size_t index_;
    const PlayerContext& context_;
    std::unique_ptr<Link> link_;
    std::unique_ptr<Link> leaving_;   // let go, and perhaps not gone yet
    bool wants_legal_moves_ = false;  // behind `searchmoves`
    // It has answered a question twice: from then on it is asked `isready` before each, so that
    // an answer that nobody awaits cannot be taken for the next one.
    bool answers_twice_ = false;
    bool was_cut_off_ = false;      // at the beginning of the last game
    std::string message_;           // the question, kept for its room
    std::string last_line_;         // what was read instead of what was expected
    Clock::time_point answered_{};  // when the last reply came, or the end of output
    std::string last_answer_;       // the word of it
    std::uint64_t seed_ = 0;
    int questions_ = 0;  // of this game
    std::string id_;     // what it said of itself
    std::shared_ptr<const PlayerBuild> build_;
    std::optional<OffTurnCpu> cpu_;
    Microseconds cpu_used_{};       // not yet asked for
    Microseconds cpu_seen_{};       // of the process that runs, and what it started
    Microseconds cpu_of_others_{};  // of that, what was not its own when it was last looked at
    Clock::time_point cpu_looked_{};
    // Of the process that runs, or ran last, and of those before it in the same game.
    StderrText stderr_;
    std::size_t stderr_logged_ = 0;  // bytes, since the last question
};

}  // namespace

std::unique_ptr<Player> make_ugi_player(const PlayerSpec& spec, std::size_t index,
                                        const PlayerContext& context) {
    return std::make_unique<UgiPlayer>(spec, index, context);
}

}  // namespace arena
