// `nim-arena replay`: the questions of a recorded game once more. Each player is asked alone,
// in a game of its own against the record: the referee plays the recorded moves with their
// recorded times, so positions, clocks and seeds are the same bytes as in the game. Only the
// player's own time runs anew: it may be late where the record has a move. Answers are compared
// by moves and kinds of faults, not byte by byte, because times and comments vary.
#include "arena/commands/options.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "arena/base/console.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/files.hpp"
#include "arena/base/run_alone.hpp"
#include "arena/commands/commands.hpp"
#include "arena/commands/play_table.hpp"
#include "arena/game/referee.hpp"
#include "arena/play/play_setup.hpp"
#include "arena/players/names.hpp"
#include "arena/players/player.hpp"
#include "arena/players/question.hpp"
#include "arena/process/guardian.hpp"
#include "arena/record/open_store.hpp"
#include "arena/record/store.hpp"
#include "arena/report/record_head.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

// ---- the command line ----

OptionTable replay_table(ReplayOptions& options) {
    return {
        value({"Options", "player", "N", "1 or 2: ask only p1 or p2 (default: both, in turn)"},
              options.seat,
              [](const std::string& value) -> Result<int> {
                  const auto number = parse_count(value, 1, 2);
                  if (!number) return number.error();
                  return static_cast<int>(*number) - 1;
              }),
        value({"Options", "no-timeouts", nullptr,
               "wait for replies without a limit, for a player under a debugger"},
              options.timeouts, [](const std::string&) { return Result<bool>(false); }),
        flag({"Options", "insecure", nullptr, kInsecureHelp}, options.insecure),
        text({"Options", "log", "FILE", "write every line to and from the player to FILE"},
             options.log, "a file"),
    };
}

constexpr std::string_view kReplayHead =
    R"(Usage: nim-arena replay FILE.db GAME [OPTION]... [-- COMMAND ARGUMENT...]

Sends the questions of a recorded game to its players again, byte for byte:
seed, positions, moves and clocks are those of the record. Compares the answers
with the recorded ones, and prints the first that differs, with the player's
stderr. COMMAND replaces the player, for instance by a new version or by one
that runs under a debugger. Players start in the current directory, as in a
tournament; a note says if it is not that of the record. The commands are those
of the record: read them by show before you replay a stranger's.

GAME is the game's key, or a unique beginning of it. In the record of a match,
the number of the game is enough.

)";

constexpr std::string_view kReplayTail = R"(
Examples:
  nim-arena replay spring.db 1.3.12.1.1.2
  nim-arena replay spring.db 1.3.12.1.1.2 --player 2 -- gdbserver :2345 ./bot

Exit status:
  0  all answers are the recorded ones
  1  an answer differs, or the record cannot be read, or has no such game
  2  the command line is wrong; nothing was started
  3  the player cannot be started, or the handshake fails
  129/130/143
     interrupted
)";

Result<void> finish_replay(ReplayOptions& options) {
    auto& words = options.command;
    if (words.size() < 2) {
        return bad_input("read {} argument{}, expected the record's file and a game",
                         words.size(), words.size() == 1 ? "" : "s");
    }
    options.record = words[0];
    const auto game = parse_key_prefix(words[1]);
    if (!game) return game.error();
    options.game = *game;
    const auto distinct =
        check_distinct({"the record", is_database(options.record) ? "" : options.record},
                       {{"--log", options.log}});
    if (!distinct) return distinct;
    words.erase(words.begin(), words.begin() + 2);
    if (!words.empty() && !options.seat) {
        return bad_input(
            "read a command, expected --player N too: the player that it replaces");
    }
    return {};
}

// ---- the replay ----

constexpr Milliseconds kNoTimeout = std::chrono::hours(24 * 7);

// An answer: a move, or a fault.
struct ReplayAnswer {
    Reason reason = Reason::NoMoves;  // a fault, or NoMoves: a move that could be played
    std::string word;                 // the move, or the word that was read; printable

    // The word of a fault depends on timing, except for illegal moves, of which a record keeps
    // the first ones.
    bool is_as(const ReplayAnswer& recorded) const {
        if (reason != recorded.reason) return false;
        if (reason == Reason::NoMoves) return word == recorded.word;
        if (reason != Reason::IllegalMove || recorded.word.empty()) return true;
        return move_of(word) == move_of(recorded.word);
    }
    // Only the word after `bestmove`: the rest of the line may vary.
    static std::string_view move_of(std::string_view line) {
        protocol::next_word(line);
        return protocol::next_word(line);
    }
    std::string text() const {
        if (reason == Reason::NoMoves) return word;
        return fmt::format("{}{}", name(reason),
                           word.empty() ? "" : " " + protocol::quoted(word));
    }
};

// The result of the questions to one seat.
struct Outcome {
    std::size_t answers = 0;  // equal to the recorded ones
    std::string not_started;  // why the player cannot be asked
    std::string difference;   // the first that differs; lines
    std::string fault;        // the same fault again, at the end; empty: a move is the last
    Cause trouble;  // its stderr if it did not start, differed, or failed again; the advice
};

// Repeats the questions to one seat.
class Replay {
  public:
    Replay(const GameRecord& record, int seat, std::array<TimeControl, 2> clocks,
           const PlayOptions& options, Player& player)
        : record_(record), seat_(seat), clocks_(clocks), options_(options), player_(player) {}

    Awaitable<Outcome> run() {
        auto start = engine::Game::start(*record_.task.position);
        if (!start) throw std::runtime_error(describe(start.error()));
        Referee referee(*std::move(start), clocks_, options_.max_plies);
        const auto failure =
            co_await player_.prepare(record_.task.seeds[static_cast<std::size_t>(seat_)]);
        if (failure) {
            keep(*failure);
            co_return outcome_;
        }
        history_ = "position fen " + record_.task.position.text();
        for (std::size_t i = 0; i < record_.moves.size(); ++i) {
            if (referee.seat_to_move() == seat_) {
                const ReplayAnswer recorded = recorded_at(i);
                const bool same = co_await ask(referee, recorded);
                if (!same) co_return outcome_;
                const bool ready = co_await recover(recorded.reason);
                if (!ready) co_return outcome_;
            }
            play(referee, i);
        }
        // The fault that ended the game is compared, too, where it was one of an answer.
        const bool asked = record_.faulty_seat() == seat_ && record_.fault_time &&
                           record_.reason != Reason::OffTurn;
        if (asked && !referee.verdict()) {
            const ReplayAnswer fault{record_.reason, record_.received};
            co_await ask(referee, fault);
        }
        co_return outcome_;
    }

  private:
    // The recorded answer of the player's move number `i`, from 0.
    ReplayAnswer recorded_at(std::size_t i) const {
        if (const Strike* strike = record_.strike_at(i + 1))
            return {strike->reason, strike->received};
        return {Reason::NoMoves, record_.moves[i]};
    }

    // Whether the answer is the recorded one.
    Awaitable<bool> ask(const Referee& referee, const ReplayAnswer& recorded) {
        const Question question{referee, history_};
        const Answer answer = co_await player_.ask(question);
        const ReplayAnswer now = judge(referee, answer);
        if (!now.is_as(recorded)) {
            outcome_.difference = fmt::format(
                "  answer {} differs, the move at ply {}\n"
                "  position  {}\n"
                "  asked     {}\n"
                "  recorded  {}\n"
                "  now       {}\n",
                outcome_.answers + 1, referee.plies() + 1, to_string(referee.game().position()),
                protocol::printable(history_, kLongestShown), recorded.text(), now.text());
            co_return false;
        }
        ++outcome_.answers;
        outcome_.fault = now.reason == Reason::NoMoves ? "" : fault_again(now, answer);
        co_return true;
    }

    // "it ended again: exit status 1".
    static std::string fault_again(const ReplayAnswer& fault, const Answer& answer) {
        std::string text = fmt::format("{} again", fault_words(fault.reason));
        if (!fault.word.empty()) text += ": " + fault.word;
        if (answer.failure && !answer.failure->detail.empty())
            text += ": " + protocol::printable(answer.failure->detail);
        return text;
    }

    // After a fault that did not end the recorded game.
    Awaitable<bool> recover(Reason fault) {
        if (fault == Reason::NoMoves || fault == Reason::IllegalMove) co_return true;
        const auto failure = co_await player_.recover(
            fault, options_.faults.grace, record_.task.seeds[static_cast<std::size_t>(seat_)]);
        if (failure) keep(*failure);
        co_return !failure;
    }

    void keep(const Cause& failure) {
        outcome_.not_started = failure.detail;
        outcome_.trouble.advice = failure.advice;
    }

    static ReplayAnswer judge(const Referee& referee, const Answer& answer) {
        Referee judging = referee;
        if (answer.failure)
            judging.fail(*answer.failure, answer.used);
        else if (judging.answer(answer.word, answer.used, answer.line))
            return {Reason::NoMoves, judging.last_move()};
        const Cause fault = judging.verdict().value_or(Cause{});  // none: at a limit of plies
        return {fault.reason, kept_text(fault.received)};
    }

    // Plays the recorded move with its recorded time.
    void play(Referee& referee, std::size_t i) {
        referee.answer(record_.moves[i], std::min(record_.times[i], referee.allowance()));
        extend_history(history_, i + 1, record_.moves[i]);
    }

    static constexpr std::size_t kLongestShown = 1000;

    const GameRecord& record_;
    int seat_;
    std::array<TimeControl, 2> clocks_;
    const PlayOptions& options_;
    Player& player_;
    std::string history_;
    Outcome outcome_;
};

Result<PlayOptions> options_of(const ReplayOptions& replay, const RecordHead& head,
                               const GameRecord& record) {
    PlayOptions options;
    const auto recalled = recall(play_table(options), head.configuration);
    if (!recalled) return recalled.error();
    options.log = replay.log;
    options.insecure = replay.insecure;
    for (const int number : record.task.players) {
        const std::string& spec = head.entrants[static_cast<std::size_t>(number)].spec;
        auto player = parse_player_keys(spec);
        if (!player) return player.error();
        player->name = head.names[static_cast<std::size_t>(number)];
        player->name_given = true;
        options.players.push_back(*std::move(player));
    }
    if (!replay.command.empty()) {
        PlayerSpec& player = options.players[static_cast<std::size_t>(*replay.seat)];
        player.kind = PlayerKind::Command;
        player.command = replay.command;
        player.not_built.clear();
    }
    if (!replay.timeouts) options.startup = kNoTimeout;
    return options;
}

class Replays {
  public:
    Replays(const ReplayOptions& replay, const PlayOptions& options, const GameRecord& record,
            PlaySetup setup, const Guardian& guardian)
        : replay_(replay),
          options_(options),
          record_(record),
          setup_(std::move(setup)),
          guardian_(guardian),
          names_(options.players),
          console_(stdout) {}

    int run() {
        for (const int seat : {0, 1}) {
            if (replay_.seat.value_or(seat) != seat) continue;
            Outcome outcome;
            const int signal =
                run_alone([&](const EventLoop& loop) { return ask(loop, seat, outcome); });
            if (signal != 0) {
                complain("nim-arena: interrupted\n");
                return 128 + signal;
            }
            print(seat, outcome);
        }
        const auto logged = setup_.log->finish();
        if (!logged) return refuse({logged.error()});
        return console_.finish(status_);
    }

  private:
    Awaitable<void> ask(const EventLoop& loop, int seat, Outcome& outcome) {
        const auto shared = resources(options_, setup_, guardian_, *analyst_, &names_);
        const PlayerContext context{loop, shared};
        std::array clocks{clock_of(options_, 0), clock_of(options_, 1)};
        // The margin is not sent to the player, so the questions stay the same.
        if (!replay_.timeouts) clocks[static_cast<std::size_t>(seat)].margin = kNoTimeout;
        const auto index = static_cast<std::size_t>(seat);
        if (options_.players[index].kind == PlayerKind::Human) {
            outcome.not_started = fmt::format(
                "it is a person: expected --player {} -- COMMAND in its place", seat + 1);
            co_return;
        }
        const auto player = make_player(options_.players[index], index, context);
        Replay replay(record_, seat, clocks, options_, *player);
        outcome = co_await replay.run();
        const bool is_well =
            outcome.not_started.empty() && outcome.difference.empty() && outcome.fault.empty();
        if (!is_well) outcome.trouble.stderr_tail = player->stderr_tail();
        co_await player->quit();
    }

    void print(int seat, const Outcome& outcome) {
        const std::string name = names_.of(static_cast<std::size_t>(seat));
        note_start(seat);
        console_.write(fmt::format("p{} {}: ", seat + 1, name));
        if (!outcome.difference.empty()) {
            console_.write(fmt::format("{} answers as recorded, then\n{}", outcome.answers,
                                       outcome.difference));
            status_ = std::max<int>(status_, kExitInternal);
        } else if (!outcome.not_started.empty()) {
            console_.write(fmt::format("cannot be asked: {}\n", outcome.not_started));
            status_ = kExitStartup;
        } else {
            console_.write(fmt::format("all {} answers as recorded\n", outcome.answers));
            if (!outcome.fault.empty())
                console_.write(fmt::format("  the last: {}\n", outcome.fault));
        }
        console_.write(fault_text(outcome.trouble));
    }

    // Notes if the recorded player was started in another directory or with other limits.
    void note_start(int seat) {
        const auto index = static_cast<std::size_t>(seat);
        const auto& build = record_.builds[index];
        const bool replaced = !replay_.command.empty() && replay_.seat == seat;
        const bool dialled_in = options_.players[index].kind == PlayerKind::Token;
        if (!build || replaced || dialled_in) return;
        const std::string now =
            protocol::printable(setup_.launcher->text(options_.players[index]));
        if (now == build->command) return;
        console_.write(
            fmt::format("note: p{} is not started as it was\n  recorded  {}\n  now       {}\n",
                        seat + 1, protocol::printable(build->command), now));
    }

    const ReplayOptions& replay_;
    const PlayOptions& options_;
    const GameRecord& record_;
    PlaySetup setup_;
    const Guardian& guardian_;
    std::unique_ptr<engine::Analyst> analyst_ = engine::make_analyst();
    Names names_;
    Console console_;
    int status_ = kExitPlayed;
};

int run_replay(const ReplayOptions& replay, const Guardian& guardian) {
    const auto store = open_store(replay.record, {.read_only = true});
    if (!store) return refuse({store.error()});
    const auto head = read_head(**store);
    if (!head) return refuse({head.error()});
    const auto game = find_game(**store, replay.record, replay.game);
    if (!game) return refuse({game.error()});
    const auto options = options_of(replay, *head, *game);
    if (!options) return refuse({options.error()});
    auto setup = set_up(*options, {replay.record}, guardian);
    if (!setup) return refuse(setup.refusal());
    return Replays(replay, *options, *game, *std::move(setup), guardian).run();
}

}  // namespace

Parsed<ReplayOptions> parse_replay_options(const Words& words) {
    ReplayOptions options;
    CommandLine line("nim-arena replay", replay_table(options), kReplayHead, kReplayTail);
    line.argument = takes_words(options.command);
    line.finish = [&](const Given&) { return finish_replay(options); };
    return parse(line, words, options);
}

int commands::replay(const Words& words, const Guardian& guardian) {
    return run(parse_replay_options(words),
               [&](const ReplayOptions& options) { return run_replay(options, guardian); });
}

}  // namespace arena
