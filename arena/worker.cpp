#include "arena/worker.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include "arena/compute.hpp"
#include "arena/deadlines.hpp"
#include "arena/guardian.hpp"
#include "arena/lobby.hpp"
#include "arena/names.hpp"
#include "arena/player.hpp"
#include "arena/player_pool.hpp"
#include "arena/question.hpp"
#include "arena/referee.hpp"
#include "arena/seeds.hpp"
#include "engine/solver/analyst.hpp"
#include "protocol/line_buffer.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace asio = boost::asio;

constexpr int kVoidReplays = 3;
constexpr std::string_view kNeitherStarts = "; nor does the other start, and p1 loses then";
constexpr std::chrono::seconds kAdjudicationTime{10};

// Whether a player that lost for this reason can be expected to go on.
bool is_hopeless(Reason reason) {
    return reason == Reason::Timeout || reason == Reason::Disconnected ||
           reason == Reason::Protocol || reason == Reason::Startup;
}

// One game after the other.
class Slot {
  public:
    Slot(PlayContext& context, PlayerPool& pool) : context_(context), pool_(pool) {}

    Awaitable<void> run() {
        std::vector<GameTask> games;
        while (!context_.stop.stop_requested()) {
            if (games.empty()) games = co_await context_.source.next();
            if (games.empty()) break;
            co_await seat(games.front().players);
            for (const GameTask& task : games) {
                if (!context_.is_draining) co_await play_and_record(task);
            }
            games = context_.source.again(games);
            co_await clear(games);
        }
    }

  private:
    // Who sits there already stays.
    Awaitable<void> seat(std::array<int, 2> wanted) {
        for (const int number : wanted) {
            std::size_t free = players_.size();
            bool is_there = false;
            for (std::size_t place = 0; place < players_.size(); ++place) {
                if (!players_[place]) free = place;
                is_there = is_there || (players_[place] && sitting_[place] == number);
            }
            if (is_there) continue;
            sitting_[free] = number;
            players_[free] = co_await pool_.take(number);
        }
    }

    // All but those who play `next`, too, leave.
    Awaitable<void> clear(const std::vector<GameTask>& next) {
        for (std::size_t place = 0; place < players_.size(); ++place) {
            const int number = sitting_[place];
            if (!next.empty() && std::ranges::count(next.front().players, number) > 0) continue;
            co_await pool_.give_back(number, std::move(players_[place]));
            context_.source.left(number);
        }
    }

    Awaitable<void> play_and_record(const GameTask& task) {
        auto record = co_await play(task);
        for (int i = 0; i < kVoidReplays && record && record->reason == Reason::Void; ++i) {
            record = co_await play(task);
        }
        if (record) co_await context_.sink.add(*std::move(record));
    }

    // Nothing: it was called off, and is not recorded, so that it will be played.
    Awaitable<std::optional<GameRecord>> play(const GameTask& task) {
        GameRecord record;
        record.task = task;
        record.started = std::chrono::system_clock::now();
        std::exception_ptr error;
        try {
            co_await play(record);
        } catch (const GuardianGone&) {
            throw;  // there is nobody left to play again
        } catch (const GameCalledOff&) {
            co_return std::nullopt;
        } catch (...) {
            error = std::current_exception();
        }
        if (error) make_void(record, error);
        co_return record;
    }

    static void make_void(GameRecord& record, const std::exception_ptr& error) {
        record.reason = Reason::Void;
        record.winner.reset();
        try {
            std::rethrow_exception(error);
        } catch (const std::exception& exception) {
            record.detail = protocol::printable(exception.what());
        } catch (...) {
            record.detail = "an unknown error of the arena";
        }
    }

    Awaitable<void> play(GameRecord& record) {
        const GameTask& task = record.task;
        auto start = engine::Game::start(*task.position);
        if (!start) throw std::runtime_error(describe(start.error()));
        Referee referee(*std::move(start), {clock(task, 0), clock(task, 1)},
                        context_.options.max_plies);

        if (!referee.verdict()) co_await prepare(task, referee, record);
        if (!referee.verdict()) co_await play_moves(task, referee, record);

        const Verdict& verdict = *referee.verdict();
        record.winner = verdict.winner;
        record.reason = verdict.reason;
        record.detail = verdict.detail;
        record.faulty_seat = verdict.faulty_seat;
        record.fault.received = kept_text(verdict.received);
        record.fault.expected = verdict.expected;
        if (verdict.faulty_seat) {
            record.fault.stderr_tail = player(task, *verdict.faulty_seat).stderr_tail();
        }
        for (int seat = 0; seat < 2; ++seat) {
            const bool at_fault = verdict.faulty_seat == seat && is_hopeless(verdict.reason);
            record.off_turn_cpu[seat_index(seat)] = player(task, seat).take_off_turn_cpu();
            if (context_.keeps_details) keep_details(task, seat, record);
            co_await player(task, seat).end_game(at_fault);
        }
    }

    void keep_details(const GameTask& task, int seat, GameRecord& record) {
        Player& who = player(task, seat);
        record.cpu[seat_index(seat)] = who.take_cpu();
        record.stderr_tails[seat_index(seat)] = who.stderr_tail();
        record.builds[seat_index(seat)] = who.build();
    }

    void count_start(const GameTask& task, int seat, bool starts) {
        const std::size_t player = player_index(task, seat);
        std::atomic<int>& failed = context_.failed_starts[player];
        if (starts) {
            failed = 0;
        } else if (++failed == kMaxFailedStarts && context_.on_out) {
            context_.on_out(static_cast<int>(player));
        }
    }

    // Of the other, once one cannot.
    Awaitable<bool> can_start(const GameTask& task, int seat) {
        std::atomic<int>& failed = context_.failed_starts[player_index(task, seat)];
        if (failed >= kMaxFailedStarts) co_return false;
        const auto failure = co_await player(task, seat).prepare(task.seeds[seat_index(seat)]);
        const bool starts = !failure || failure->reason != Reason::Startup;
        count_start(task, seat, starts);
        co_return starts;
    }

    // Both players made ready; the first that fails loses. So of two that cannot start, who
    // moves first does: each loses one game of their pair.
    Awaitable<void> prepare(const GameTask& task, Referee& referee, GameRecord& record) {
        for (int seat = 0; seat < 2; ++seat) {
            std::atomic<int>& failed = context_.failed_starts[player_index(task, seat)];
            if (failed >= kMaxFailedStarts) {
                std::string detail = "it has failed to start " + std::to_string(failed) +
                                     " times in a row and is out";
                if (seat == 0) {
                    const bool starts = co_await can_start(task, 1);
                    if (!starts) detail += kNeitherStarts;
                }
                referee.fail_seat(seat, Reason::Startup, detail, {}, {});
                co_return;
            }
            const auto failure =
                co_await player(task, seat).prepare(task.seeds[seat_index(seat)]);
            if (!failure) {
                count_start(task, seat, true);
                continue;
            }
            count_start(task, seat, false);
            record.fault.exit = failure->exit;
            std::string detail = failure->detail;
            if (seat == 0 && failure->reason == Reason::Startup) {
                const bool starts = co_await can_start(task, 1);
                if (!starts) detail += kNeitherStarts;
            }
            referee.fail_seat(seat, failure->reason, detail, failure->received,
                              failure->expected);
            co_return;
        }
    }

    Awaitable<void> play_moves(const GameTask& task, Referee& referee, GameRecord& record) {
        std::string history = "position fen " + to_string(*task.position);
        while (!referee.verdict()) {
            if (referee.awaits_adjudication()) {
                co_await adjudicate(referee);
                continue;
            }
            const int seat = referee.seat_to_move();
            const Question question{referee, history};
            const Answer answer = co_await player(task, seat).ask(question);
            if (answer.failure) {
                const Failure& failure = *answer.failure;
                record.fault.exit = failure.exit;
                referee.fail(failure.reason, failure.detail, failure.received, failure.expected,
                             answer.used);
            } else if (referee.answer(answer.word, answer.used)) {
                record.moves.push_back(referee.last_move());
                record.times.push_back(answer.used);
                extend_history(history, record.moves.size(), referee.last_move());
                tell_move(record);
            }
            if (!referee.verdict()) continue;
            const bool moved = co_await overrule(task, referee, record, answer.used);
            if (moved) extend_history(history, record.moves.size(), referee.last_move());
        }
    }

    // Where the policy forgives the fault that ended the game: plays a random legal move in its
    // stead, and makes the player ready to go on. True if the game goes on by that move, or
    // ended with it.
    Awaitable<bool> overrule(const GameTask& task, Referee& referee, GameRecord& record,
                             Microseconds used) {
        const Verdict& verdict = *referee.verdict();
        const int seat = referee.seat_to_move();
        if (verdict.faulty_seat != seat) co_return false;
        auto& strikes = record.strikes[seat_index(seat)];
        if (static_cast<int>(strikes.size()) + 1 >= context_.options.faults.losing_strike) {
            co_return false;
        }
        const std::uint64_t ply = referee.plies() + 1;
        std::mt19937_64 random(mix(task.seeds[seat_index(seat)] + ply));
        const engine::Move move = referee.game().random_move(random);
        const Verdict fault = referee.overrule(move, used);
        strikes.push_back({ply, fault.reason, kept_text(fault.received)});
        record.fault = {};
        record.moves.push_back(referee.last_move());
        record.times.push_back(used);
        tell_move(record);
        if (referee.verdict() || !is_hopeless(fault.reason)) co_return true;

        const auto failure =
            co_await player(task, seat).recover(fault.reason, context_.options.faults.grace);
        if (failure) {
            record.fault.exit = failure->exit;
            referee.fail_seat(seat, failure->reason, failure->detail, failure->received,
                              failure->expected);
        }
        co_return true;
    }

    void tell_move(const GameRecord& record) const {
        if (!context_.on_move) return;
        context_.on_move(record.task, record.moves.size(), record.moves.back(),
                         record.times.back());
    }

    Awaitable<void> adjudicate(Referee& referee) {
        auto outcome = engine::Outcome::Unknown;
        const std::function<void()> solve = [&] {
            const engine::Budget budget{Clock::now() + kAdjudicationTime, context_.stop};
            outcome = context_.analyst.outcome(referee.game(), budget);
        };
        co_await compute(context_.compute, solve);
        const int mover = referee.seat_to_move();
        if (outcome == engine::Outcome::N)
            referee.adjudicate(mover, false);
        else if (outcome == engine::Outcome::P)
            referee.adjudicate(1 - mover, false);
        else
            referee.adjudicate(std::nullopt, outcome == engine::Outcome::D);
    }

    static std::size_t seat_index(int seat) { return static_cast<std::size_t>(seat); }
    static std::size_t player_index(const GameTask& task, int seat) {
        return static_cast<std::size_t>(task.players[seat_index(seat)]);
    }
    Player& player(const GameTask& task, int seat) {
        const bool first = task.players[seat_index(seat)] == sitting_[0];
        return *players_[first ? 0 : 1];
    }
    TimeControl clock(const GameTask& task, int seat) const {
        return clock_of(context_.options, player_index(task, seat));
    }

    PlayContext& context_;
    PlayerPool& pool_;
    std::array<int, 2> sitting_{};  // numbers of the players that are at this table
    std::array<std::unique_ptr<Player>, 2> players_;
};

void pin_to(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(core), &set);
    ::sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

struct Worker::Impl {
    Impl(PlayContext& shared, int slots, int processes, std::optional<int> where)
        : play(shared), core(where), io(std::make_unique<asio::io_context>(1)), deadlines(*io) {
        const PlayOptions& options = play.options;
        context = std::make_unique<PlayerContext>(PlayerContext{*io,
                                                                deadlines,
                                                                play.compute,
                                                                play.guardian,
                                                                play.launcher,
                                                                play.analyst,
                                                                play.names,
                                                                play.log,
                                                                play.listeners,
                                                                options.startup,
                                                                options.dial_in,
                                                                {},
                                                                play.executables,
                                                                play.stop,
                                                                play.stop_fd,
                                                                play.console,
                                                                play.lobby});
        if (core) context->cores = {*core};
        pool = std::make_unique<PlayerPool>(options.players, *context, processes);
        for (int i = 0; i < slots; ++i) add_slot();
    }
    // What is dropped in the middle of a game goes with the io_context, and uses the deadlines
    // up to its end; their timer must go before it.
    ~Impl() {
        deadlines.close();
        pool.reset();
        io.reset();
    }

    void add_slot() {
        ++running;
        const auto done = [](const std::exception_ptr& error) {
            if (error) std::rethrow_exception(error);  // out of run()
        };
        asio::co_spawn(*io, run_slot(), done);
    }

    // The last slot to end takes leave of the players.
    Awaitable<void> run_slot() {
        Slot slot(play, *pool);
        co_await slot.run();
        if (--running > 0) co_return;
        co_await pool->quit();
        io->stop();  // the deadlines' timer may still wait
    }

    PlayContext& play;
    std::optional<int> core;
    std::unique_ptr<PlayerContext> context;
    std::unique_ptr<PlayerPool> pool;
    int running = 0;
    std::unique_ptr<asio::io_context> io;
    Deadlines deadlines;
};

Worker::Worker(PlayContext& play, int slots, int processes, std::optional<int> core)
    : impl_(new Impl(play, slots, processes, core)) {}

Worker::~Worker() = default;

void Worker::run() {
    if (impl_->core) pin_to(*impl_->core);
    impl_->io->run();
}

void Worker::stop() { impl_->io->stop(); }

ThreadPlan plan_threads(const PlayOptions& options, std::uint64_t games,
                        const std::vector<int>& allowed) {
    const auto one_at_a_time = [](const PlayerSpec& player) {
        return player.kind == PlayerKind::Human || player.kind == PlayerKind::TcpListen;
    };
    const auto local = [](const PlayerSpec& player) {
        return player.kind == PlayerKind::Command || player.kind == PlayerKind::Builtin;
    };
    const std::vector<int>& cores =
        options.affinity == AffinityMode::List ? options.cores : allowed;
    const int core_count = static_cast<int>(cores.size());
    const bool serial = std::ranges::any_of(options.players, one_at_a_time);

    const int wanted = options.concurrency.value_or(serial ? 1 : core_count);
    const bool pinned =
        options.affinity == AffinityMode::Default
            ? wanted <= core_count && std::ranges::all_of(options.players, local)
            : options.affinity != AffinityMode::Off;

    ThreadPlan plan;
    plan.concurrency = options.concurrency.value_or(serial   ? 1
                                                    : pinned ? core_count
                                                             : std::max(1, core_count / 2));
    if (static_cast<std::uint64_t>(plan.concurrency) > games) {
        plan.concurrency = static_cast<int>(games);
    }
    // Where there are but two players, both are in every game.
    for (const PlayerSpec& player : options.players) {
        if (options.players.size() > 2 || player.instances == 0) continue;
        plan.concurrency = std::min(plan.concurrency, player.instances);
    }
    for (int i = 0; i < std::min(plan.concurrency, core_count); ++i) {
        plan.cores.push_back(pinned ? std::optional(cores[static_cast<std::size_t>(i)])
                                    : std::nullopt);
    }
    return plan;
}

Awaitable<std::optional<Failure>> Player::recover(Reason, Milliseconds) {
    co_return std::nullopt;
}

std::unique_ptr<Player> make_player(const PlayerSpec& spec, std::size_t index,
                                    const PlayerContext& context) {
    if (spec.kind == PlayerKind::Builtin) return make_builtin_player(spec, context);
    if (spec.kind == PlayerKind::Human) return make_human_player(context);
    return make_ugi_player(spec, index, context);
}

}  // namespace arena
