// A bot is asked for one move at a time. Each question has the whole history of its game, so
// any process of the bot can answer it. One thread runs all conversations; for each bot there
// are up to kInstances processes, each driven by one coroutine that takes questions from the
// bot's queue and ends when there are none. A process stays for the next question; one that has
// failed is started again by its Player.
//
// The referee judges a single move here, with a clock for that move alone: a clock for the game
// would count the visitor's time too.
#include "arena/web/opponents.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include "arena/base/compute.hpp"
#include "arena/base/deadlines.hpp"
#include "arena/game/referee.hpp"
#include "arena/play/worker_threads.hpp"
#include "arena/players/names.hpp"
#include "arena/players/player.hpp"
#include "arena/players/question.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/text.hpp"

namespace arena::web {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kInstances = 2;
constexpr std::size_t kMostQuestions = 64;        // questions to one bot
constexpr std::size_t kMostWaitingOfClient = 32;  // of these
constexpr std::size_t kNoLimit = 1'000'000'000;   // of plies, which only tournaments have

struct Job {
    BotQuestion question;
    std::function<void(BotAnswer)> told;
};

BotAnswer failed(Reason reason, std::string detail) {
    BotAnswer answer;
    answer.fault = Cause{reason, std::move(detail)};
    return answer;
}

}  // namespace

struct Opponents::Impl {
    struct Bot {
        std::deque<Job> waiting;
        std::vector<std::unique_ptr<Player>> idle;
        std::size_t running = 0;  // coroutines, each with a player of its own
    };

    Impl(const PlayOptions& play, const PlaySetup& setup, const Guardian& guardian,
         const engine::Analyst& analyst)
        : options(play),
          names(play.players),
          shared(resources(play, setup, guardian, analyst, &names)),
          bots(play.players.size()) {
        shared.stop = stop.get_token();
        shared.stop_fd = stopped.fd();
        thread = std::thread([this] { io->run(); });
    }

    // ---- on the thread ----

    Awaitable<void> serve(std::size_t number) {
        Bot& bot = bots[number];
        auto player = take_player(number);
        for (auto job = next(bot); job; job = next(bot)) {
            BotAnswer answer = co_await ask(*player, number, job->question);
            tell(*job, std::move(answer));
        }
        bot.idle.push_back(std::move(player));
        --bot.running;
    }

    // If there is no memory for the answer, it is lost; the server then replies that it is
    // late.
    static void tell(const Job& job, BotAnswer answer) {
        try {
            job.told(std::move(answer));
        } catch (const std::exception&) {
        }
    }

    std::unique_ptr<Player> take_player(std::size_t number) {
        Bot& bot = bots[number];
        if (bot.idle.empty()) return make_player(options.players[number], number, context);
        auto player = std::move(bot.idle.back());
        bot.idle.pop_back();
        return player;
    }

    // The next question whose client still waits.
    std::optional<Job> next(Bot& bot) {
        const std::lock_guard lock(mutex);
        while (!bot.waiting.empty()) {
            Job job = std::move(bot.waiting.front());
            bot.waiting.pop_front();
            const auto& is_abandoned = job.question.is_abandoned;
            if (is_abandoned == nullptr || !*is_abandoned) return job;
        }
        return std::nullopt;
    }

    // An error of the arena itself becomes a Void.
    Awaitable<BotAnswer> ask(Player& player, std::size_t number, const BotQuestion& question) {
        try {
            co_return co_await play(player, number, question);
        } catch (const std::exception& error) {
            co_return failed(Reason::Void, protocol::printable(error.what()));
        }
    }

    Awaitable<BotAnswer> play(Player& player, std::size_t number, const BotQuestion& question) {
        const auto unready = co_await player.prepare(question.seed);
        if (unready) co_return fault_of(player, *unready);

        const TimeControl clock = clock_of(options, number);
        const PlayedGame& played = question.played;
        Referee referee(played.game, {clock, clock}, kNoLimit);
        std::string history = "position fen " + to_string(played.start);
        for (std::size_t i = 0; i < played.moves.size(); ++i) {
            extend_history(history, i + 1, played.moves[i]);
        }
        const Question asked{referee, history};
        const Answer answer = co_await player.ask(asked);
        co_await judge(referee, answer);
        BotAnswer told = told_of(referee, answer, player);
        const bool hopeless = told.fault && told.fault->reason != Reason::IllegalMove;
        co_await player.end_game(hopeless);
        co_return told;
    }

    // On the compute thread where it may take long: this thread must be free to see the
    // answers of other bots when they come.
    Awaitable<void> judge(Referee& referee, const Answer& answer) {
        const std::function<void()> judging = [&] {
            if (answer.failure)
                referee.fail(*answer.failure, answer.used);
            else
                referee.answer(answer.word, answer.used, answer.line);
        };
        if (referee.is_costly())
            co_await arena::compute(compute, judging);
        else
            judging();
    }

    static BotAnswer told_of(const Referee& referee, const Answer& answer, Player& player) {
        if (!referee.last_move().empty()) {
            BotAnswer told;
            told.move = referee.last_move();
            told.used = answer.used;
            return told;
        }
        const auto& verdict = referee.verdict();
        if (!verdict) return failed(Reason::Void, "the game is over");
        return fault_of(player, *verdict);
    }

    static BotAnswer fault_of(Player& player, const Cause& cause) {
        BotAnswer told;
        told.fault = cause;
        if (!cause.advice.empty()) told.fault->detail += "; " + cause.advice;
        told.fault->received = kept_text(cause.received);
        told.fault->stderr_tail = player.stderr_tail();
        return told;
    }

    // ---- from any thread ----

    bool post(std::size_t number, Job job) {
        const std::lock_guard lock(mutex);
        Bot& bot = bots[number];
        const auto of_client = std::ranges::count_if(bot.waiting, [&](const Job& other) {
            return other.question.client == job.question.client;
        });
        if (is_closed || bot.waiting.size() >= kMostQuestions ||
            static_cast<std::size_t>(of_client) >= kMostWaitingOfClient) {
            return false;
        }
        bot.waiting.push_back(std::move(job));
        asio::post(*io, [this, number] { wake(number); });
        return true;
    }

    void wake(std::size_t number) {
        Bot& bot = bots[number];
        if (bot.running >= kInstances) return;
        ++bot.running;
        asio::co_spawn(*io, serve(number), [](const std::exception_ptr& error) {
            if (error) std::rethrow_exception(error);  // an error of ours: ends the program
        });
    }

    void close() {
        {
            const std::lock_guard lock(mutex);
            if (is_closed) return;
            is_closed = true;
        }
        stop.request_stop();
        stopped.set();
        work.reset();
        io->stop();
        thread.join();
        compute.join();
        // Interrupted coroutines are destroyed with the io_context; their players use the
        // deadlines until then.
        deadlines.close();
        for (Bot& bot : bots) bot.idle.clear();
        io.reset();
    }

    const PlayOptions& options;
    Names names;
    std::stop_source stop;
    WaitableEvent stopped;
    std::unique_ptr<asio::io_context> io = std::make_unique<asio::io_context>(1);
    asio::executor_work_guard<asio::io_context::executor_type> work =
        asio::make_work_guard(*io);
    Deadlines deadlines{*io};
    asio::thread_pool compute{1};
    PlayerResources shared;
    PlayerContext context{{*io, deadlines, compute}, shared};
    std::mutex mutex;  // guards the queues
    bool is_closed = false;
    std::vector<Bot> bots;
    std::thread thread;
};

Opponents::Opponents(const PlayOptions& options, const PlaySetup& setup,
                     const Guardian& guardian, const engine::Analyst& analyst)
    : impl_(std::make_unique<Impl>(options, setup, guardian, analyst)) {}

Opponents::~Opponents() { close(); }

std::size_t Opponents::size() const { return impl_->options.players.size(); }

std::string Opponents::name(std::size_t bot) const { return impl_->names.of(bot); }

bool Opponents::ask(std::size_t bot, BotQuestion question,
                    std::function<void(BotAnswer)> told) {
    return impl_->post(bot, {std::move(question), std::move(told)});
}

void Opponents::close() { impl_->close(); }

}  // namespace arena::web
