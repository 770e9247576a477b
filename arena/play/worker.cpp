#include "arena/play/worker.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json.hpp>

#include "arena/base/compute.hpp"
#include "arena/base/heartbeat.hpp"
#include "arena/game/referee.hpp"
#include "arena/game/seeds.hpp"
#include "arena/play/clinic.hpp"
#include "arena/play/director.hpp"
#include "arena/play/recording.hpp"
#include "arena/play/spectator.hpp"
#include "arena/players/conversation.hpp"
#include "arena/players/lobby.hpp"
#include "arena/players/names.hpp"
#include "arena/players/player.hpp"
#include "arena/players/question.hpp"
#include "arena/process/guardian.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace asio = boost::asio;

constexpr int kVoidReplays = 3;
constexpr std::chrono::seconds kAdjudicationTime{10};

// Whether a player that lost for this reason may be able to continue.
bool is_hopeless(Reason reason) {
    return reason == Reason::Timeout || reason == Reason::Disconnected ||
           reason == Reason::Protocol || reason == Reason::Startup;
}

// Plays games in sequence.
class Slot {
  public:
    Slot(PlayContext& context, PlayerPool& pool) : context_(context), pool_(pool) {}

    Awaitable<void> run() {
        std::vector<GameTask> games;
        while (!context_.players.stop.stop_requested()) {
            if (games.empty()) games = co_await context_.director.next();
            if (games.empty()) break;
            if (context_.clinic != nullptr && !visit_) co_await begin_visit(games.front());
            co_await seat(games.front().players);
            for (const GameTask& task : games) {
                if (!context_.is_draining) co_await play_and_record(task);
                // Between built-in players nothing else may wait: others have their turn.
                co_await asio::post(asio::use_awaitable);
            }
            games = context_.director.again(games);
            if (visit_ && !plays(games, visit_->player)) co_await certify();
            // Two players meet again, whatever is played next.
            if (context_.options.players.size() > 2) co_await clear(games);
        }
        const std::vector<GameTask> none;
        co_await clear(none);
    }

  private:
    static bool plays(const std::vector<GameTask>& games, int player) {
        return !games.empty() && std::ranges::count(games.front().players, player) > 0;
    }

    // Players already at the table stay.
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

    // All players except those of `next` leave.
    Awaitable<void> clear(const std::vector<GameTask>& next) {
        for (std::size_t place = 0; place < players_.size(); ++place) {
            if (!players_[place]) continue;
            const int number = sitting_[place];
            if (plays(next, number)) continue;
            co_await pool_.give_back(number, std::move(players_[place]));
            if (visit_ && visit_->player == number) {
                // One that the end of the server has cut begins anew when the server does.
                if (is_whole_)
                    co_await context_.clinic->end(pool_.context(), *visit_, visited_);
                visit_.reset();
            }
            context_.director.player_closed(number);
        }
    }

    // A clinic's visitor plays against player 0.
    Awaitable<void> begin_visit(const GameTask& task) {
        visit_.emplace().player = std::max(task.players[0], task.players[1]);
        visited_.clear();
        is_whole_ = false;
        co_await context_.clinic->check(pool_.context(), *visit_);
    }

    Awaitable<void> certify() {
        if (context_.is_draining) co_return;
        Player& visitor = *players_[sitting_[0] == visit_->player ? 0 : 1];
        co_await context_.clinic->certify(pool_.context(), visitor, *visit_);
        is_whole_ = !context_.is_draining;
    }

    Awaitable<void> play_and_record(const GameTask& task) {
        replays_left_ = kVoidReplays;
        auto record = co_await play(task);
        for (; replays_left_ > 0 && record && has_broken_; --replays_left_) {
            if (context_.on_replay) context_.on_replay(task, record->detail);
            record = co_await play(task);
        }
        if (!record) co_return context_.director.postpone(task);
        co_await context_.recording.add(*std::move(record));
        if (visit_) visited_.push_back(task.key);
    }

    // nullopt: called off and not recorded, so it is played later.
    Awaitable<std::optional<GameRecord>> play(const GameTask& task) {
        GameRecord record;
        record.task = task;
        record.started = std::chrono::system_clock::now();
        has_broken_ = false;
        try {
            co_await play(record);
        } catch (const GuardianGone&) {
            throw;  // nobody is left to replay it
        } catch (const GameCalledOff&) {
            view_.reset();
            co_return std::nullopt;
        } catch (const std::exception& exception) {
            has_broken_ = true;
            record.reason = Reason::Void;
            record.winner.reset();
            record.detail = protocol::printable(exception.what());
            drop_cpu(task);
        }
        view_.reset();
        co_return record;
    }

    // The players' CPU time until now counts in no game.
    void drop_cpu(const GameTask& task) {
        for (int seat = 0; seat < 2; ++seat) {
            player(task, seat).take_off_turn_cpu();
            player(task, seat).take_cpu();
        }
    }

    Referee begin(const GameTask& task) const {
        auto start = engine::Game::start(*task.position);
        if (!start) throw std::runtime_error(describe(start.error()));
        return {
            *std::move(start), {clock(task, 0), clock(task, 1)}, context_.options.max_plies};
    }

    Awaitable<void> play(GameRecord& record) {
        const GameTask& task = record.task;
        std::optional<Referee> made;
        const std::function<void()> make = [&] { made.emplace(begin(task)); };
        co_await work_out(make, is_costly(*task.position));
        Referee& referee = *made;

        refusal_.clear();
        if (!referee.verdict()) co_await prepare(task, referee);
        if (!referee.verdict()) {
            if (context_.spectator != nullptr)
                view_ = context_.spectator->begin_game(task, now(record, referee));
            for (int seat = 0; seat < 2; ++seat) player(task, seat).take_seat(referee, seat);
            co_await play_moves(task, referee, record);
        }

        static_cast<Cause&>(record) = *referee.verdict();
        if (record.reason == Reason::IllegalMove) {
            const std::function<void()> suspect = [&] { suspect_lost_moves(referee, record); };
            co_await work_out(suspect, referee.is_costly());
        }
        if (record.faulty_seat() && !refusal_.empty()) {
            record.detail += fmt::format("; it wrote: {}", refusal_text(refusal_));
        }
        judge_off_turn(task, record);
        record.received = kept_text(record.received);
        if (view_) view_->over(now(record, referee), record);
        if (record.faulty_seat()) {
            record.stderr_tail = player(task, *record.faulty_seat()).stderr_tail();
        }
        for (int seat = 0; seat < 2; ++seat) {
            const bool at_fault = record.faulty_seat() == seat && is_hopeless(record.reason);
            if (context_.keeps_details) keep_details(task, seat, record);
            if (context_.players.lobby != nullptr) co_await tell_result(task, seat, record);
            co_await player(task, seat).end_game(at_fault);
        }
    }

    // A bot that does not play the moves after `moves` moves in the first position for ever.
    void suspect_lost_moves(const Referee& referee, GameRecord& record) const {
        const auto player = player_index(record.task, *record.faulty_seat());
        if (record.moves.empty() || !context_.options.players[player].history) return;
        const auto words = protocol::split_words(record.received);
        const auto start = engine::Game::start(*record.task.position);
        if (words.size() < 2 || !start || !start->read_move(words[1])) return;
        // Late in a game almost any move is legal there: it tells something of the first
        // answers alone, or of a move that the player repeats.
        const bool is_early = record.moves.size() <= 2;
        const bool has_hint = referee.game().names_what_is_taken(words[1]) ||
                              !move_advice(referee.game(), record.received).empty() ||
                              !refusal_.empty();
        if ((has_hint || !is_early) && !has_played(record, words[1])) return;
        record.detail +=
            "; it was legal in the first position: does it play the moves after `moves`?";
    }

    // Whether the player to move has made this move before.
    static bool has_played(const GameRecord& record, std::string_view move) {
        for (std::size_t i = record.moves.size() % 2; i < record.moves.size(); i += 2)
            if (record.moves[i] == move) return true;
        return false;
    }

    void judge_off_turn(const GameTask& task, GameRecord& record) {
        for (int seat = 0; seat < 2; ++seat) {
            record.off_turn_cpu[seat_index(seat)] = player(task, seat).take_off_turn_cpu();
        }
        if (!context_.options.faults.off_turn_loses) return;
        if (const auto verdict = off_turn_verdict(record)) {
            static_cast<Cause&>(record) = *verdict;
        }
    }

    // The notice of its end: see arena/doc/server.md.
    Awaitable<void> tell_result(const GameTask& task, int seat, const GameRecord& record) {
        std::string result = "drawn";
        if (record.winner) result = *record.winner == seat ? "won" : "lost";
        boost::json::object notice{
            {"event", "game"},
            {"game", game_name(task)},
            {"opponent", context_.players.names->of(player_index(task, 1 - seat))},
            {"result", result},
            {"reason", name(record.reason)}};
        if (record.faulty_seat() == seat) notice["detail"] = protocol::printable(record.detail);
        co_await player(task, seat).notify(boost::json::serialize(notice));
    }

    void keep_details(const GameTask& task, int seat, GameRecord& record) {
        Player& who = player(task, seat);
        record.cpu[seat_index(seat)] = who.take_cpu();
        record.stderr_tails[seat_index(seat)] = who.stderr_tail();
        record.builds[seat_index(seat)] = who.build();
    }

    void count_start(const GameTask& task, int seat, bool starts) {
        const std::size_t player = player_index(task, seat);
        const bool is_out = arena::count_start(context_.failed_starts[player], starts);
        if (is_out && context_.on_out) context_.on_out(static_cast<int>(player));
        // A match for fun ends here, and its report says why.
        if (!starts && context_.players.leave) context_.players.leave();
    }

    // Makes a player ready, unless it is out. nullopt: it is.
    Awaitable<std::optional<Cause>> prepare(const GameTask& task, int seat) {
        const std::size_t index = player_index(task, seat);
        const int failed = context_.failed_starts[index];
        if (failed >= kMaxFailedStarts) {
            const std::string& not_built = context_.options.players[index].not_built;
            const std::string out =
                fmt::format("it has failed to start {} times in a row and is out", failed);
            co_return Cause{Reason::Startup, not_built.empty() ? out : not_built};
        }
        const auto began = SteadyClock::now();
        auto failure = co_await player(task, seat).prepare(task.seeds[seat_index(seat)]);
        if (failure && !failure->exit)
            co_await void_if_absent(began, Microseconds(0), seat, "was to start");
        count_start(task, seat, !failure);
        co_return failure;
    }

    // Makes both players ready; a player that fails to start loses. If both fail, neither has
    // earned the point, and the game does not count. A person who plays for fun is not asked
    // for another game, as the match ends.
    Awaitable<void> prepare(const GameTask& task, Referee& referee) {
        auto first = co_await prepare(task, 0);
        if (first && (first->reason != Reason::Startup || context_.players.leave)) {
            referee.fail_seat(0, *std::move(first));
            co_return;
        }
        auto second = co_await prepare(task, 1);
        if (first && second) {
            context_.neither_started = true;
            const std::array<Cause, 2> both{*std::move(first), *std::move(second)};
            referee.fail_both(both);
        } else if (first) {
            referee.fail_seat(0, *std::move(first));
        } else if (second) {
            referee.fail_seat(1, *std::move(second));
        }
    }

    Awaitable<void> play_moves(const GameTask& task, Referee& referee, GameRecord& record) {
        std::string history = "position fen " + task.position.text();
        while (!referee.verdict()) {
            if (referee.awaits_adjudication()) {
                co_await adjudicate(referee);
                continue;
            }
            const int seat = referee.seat_to_move();
            const Question question{referee, history};
            const auto asked = SteadyClock::now();
            const Answer answer = co_await player(task, seat).ask(question);
            if (const auto late = referee.lateness(answer.used);
                late.count() > 0 || is_timeout(answer))
                co_await void_if_absent(asked, late, seat, "was to move");
            refusal_ = answer.refusal;
            if (answer.takes_back) {
                take_back(task, referee, record, history);
            } else if (answer.failure) {
                referee.fail(*answer.failure, answer.used);
            } else {
                bool played = false;
                const auto judge = [&] {
                    played = referee.answer(answer.word, answer.used, answer.line);
                };
                if (referee.is_costly()) {
                    const std::function<void()> work = judge;
                    co_await compute(context_.compute, work);
                } else {  // at once, and without a coroutine for each move
                    judge();
                }
                if (played) {
                    record.moves.push_back(referee.last_move());
                    record.times.push_back(answer.used);
                    extend_history(history, record.moves.size(), referee.last_move());
                    tell_move(record, referee);
                }
            }
            if (!referee.verdict()) continue;
            const bool moved = co_await overrule(task, referee, record, answer.used);
            if (moved)
                extend_history(history, record.moves.size(), referee.last_move());
            else if (referee.verdict()->faulty_seat() == seat)
                record.fault_time = answer.used;
        }
    }

    static bool is_timeout(const Answer& answer) {
        return answer.failure && answer.failure->reason == Reason::Timeout;
    }

    // Before a player is judged for its time since then: if the arena itself did not run
    // meanwhile, the game is void and played again; but not for ever, lest an arena that is
    // stopped again and again never comes to an end.
    Awaitable<void> void_if_absent(SteadyClock::time_point since, Microseconds late, int seat,
                                   const char* when) {
        if (replays_left_ == 0) co_return;
        const auto now = SteadyClock::now();
        co_await Heartbeat::await(now);
        const Absences absent = Heartbeat::absent(since, now);
        if (!may_explain(absent, late)) co_return;
        throw std::runtime_error(
            fmt::format("the arena itself did not run for {} ms when p{} {}: it cannot be told "
                        "who was late",
                        (absent.certain + absent.doubtful) / Milliseconds(1), seat + 1, when));
    }

    // On a compute thread where it may take long: the I/O thread must be free to see the
    // answers of other games when they come.
    Awaitable<void> work_out(const std::function<void()>& work, bool is_costly) {
        if (is_costly)
            co_await compute(context_.compute, work);
        else
            work();
    }

    // Two plies fewer, or as many as were played.
    void take_back(const GameTask& task, Referee& referee, GameRecord& record,
                   std::string& history) {
        record.moves.resize(record.moves.size() -
                            std::min<std::size_t>(record.moves.size(), 2));
        record.times.resize(record.moves.size());
        for (auto& strikes : record.strikes) {
            std::erase_if(strikes, [&](const Strike& strike) {
                return strike.ply > record.moves.size();
            });
        }
        referee = begin(task);
        history = "position fen " + task.position.text();
        for (std::size_t ply = 1; ply <= record.moves.size(); ++ply) {
            // A late move that the arena made took no more than the time there was.
            referee.answer(record.moves[ply - 1],
                           std::min(record.times[ply - 1], referee.allowance()));
            extend_history(history, ply, record.moves[ply - 1]);
        }
    }

    // If the policy forgives the fault that ended the game, plays a random legal move instead
    // and makes the player ready to continue. Returns true if the game continues with that
    // move, or ended by it.
    Awaitable<bool> overrule(const GameTask& task, Referee& referee, GameRecord& record,
                             Microseconds used) {
        const Cause& verdict = *referee.verdict();
        const int seat = referee.seat_to_move();
        if (verdict.faulty_seat() != seat) co_return false;
        auto& strikes = record.strikes[seat_index(seat)];
        if (static_cast<int>(strikes.size()) + 1 >= context_.options.faults.losing_strike) {
            co_return false;
        }
        const std::uint64_t ply = referee.plies() + 1;
        const Seeds seeds(context_.options.seed);
        std::mt19937_64 random(
            mix(seeds.of_replacements(task.key, static_cast<std::uint64_t>(seat)) + ply));
        Cause fault;
        const std::function<void()> replace = [&] {
            const engine::Move move = referee.game().random_move(random);
            fault = referee.overrule(move, used);
        };
        co_await work_out(replace, referee.is_costly());
        add_strike(strikes, ply, fault);
        record.moves.push_back(referee.last_move());
        record.times.push_back(used);
        tell_move(record, referee);
        if (referee.verdict() || !is_hopeless(fault.reason)) co_return true;

        const auto failure = co_await player(task, seat)
                                 .recover(fault.reason, context_.options.faults.grace,
                                          task.seeds[seat_index(seat)]);
        if (failure) referee.fail_seat(seat, *failure);
        co_return true;
    }

    void tell_move(const GameRecord& record, const Referee& referee) const {
        if (view_) view_->moved(now(record, referee));
        if (!context_.on_move) return;
        context_.on_move(record.task, record.moves.size(), record.moves.back(),
                         record.times.back());
    }

    static GameNow now(const GameRecord& record, const Referee& referee) {
        static const std::string kNoMove;
        const auto left = [&](int seat) {
            return referee.clock(seat).base ? referee.time_left(seat)
                                            : referee.clock(seat).movetime;
        };
        return {record.moves.size(),
                referee.game().position(),
                record.moves.empty() ? kNoMove : record.moves.back(),
                {left(0), left(1)}};
    }

    Awaitable<void> adjudicate(Referee& referee) {
        auto outcome = engine::Outcome::Unknown;
        const std::function<void()> solve = [&] {
            const engine::Budget budget{SteadyClock::now() + kAdjudicationTime,
                                        context_.players.stop};
            outcome = context_.players.analyst->outcome(referee.game(), budget);
        };
        co_await compute(context_.compute, solve);
        referee.adjudicate(outcome);
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
    std::unique_ptr<GameView> view_;  // of the game that is played; null: nobody looks on
    std::string refusal_;             // the answer's, see Answer
    bool has_broken_ = false;         // the last game, by an error of the arena: play it again
    int replays_left_ = 0;            // of the current game
    std::array<int, 2> sitting_{};    // numbers of the players that are at this table
    std::array<std::unique_ptr<Player>, 2> players_;
    std::optional<Visit> visit_;    // of a clinic, to this table
    std::vector<GameKey> visited_;  // its games, as far as they are recorded
    bool is_whole_ = false;         // whether all of the visit took place
};

}  // namespace

bool count_start(std::atomic<int>& failed, bool starts) {
    if (!starts) return ++failed == kMaxFailedStarts;
    int before = failed;
    while (before < kMaxFailedStarts && !failed.compare_exchange_weak(before, 0)) {
    }
    return false;
}

Awaitable<void> try_players(PlayContext& play, PlayerPool& pool) {
    const auto& players = play.options.players;
    const auto commands = static_cast<std::size_t>(
        std::ranges::count(players, PlayerKind::Command, &PlayerSpec::kind));
    for (auto i = play.next_to_try++; i < players.size(); i = play.next_to_try++) {
        if (players[i].kind != PlayerKind::Command) continue;
        const int number = static_cast<int>(i);
        auto player = co_await pool.take(number);
        auto failure = co_await player->try_start();
        if (failure) {
            failure->stderr_tail = player->stderr_tail();
            const std::lock_guard lock(play.not_started_mutex);
            play.not_started.push_back({number, *std::move(failure)});
        }
        co_await pool.give_back(number, std::move(player));
        if (++play.tried < commands) continue;
        std::ranges::sort(play.not_started, {}, &NotStarted::player);
        play.on_tried(play.not_started);
    }
}

Awaitable<void> run_slot(PlayContext& play, PlayerPool& pool) {
    Slot slot(play, pool);
    co_await slot.run();
}

}  // namespace arena
