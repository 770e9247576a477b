// Plays a contest: makes the director, the workers, the recording, the scoreboard and the
// announcer, joins them, and ends with the table and the exit status.
#include "arena/play/run.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/json.hpp>

#include "arena/base/console.hpp"
#include "arena/base/cores.hpp"
#include "arena/base/counted.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/interrupts.hpp"
#include "arena/game/game_analysis.hpp"
#include "arena/play/announcer.hpp"
#include "arena/play/clinic.hpp"
#include "arena/play/director.hpp"
#include "arena/play/recording.hpp"
#include "arena/play/roster.hpp"
#include "arena/play/scoreboard.hpp"
#include "arena/play/theory_comparison.hpp"
#include "arena/play/worker_threads.hpp"
#include "arena/players/lobby.hpp"
#include "arena/players/names.hpp"
#include "arena/record/annotate.hpp"
#include "arena/record/json_lines.hpp"
#include "arena/record/sharing.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Result;

constexpr Milliseconds kProgressInterval{200};  // on a terminal

// One run of a contest. What threads use is declared before them, and so outlives them.
class ContestRun {
  public:
    ContestRun(ContestParts& parts, Format& format, EventLog& log)
        : options_(parts.options),
          lobby_(parts.lobby),
          roster_(parts.roster),
          spectator_(parts.spectator),
          report_(parts.report),
          store_(parts.store),
          format_(format),
          interrupts_(parts.interrupts),
          console_(console_of(options_), options_.color),
          log_(log),
          jsonl_(parts.jsonl.get()),
          analyst_(engine::make_analyst()),
          positions_(options_.positions, options_.suite, options_.seeds(), *analyst_),
          plan_(plan_threads(options_, most_games(), allowed_cores())),
          names_(own_players(options_)),
          setup_(std::move(parts.setup)),
          board_(options_, names_),
          announcer_(options_, format_, names_, board_, plan_, console_),
          director_(options_, store_, format_, positions_, plan_.concurrency,
                    workers_.stop_token(),
                    DirectorEvents{[this](const Entrant& entrant) { add(entrant); },
                                   [this](const RoundPlan& plan) { tell_round(plan); },
                                   [this](const GameResult& result, bool is_own) {
                                       return count(result, is_own);
                                   },
                                   [this](const Error& error) { fail_record(error); }}),
          recording_(
              store_, gather_time(), waits_for_record(),
              [this](const std::vector<GameRecord>& games,
                     const std::vector<Recorded>& recorded) {
                  report_recorded(games, recorded);
              },
              [this](const Error& error) { fail_record(error); }),
          compute_(std::max(1u, std::thread::hardware_concurrency())),
          play_{options_, director_, recording_, compute_,
                resources(options_, setup_, parts.guardian, *analyst_, &names_)} {
        PlayerResources& players = play_.players;
        players.stop = workers_.stop_token();
        players.stop_fd = workers_.stop_fd();
        players.console = console_.file();
        players.lobby = lobby_;
        play_.spectator = spectator_;
        if (options_.format.kind == FormatKind::Clinic) open_clinic();
        announcer_.warn_of_clock(parts.guardian);
        play_.keeps_details = options_.keeps_games();
        if (play_.keeps_details) {
            for (const PlayerSpec& player : options_.players) {
                players.executables.push_back(setup_.launcher->hash_executables(player));
            }
        }
        if (options_.for_fun) {
            players.leave = [this] {
                play_.is_draining = true;
                director_.drain();
            };
        }
        play_.on_out = [this](int player) { tell_out(player); };
        play_.on_replay = [this](const GameTask& task, const std::string& why) {
            announcer_.tell_replay(task, why);
        };
        players.warn = [this](std::size_t player, const auto& wrong) {
            announcer_.warn_of_options(player, wrong);
        };
        if (log_.on()) {
            players.tell_memory = [this](std::size_t player, std::uint64_t bytes) {
                log_.memory(static_cast<int>(player), bytes);
            };
            play_.on_move = [this](const GameTask& task, std::size_t ply,
                                   const std::string& move,
                                   Microseconds used) { log_.move(task, ply, move, used); };
        }
    }

    ~ContestRun() { end_show(); }

    int run() {
        const auto replayed = director_.replay();
        if (!replayed) return refuse({replayed.error(), kExitRecord});
        announcer_.tell_beginning(setup_, entrants_, most_recorded());
        log_.tournament(options_.name, std::string(name(options_.format.kind)), names_.all(),
                        options_.seed);
        board_.begin();
        is_live_ = true;
        if (spectator_ != nullptr) begin_show();
        if (roster_ != nullptr) open_lobby();
        if (tries_players()) {
            is_trying_ = true;
            play_.on_tried = [this](const std::vector<NotStarted>& failed) {
                is_trying_ = false;
                announcer_.end_trial();
                if (failed.empty())
                    director_.begin();
                else
                    refuse_to_begin(failed);
            };
        } else {
            director_.begin();
        }
        workers_.start(play_, plan_);
        const bool ticks = announcer_.shows_progress() || (is_trying_ && !options_.quiet);
        signal_ = workers_.wait(
            interrupts_, ticks ? kProgressInterval : Milliseconds(0),
            [this] {
                if (is_trying_)
                    announcer_.show_trial(play_.tried);
                else
                    announcer_.show_progress();
            },
            lobby_ == nullptr && !options_.is_worker ? WorkerThreads::Drain{} : drain());
        const bool is_cut_short = signal_ != 0;
        const std::jthread watch([this](const std::stop_token& over) { watch_signals(over); });
        workers_.join();
        compute_.join();
        recording_.finish();
        director_.stop();
        director_.join();
        if (lobby_ != nullptr)
            lobby_->close(last_notices(is_cut_short && is_missing_games()));  // all are counted
        board_.set_reached(format_.rounds_reached());
        if (!record_failed_) {
            // If it fails, the leases end by themselves.
            const auto left = store_.leave();
            if (!left) complain(fmt::format("nim-arena: {}\n", describe(left.error())));
        }
        workers_.dismiss();
        end_show();
        const int status = report(is_cut_short);
        announcer_.tell_seed();
        return console_.finish(status);
    }

  private:
    // Players with fixed names. The players of a server keep their names whatever handshakes
    // say, because holders of tokens are known by theirs.
    static std::vector<PlayerSpec> own_players(const TournamentOptions& options) {
        if (!options.lobby) return options.players;
        const auto end =
            options.players.begin() + static_cast<std::ptrdiff_t>(options.own_players);
        std::vector<PlayerSpec> players(options.players.begin(), end);
        for (PlayerSpec& player : players) player.name_given = true;
        return players;
    }

    // The spectator reads the board, which is thread-safe.
    void begin_show() {
        ContestSource source;
        source.progress = [this] { return board_.contest_progress(); };
        source.standings = [this] { return board_.standings(); };
        source.names = names_.changes();
        if (store_.sharing() != nullptr) {
            source.workers = [this] {
                const std::lock_guard lock(shown_mutex_);
                return workers_shown_;
            };
        }
        source.bracket = [this] {
            const std::lock_guard lock(shown_mutex_);
            return bracket_shown_;
        };
        spectator_->begin({options_.name, std::string(name(options_.format.kind)),
                           options_.seed, plan_.concurrency},
                          std::move(source));
    }

    // Once the director's thread has ended.
    void end_show() {
        if (spectator_ != nullptr) {
            show_bracket();
            spectator_->over(board_.contest_progress(), board_.standings());
        }
        spectator_ = nullptr;
    }

    bool is_missing_games() const {
        const auto total = most_recorded();
        return !board_.test_exit() && (!total || board_.games() < *total);
    }
    // Whether there are commands, and all are started before the first game. Nothing is tried
    // of a server's players, or if no game is missing.
    bool tries_players() const {
        const bool has_command =
            std::ranges::count(options_.players, PlayerKind::Command, &PlayerSpec::kind) > 0;
        return has_command && !options_.keep_going && lobby_ == nullptr && is_missing_games();
    }

    // Instead of the first game; on a worker's thread.
    void refuse_to_begin(const std::vector<NotStarted>& failed) {
        const auto names = names_.all();
        std::string text;
        for (const NotStarted& player : failed) {
            const auto number = static_cast<std::size_t>(player.player);
            log_.not_started(player.player, player.cause);
            text +=
                fmt::format("{} does not start: {}\n{}", names[number],
                            protocol::printable(player.cause.detail), fault_text(player.cause));
        }
        text += "no game was played";
        if (!options_.is_match())
            text += "; --keep-going plays without those that do not start";
        not_started_ = true;
        workers_.fail(text);
    }

    void open_clinic() {
        Clinic::Events events;
        events.name_of = [this](int player) {
            return names_.of(static_cast<std::size_t>(player));
        };
        events.tell = [this](const std::string& line) { announcer_.tell(line); };
        events.reported = [this] { director_.tell_of_news(); };
        events.over = [this](int player) { roster_->tell_presence(player); };
        events.failed = [this](const Error& error) { fail_record(error); };
        const std::string page = spectator_ == nullptr ? "" : spectator_->url();
        clinic_.emplace(options_, store_, *analyst_, page, std::move(events));
        play_.clinic = &*clinic_;
    }

    // By player, its score: see arena/doc/server.md. A visitor of a clinic is told at its end,
    // unless a signal comes before that.
    std::map<int, std::string> last_notices(bool is_cut_short) const {
        std::map<int, std::string> notices;
        if (clinic_ && !is_cut_short) return notices;
        for (const Standing& player : board_.standings()) {
            if (clinic_) {
                notices[player.player] = kInterruptedNotice;
                continue;
            }
            boost::json::object notice{{"event", "contest-over"},
                                       {"won", player.wins},
                                       {"drawn", player.draws},
                                       {"games", player.games}};
            if (is_cut_short) notice["interrupted"] = true;
            notices[player.player] = boost::json::serialize(notice);
        }
        return notices;
    }

    // From here on arrivals and departures are reported to the director.
    void open_lobby() {
        roster_->tell([this](const std::string& line) { announcer_.tell(line); });
        Roster::Events events;
        events.joined = [this](const Entrant& entrant) { director_.join_late(entrant); };
        events.present = [this](int player, bool is_present) {
            play_.failed_starts[static_cast<std::size_t>(player)] = 0;
            // A visit goes on when its player comes back, and no other one begins.
            if (clinic_ && clinic_->is_visiting(player)) return;
            director_.set_present(player, is_present);
        };
        if (clinic_)
            events.admits = [this](int player) { return clinic_->admits(player); };
        else
            events.may_wait = [this](int player) { return director_.may_wait(player); };
        roster_->begin(entrants_, options_.format.kind == FormatKind::Knockout,
                       std::move(events));
    }

    // After a first signal: games in progress end, and no other starts.
    WorkerThreads::Drain drain() {
        return {options_.drain, [this] {
                    play_.is_draining = true;
                    if (lobby_ != nullptr) lobby_->shut();
                    director_.drain();
                    console_.line(fmt::format(
                        "stopping: games may end within {} s; another signal drops them",
                        options_.drain.count() / 1000));
                }};
    }

    // After the games. A first signal shortens what is left to do. A second one ends the
    // program: this thread does not block it then, and so has to live on.
    void watch_signals(const std::stop_token& over) {
        const std::stop_callback wake(over, [this] { reported_.set(); });
        std::array<pollfd, 2> watched{
            {{reported_.fd(), POLLIN, 0}, {interrupts_.fd(), POLLIN, 0}}};
        while (signal_ == 0 && !over.stop_requested()) {
            ::poll(watched.data(), watched.size(), -1);
            signal_ = interrupts_.read();
        }
        if (signal_ == 0) return;
        interrupted_.request_stop();
        ::poll(watched.data(), 1, static_cast<int>(kEcho.count()));
        interrupts_.release();
        while (!over.stop_requested()) ::poll(watched.data(), 1, -1);
    }

    // For the plan of threads: of all players that may come, also where they join late. If
    // unknown, enough that each thread gets a game.
    std::uint64_t most_games() const {
        const std::uint64_t games = std::max<std::uint64_t>(2, options_.players.size() / 2 * 2);
        if (lobby_ != nullptr) return games;
        FormatOptions all = options_.format;
        all.players = static_cast<int>(options_.players.size());
        const auto format = make_format(all);
        return format ? (*format)->total_games().value_or(games) : games;
    }

    // The total number of games in the record, if known; on the director's thread once that
    // runs.
    std::optional<std::uint64_t> most_recorded() const {
        const auto total = format_.total_games();
        if (options_.max_games == 0) return total;
        return std::min(total.value_or(options_.max_games), options_.max_games);
    }

    // ---- on the director's thread ----

    void add(const Entrant& entrant) {
        if (entrants_ >= names_.size()) names_.append(entrant.name);
        ++entrants_;
        first_rounds_.push_back(entrant.first_round);
        board_.add(entrant);
        board_.set_total(most_recorded());
        if (is_live_) log_.named(static_cast<int>(entrants_ - 1), entrant.name);
    }

    void tell_round(const RoundPlan& plan) {
        if (clinic_ && plan.stage == kVisitStage) return clinic_->add(plan);
        const std::string rematches =
            is_live_ && !plan.note.empty() ? board_.rematches(plan) : "";
        board_.add(plan);
        last_round_ = std::max(last_round_, plan.round);
        show_bracket();
        board_.set_total(most_recorded());
        if (!is_live_) return;
        log_.round(plan);
        announcer_.tell_round(plan, rematches);
    }

    bool count(const GameResult& result, bool is_own) {
        const bool goes_on = board_.add(result, decisions_in(result));
        show_workers();
        if (Clock::now() >= bracket_again_) show_bracket();
        if (is_live_ && !is_own) look_at_game_of_another(result.key);
        if (is_live_) announcer_.tell_milestone();
        return goes_on;
    }

    // Watchers are told of the processes that play as often as of standings.
    void show_workers() {
        constexpr std::chrono::seconds kBetween{2};
        Sharing* sharing = store_.sharing();
        const auto now = Clock::now();
        if (spectator_ == nullptr || sharing == nullptr || now < workers_again_) return;
        workers_again_ = now + kBetween;
        const auto workers = sharing->workers();
        if (!workers) return;  // the next query of the record tells
        const std::lock_guard lock(shown_mutex_);
        workers_shown_ = workers_json(*workers);
    }

    // At the end of a round, and after games of it, which takes at most 1/50 of the time.
    void show_bracket() {
        constexpr int kShare = 50;
        const auto began = Clock::now();
        board_.set_reached(format_.rounds_reached());
        Bracket bracket = format_.bracket();
        const auto now = Clock::now();
        bracket_again_ = now + kShare * (now - began);
        const std::lock_guard lock(shown_mutex_);
        bracket_shown_ = std::move(bracket);
    }

    // A game that another process has played into the record.
    void look_at_game_of_another(const GameKey& key) {
        if (!log_.on() && jsonl_ == nullptr) return;
        const auto game = store_.game(key);
        if (!game) return fail_record(game.error());
        if (*game) tell_game(**game, names_.all());
    }

    // The first player's decisions in this game, if the test reads them.
    std::optional<Decisions> decisions_in(const GameResult& result) {
        // After a signal the run ends, whatever a replayed record still holds.
        if (options_.sprt_error.empty() || (!is_live_ && interrupts_.read() != 0))
            return std::nullopt;
        const auto game = store_.game(result.key);
        if (!game) fail_record(game.error());
        if (!game || !*game) return std::nullopt;
        const engine::Budget budget{SteadyClock::now() + kAnalysisTime, workers_.stop_token()};
        const auto noted = noted_analysis(**game);
        const auto analysis = noted ? *noted : analyse_game(**game, *analyst_, budget);
        const std::size_t seat = result.players[0] == 0 ? 0 : 1;
        return decisions_of(**game, analysis, seat);
    }

    // ---- on the writer's ----

    void report_recorded(const std::vector<GameRecord>& games,
                         const std::vector<Recorded>& recorded) {
        require(setup_.log->state());
        rename_players();
        own_games_ += static_cast<std::uint64_t>(std::ranges::count(recorded, Recorded::New));
        late_games_ += static_cast<std::uint64_t>(std::ranges::count(recorded, Recorded::Late));
        director_.tell_of_news();  // first, as it plans what is played next
        const auto names = names_.all();
        for (std::size_t i = 0; i < games.size(); ++i) {
            if (recorded[i] == Recorded::New) tell_game(games[i], names);
        }
        require(log_.state());
        if (jsonl_ != nullptr) require(jsonl_->state());
    }

    void tell_game(const GameRecord& game, const std::vector<std::string>& names) {
        if (jsonl_ != nullptr)
            jsonl_->add(1, [&] { return json_line(game, names, options_.seed) + '\n'; });
        log_.game(game, names, options_.seed);
        if (spectator_ != nullptr) spectator_->finished(game);
        if (!options_.keeps_games()) keep_facts(game);
        announcer_.tell_game(game, names);
    }

    // Keeps what the final report needs of a game that is not kept.
    void keep_facts(const GameRecord& game) {
        const auto stop =
            interrupted_.stop_requested() ? interrupted_.get_token() : workers_.stop_token();
        if (options_.analysis.count() > 0) theory_.add(game, options_.analysis, stop);
        if (!game.faulty_seat()) return;
        const auto seat = static_cast<std::size_t>(*game.faulty_seat());
        const std::pair fault(game.task.players[seat], game.reason);
        const auto [example, is_first] = faults_.try_emplace(fault, game);
        if (!is_first && game.task.key < example->second.task.key) example->second = game;
    }

    void rename_players() {
        if (!store_.may_plan()) return;
        if (names_.version() == names_told_) return;
        names_told_ = names_.version();
        const auto now = names_.all();
        const auto entrants = store_.entrants();
        if (!entrants) return fail_record(entrants.error());
        std::vector<std::pair<int, std::string>> changed;
        for (std::size_t i = 0; i < std::min(now.size(), entrants->size()); ++i) {
            if ((*entrants)[i].name != now[i]) {
                changed.emplace_back(static_cast<int>(i), now[i]);
            }
        }
        if (changed.empty()) return;
        const auto renamed = store_.rename(changed);
        if (!renamed) return fail_record(renamed.error());
        for (const auto& [player, name] : changed) log_.named(player, name);
    }

    // ---- on any ----

    void tell_out(int player) {
        is_somebody_out_ = true;
        log_.out(player);
        if (spectator_ != nullptr) spectator_->out(player);
        announcer_.tell_out(player);
    }

    void fail(const Error& error) { workers_.fail(describe(error)); }
    void require(const Result<void>& done) {
        if (!done) fail(done.error());
    }
    void fail_record(const Error& error) {
        record_failed_ = true;
        fail(error);
    }

    Milliseconds gather_time() const {
        if (announcer_.tells_moves()) return Milliseconds(0);
        return options_.record.empty() ? Recording::kGatherInMemory : Recording::kGather;
    }

    // Whether a game is reported before the next one begins; one of a visit, before its
    // analysis.
    bool waits_for_record() const {
        return announcer_.tells_moves() || options_.format.kind == FormatKind::Clinic;
    }

    // A game that ended by a fault.
    std::optional<GameRecord> faulty_game(const GameKey& key) {
        for (const auto& [fault, game] : faults_) {
            if (game.task.key == key) return game;
        }
        auto game = store_.game(key);
        return game ? *std::move(game) : std::nullopt;
    }

    // `is_cut_short`: by a signal before the last game.
    int report(bool is_cut_short) {
        const bool has_games = !is_cut_short || board_.games() > 0;
        finish_logs();
        announcer_.tell_absence();
        if (options_.is_worker)
            announcer_.tell_work(own_games_, late_games_);
        else if (!not_started_ && has_games)
            tell_standings();
        const std::string failure = workers_.failure();
        const bool has_drained = options_.is_worker && !workers_.stop_token().stop_requested();
        if (!failure.empty()) {
            complain(fmt::format("nim-arena: {}\n", failure));
            if (signal_ == 0 || options_.is_worker) return failure_status();
        }
        if (has_drained) return kExitPlayed;
        if (signal_ == 0) {
            announcer_.tell_who_came_too_late(first_rounds_, last_round_);
            const auto told =
                options_.keeps_games() ? compare_store_with_theory() : Result<void>();
            if (!told) return refuse({told.error(), kExitRecord});
        }
        if (!options_.report.empty() && has_games && failure.empty()) {
            const auto written = write_report();
            if (!written) return refuse({written.error(), kExitInternal});
        }
        if (signal_ == 0) return exit_status();
        announcer_.tell_interruption(!is_cut_short);
        return 128 + signal_;
    }

    int failure_status() const {
        if (not_started_) return kExitStartup;
        return record_failed_ ? kExitRecord : kExitInternal;
    }

    int exit_status() const {
        const bool cannot_start = board_.has_startup_failure() || play_.neither_started;
        if (options_.is_match() && cannot_start) return kExitStartup;
        if (const auto decided = board_.test_exit()) return *decided;
        const bool has_faults =
            board_.has_faults() || is_somebody_out_ || play_.neither_started;
        return options_.strict && has_faults ? kExitStrict : kExitPlayed;
    }

    void finish_logs() {
        require(setup_.log->finish(interrupted_.get_token()));
        log_.standings(board_.standings(), names_.all());
        require(log_.finish(interrupted_.get_token()));
        if (jsonl_ != nullptr) require(jsonl_->finish(interrupted_.get_token()));
    }

    void tell_standings() {
        announcer_.tell_standings([this](const GameKey& key) { return faulty_game(key); });
        if (!options_.keeps_games() && options_.analysis.count() > 0 && !options_.for_fun)
            tell_theory(theory_);
    }

    void tell_theory(const TheoryComparison& theory) {
        announcer_.tell_table(theory.text(names_.all(), board_.standings()));
    }

    Result<void> write_report() {
        const auto written =
            report_.write(options_.report, store_, *analyst_, interrupted_.get_token());
        if (!written) return written.error();
        console_.line(fmt::format("pages: {}/index.html", options_.report));
        return {};
    }

    // Compares the players' points with the values of their positions.
    Result<void> compare_store_with_theory() {
        if (options_.analysis.count() == 0) return {};
        const engine::Budget budget{SteadyClock::now() + options_.analysis,
                                    interrupted_.get_token()};
        TheoryComparison theory(*analyst_, entrants_, options_.is_match());
        const auto read = theory.read(store_, budget, [this](std::uint64_t games) {
            if (console_.terminal()) console_.progress(counted(games, "game") + " analysed");
        });
        if (read) tell_theory(theory);
        return read;
    }

    const TournamentOptions& options_;
    Lobby* lobby_;
    Roster* roster_;
    Spectator* spectator_;  // null: no spectators, or no longer
    const ReportWriter& report_;
    // On the director's thread, while that runs.
    std::size_t entrants_ = 0;
    Clock::time_point workers_again_{};  // watchers are told of processes
    Clock::time_point bracket_again_{};
    std::vector<int> first_rounds_;  // by player: from which one on it may play
    int last_round_ = 0;             // that was planned
    Store& store_;
    Format& format_;
    Interrupts& interrupts_;
    Console console_;
    EventLog& log_;
    BackgroundFile* jsonl_;  // may be null
    WorkerThreads workers_;
    std::atomic<int> signal_{0};                // that interrupted, or 0
    const WaitableEvent reported_;              // ends watch_signals()
    std::stop_source interrupted_;              // by a signal, after the last game or before it
    std::atomic<std::uint64_t> own_games_{0};   // recorded
    std::atomic<std::uint64_t> late_games_{0};  // not recorded: another process had the pair
    std::atomic<bool> record_failed_{false};
    std::atomic<bool> not_started_{false};      // some player, and so there is no game
    std::atomic<bool> is_somebody_out_{false};  // whose games may be void: see worker.cpp
    std::atomic<bool> is_live_{false};          // what the record held has been taken in
    std::atomic<bool> is_trying_{false};        // the players: no game has begun
    int names_told_ = 0;
    std::mutex shown_mutex_;     // of what the spectator asks for
    std::string workers_shown_;  // JSON; empty: none is known
    Bracket bracket_shown_;
    std::unique_ptr<engine::Analyst> analyst_;
    PositionSource positions_;
    ThreadPlan plan_;
    Names names_;
    PlaySetup setup_;
    // For games that are not kept; used on the writer's thread, while that runs.
    TheoryComparison theory_{*analyst_, 2, options_.is_match()};
    std::map<std::pair<int, Reason>, GameRecord> faults_;  // the earliest of each
    Scoreboard board_;
    Announcer announcer_;
    Director director_;
    Recording recording_;
    std::optional<Clinic> clinic_;
    boost::asio::thread_pool compute_;
    PlayContext play_;
};

}  // namespace

std::FILE* console_of(const TournamentOptions& options) {
    return options.events == "-" || options.jsonl == "-" ? stderr : stdout;
}

int play_contest(ContestParts parts) {
    const auto format = make_format(parts.options.format);  // without late joiners
    if (!format) return refuse({format.error(), kExitUsage});
    EventLog log;
    if (!parts.options.events.empty()) {
        const auto opened = log.open(parts.options.events);
        if (!opened) return refuse({opened.error()});
    }
    ContestRun contest(parts, **format, log);
    return contest.run();
}

}  // namespace arena
