#include "arena/tournament.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include "arena/compute.hpp"
#include "arena/console.hpp"
#include "arena/counted.hpp"
#include "arena/director.hpp"
#include "arena/doctor.hpp"
#include "arena/event_log.hpp"
#include "arena/executables.hpp"
#include "arena/exit_codes.hpp"
#include "arena/interrupts.hpp"
#include "arena/lobby.hpp"
#include "arena/names.hpp"
#include "arena/pages/report_pages.hpp"
#include "arena/play_setup.hpp"
#include "arena/roster.hpp"
#include "arena/scoreboard.hpp"
#include "arena/statistics/game_analysis.hpp"
#include "arena/store/memory_store.hpp"
#include "arena/store/sqlite_store.hpp"
#include "arena/store/writer.hpp"
#include "arena/truth_report.hpp"
#include "arena/workforce.hpp"
#include "engine/solver/analyst.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

constexpr Milliseconds kProgressInterval{200};  // on a terminal
constexpr int kSpareProcesses = 8;
constexpr int kMovesOfGame = 50;                 // that a clock should last
constexpr std::chrono::seconds kNimberTime{20};  // for pages

// "round 3: 32 games, a bye for 5".
std::string round_line(const RoundPlan& plan, const std::vector<std::string>& names) {
    std::string line = fmt::format("round {}", plan.round);
    if (plan.attempt > 1) line += fmt::format(", attempt {}", plan.attempt);
    line += ": " + counted(2 * plan.pairs.size(), "game");
    for (const int player : plan.byes) {
        line += fmt::format(", a bye for {}", names[static_cast<std::size_t>(player)]);
    }
    return line;
}

// The first line of a table, and the others.
std::pair<std::string_view, std::string_view> split_head(std::string_view table) {
    const std::string_view head = table.substr(0, table.find('\n'));
    return {head, table.substr(std::min(table.size(), head.size() + 1))};
}

// Games on their way to the record.
class Recording : public GameSink {
  public:
    Recording(Store& store, Writer::OnRecorded on_recorded,
              std::function<void(const Error&)> on_error)
        : writer_(store, std::move(on_recorded), std::move(on_error)) {}
    ~Recording() override { finish(); }

    Awaitable<void> add(GameRecord record) override {
        const std::uint64_t token = record.task.token;
        FinishedGame game{std::move(record), token};
        if (writer_.is_full()) {
            const std::function<void()> wait = [&] { writer_.add(std::move(game)); };
            co_await compute(waiting_, wait);
        } else {
            writer_.add(std::move(game));
        }
    }

    void finish() {
        waiting_.join();
        writer_.finish();
    }

  private:
    Writer writer_;
    boost::asio::thread_pool waiting_{1};  // where games wait for room
};

// The record, with its tournament and players checked. Fills in what is taken from it.
class Opening {
  public:
    explicit Opening(TournamentOptions& options) : options_(options) {}

    // Where players are still to come, they are not looked at.
    std::unique_ptr<Store> run(Refusal& refusal) {
        auto opened = open_store();
        auto checked = opened ? configure(**opened) : Result<void>(opened.error());
        if (checked && !options_.lobby) checked = take_players(**opened);
        if (checked) return *std::move(opened);
        refusal = {checked.error(), kExitRecord};
        return nullptr;
    }

  private:
    Result<std::unique_ptr<Store>> open_store() const {
        if (options_.record.empty()) return make_memory_store();
        return open_sqlite_store(options_.record);
    }

    Result<void> configure(Store& store) {
        const auto recorded = store.configuration();
        if (!recorded) return recorded.error();
        take_seed(*recorded);
        return store.open(configuration_of(options_));
    }

    Result<void> take_players(Store& store) {
        const auto entrants = store.entrants();
        if (!entrants) return entrants.error();
        return add_players(store, *entrants);
    }

    // One that was drawn goes on.
    void take_seed(const Configuration& recorded) {
        if (options_.seed_given) return;
        const auto seed =
            std::ranges::find(recorded, "seed", &Configuration::value_type::first);
        if (seed == recorded.end()) return;
        options_.seed = options_.format.seed = *protocol::parse_number(seed->second);
    }

    Result<void> add_players(Store& store, const std::vector<Entrant>& recorded) {
        const auto& players = options_.players;
        for (std::size_t i = 0; i < recorded.size(); ++i) {
            const std::string now =
                i < players.size() ? to_string(players[i]) : "no such player";
            if (now == recorded[i].spec) {
                // What it called itself, until its handshake tells anew.
                PlayerSpec& player = options_.players[i];
                if (!player.name_given) player.name = recorded[i].name;
                continue;
            }
            return Error{
                Fault::BadInput,
                fmt::format("player {}: the record has {}, now {}; a tournament goes on "
                            "with the players it had, and takes new ones behind them",
                            i + 1, recorded[i].spec, now),
                0};
        }
        std::vector<Entrant> joining;
        const bool late = !recorded.empty();
        const bool joins = recorded.size() < players.size();
        const auto next_round = late && joins ? rounds_planned(store) : Result<int>(0);
        if (!next_round) return next_round.error();
        for (std::size_t i = recorded.size(); i < players.size(); ++i) {
            joining.push_back({players[i].name, to_string(players[i]), *next_round + 1});
        }
        // Who joins before anything is planned is there from the start.
        const bool too_late = late && *next_round > 0;
        if (late) options_.format.players = static_cast<int>(first_players(recorded));
        if (late && !too_late) options_.format.players += static_cast<int>(joining.size());
        if (joining.empty()) return {};
        if (!too_late) return store.join(joining);
        const auto format = make_format(options_.format);
        if (!format) return format.error();
        const int rounds = (*format)->most_rounds();
        if (rounds > 0 && *next_round >= rounds) {
            return Error{Fault::BadInput,
                         fmt::format("the record has {} players, now {}: all {} rounds are "
                                     "planned, and who joins now would never play",
                                     recorded.size(), players.size(), rounds),
                         0};
        }
        if (options_.format.kind == FormatKind::Knockout) {
            return Error{Fault::BadInput,
                         fmt::format("the record has {} players, now {}: nobody can join a "
                                     "knockout late",
                                     recorded.size(), players.size()),
                         0};
        }
        return store.join(joining);
    }

    static std::size_t first_players(const std::vector<Entrant>& recorded) {
        return static_cast<std::size_t>(std::ranges::count(recorded, 1, &Entrant::first_round));
    }

    static Result<int> rounds_planned(Store& store) {
        int rounds = 0;
        for (std::uint64_t after = 0;;) {
            const auto events = store.events(after, 10'000);
            if (!events) return events.error();
            if (events->empty()) return rounds;
            for (const Event& event : *events) {
                const auto* plan = std::get_if<RoundPlan>(&event.what);
                if (plan != nullptr) rounds = std::max(rounds, plan->round);
            }
            after = events->back().number;
        }
    }

    TournamentOptions& options_;
};

// One run of a tournament. What threads use is declared before them, and so outlives them.
class Tournament {
  public:
    // `lobby` and `roster`: where players dial in; null where none do.
    Tournament(const TournamentOptions& options, const Guardian& guardian, Store& store,
               Format& format, PlaySetup setup, EventLog& log, Interrupts& interrupts,
               Lobby* lobby, Roster* roster)
        : options_(options),
          lobby_(lobby),
          roster_(roster),
          store_(store),
          format_(format),
          interrupts_(interrupts),
          console_(options.events == "jsonl" ? stderr : stdout, options.color),
          log_(log),
          analyst_(engine::make_analyst()),
          positions_(options.positions, options.suite, options.seed, *analyst_),
          plan_(plan_threads(options, most_games(), allowed_cores())),
          names_(own_players(options)),
          setup_(std::move(setup)),
          board_(options, names_),
          director_(options, store, format, positions_, plan_.concurrency,
                    workforce_.stop_token(),
                    DirectorEvents{[this](const Entrant& entrant) { add(entrant); },
                                   [this](const RoundPlan& plan) { tell_round(plan); },
                                   [this](const GameResult& result) { return count(result); },
                                   [this](const Error& error) { fail_record(error); }}),
          recording_(
              store,
              [this](const std::vector<FinishedGame>& games,
                     const std::vector<Recorded>& recorded) { take_in(games, recorded); },
              [this](const Error& error) { fail_record(error); }),
          compute_(std::max(1u, std::thread::hardware_concurrency())),
          play_{options,
                director_,
                recording_,
                guardian,
                *setup_.launcher,
                *analyst_,
                compute_,
                setup_.listeners,
                names_,
                *setup_.log,
                workforce_.stop_token(),
                workforce_.stop_fd(),
                console_.file()} {
        play_.lobby = lobby;
        if (!options.quiet) check_clock(guardian);
        play_.keeps_details = true;
        play_.concurrency = plan_.concurrency;
        play_.processes =
            options.processes > 0 ? options.processes : 2 * plan_.concurrency + kSpareProcesses;
        for (const PlayerSpec& player : options.players) {
            play_.executables.push_back(setup_.launcher->hash_executables(player));
        }
        play_.on_out = [this](int player) { tell_out(player); };
        if (log_.on()) {
            play_.on_move = [this](const GameTask& task, std::size_t ply,
                                   const std::string& move,
                                   Microseconds used) { log_.move(task, ply, move, used); };
        }
    }

    int run() {
        const auto replayed = director_.replay();
        if (!replayed) return refuse({replayed.error(), kExitRecord});
        announce();
        board_.begin();
        is_live_ = true;
        if (roster_ != nullptr) open_lobby();
        director_.begin();
        workforce_.start(play_, plan_);
        const bool shows = console_.terminal() && !options_.quiet;
        signal_ = workforce_.wait(
            interrupts_, shows ? kProgressInterval : Milliseconds(0),
            [this] { console_.progress(board_.live(console_.rows())); },
            lobby_ == nullptr ? Workforce::Drain{} : drain());
        interrupts_.release();
        workforce_.join();
        if (lobby_ != nullptr) lobby_->close();
        compute_.join();
        recording_.finish();
        director_.stop();
        director_.join();
        workforce_.dismiss();
        return console_.finish(report());
    }

  private:
    // Those who are named beforehand. Those of a server keep their names, whatever handshakes
    // say: holders of tokens have theirs, which stay.
    static std::vector<PlayerSpec> own_players(const TournamentOptions& options) {
        if (!options.lobby) return options.players;
        const auto end =
            options.players.begin() + static_cast<std::ptrdiff_t>(options.own_players);
        std::vector<PlayerSpec> players(options.players.begin(), end);
        for (PlayerSpec& player : players) player.name_given = true;
        return players;
    }

    // From here on who comes and goes is told to the director.
    void open_lobby() {
        roster_->tell([this](const std::string& line) {
            if (!options_.quiet) console_.line(line);
        });
        Roster::Events events;
        events.joined = [this](const Entrant& entrant) { director_.join_late(entrant); };
        events.present = [this](int player, bool is_present) {
            play_.failed_starts[static_cast<std::size_t>(player)] = 0;
            director_.set_present(player, is_present);
        };
        roster_->begin(entrants_, options_.format.kind == FormatKind::Knockout,
                       std::move(events));
    }

    // After a first signal: games that are played end, no other begins.
    Workforce::Drain drain() {
        return {options_.drain, [this] {
                    play_.is_draining = true;
                    lobby_->shut();
                    director_.drain();
                    console_.line(fmt::format(
                        "stopping: games may end within {} s; another signal drops them",
                        options_.drain.count() / 1000));
                }};
    }

    // For the plan of threads; where nobody knows, so many that each can have a game.
    std::uint64_t most_games() const {
        const auto total = format_.total_games();
        return total.value_or(std::max<std::uint64_t>(2, options_.players.size() / 2 * 2));
    }

    // Where a process's answer takes a good part of what a move may take, noise decides games.
    void check_clock(const Guardian& guardian) {
        const bool has_process = std::ranges::any_of(options_.players, [](const auto& player) {
            return player.kind == PlayerKind::Command;
        });
        const auto floor = has_process ? measure_floor(guardian) : Floor{};
        if (!floor) return;  // starting the players will tell
        for (std::size_t i = 0; i < options_.players.size(); ++i) {
            const TimeControl clock = clock_of(options_, i);
            std::optional<Microseconds> time = clock.movetime;
            if (clock.base) time = Microseconds(*clock.base) / kMovesOfGame + clock.increment;
            if (!time || *time >= kLeastFloors * floor->p99) continue;
            console_.line(fmt::format("warning: {} has {} us for a move, and an answer alone "
                                      "takes up to {} us here: "
                                      "expected {} times that, or more; see nim-arena doctor",
                                      options_.players[i].name, time->count(),
                                      floor->p99.count(), kLeastFloors),
                          Tone::Warning);
            return;
        }
    }

    // As many games as there will be in the record, where that is known; on the director's
    // thread, once that runs.
    std::optional<std::uint64_t> most_recorded() const {
        const auto total = format_.total_games();
        if (options_.max_games == 0) return total;
        return std::min(total.value_or(options_.max_games), options_.max_games);
    }

    void announce() {
        for (const auto& listener : setup_.listeners) {
            if (listener) console_.line("listening on " + listener->address());
        }
        log_.tournament(options_.name, std::string(name(options_.format.kind)), names_.all(),
                        options_.seed);
        if (options_.quiet) return;
        if (const auto sandbox = setup_.launcher->sandbox_text(); !sandbox.empty()) {
            console_.line("sandbox: " + sandbox);
        }
        const auto total = most_recorded();
        console_.line(fmt::format(
            "{}: {}{}, {} at once{}, seed {}", name(options_.format.kind),
            counted(entrants_, "player"), total ? ", " + counted(*total, "game") : "",
            plan_.concurrency, plan_.pinned() ? " (pinned to cores)" : "", options_.seed));
        const std::string warning = format_.warning();
        if (!warning.empty()) console_.line("note: " + warning, Tone::Warning);
        if (lobby_ == nullptr && play_.processes < 2 * plan_.concurrency) {
            console_.line(
                fmt::format("warning: --processes {}: the players of {} games at once "
                            "are up to {}, and as many are kept running",
                            play_.processes, plan_.concurrency, 2 * plan_.concurrency),
                Tone::Warning);
        }
        const auto cores = allowed_cores().size();
        if (lobby_ == nullptr && static_cast<std::size_t>(plan_.concurrency) > cores) {
            console_.line(
                fmt::format("warning: {} games at once on {}: players will wait for each "
                            "other, and lose "
                            "time; expected --concurrency {} at most",
                            plan_.concurrency,
                            cores == 1 ? "1 core" : fmt::format("{} cores", cores), cores),
                Tone::Warning);
        }
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
        const std::string rematches =
            is_live_ && !plan.note.empty() ? board_.rematches(plan) : "";
        board_.add(plan);
        last_round_ = std::max(last_round_, plan.round);
        board_.set_total(most_recorded());
        if (!is_live_) return;
        log_.round(plan);
        if (options_.quiet) return;
        if (!plan.note.empty()) {
            console_.line("note: " + (rematches.empty() ? plan.note : rematches),
                          Tone::Warning);
        }
        // Where rounds wait for results, each is news.
        const bool waits = options_.format.kind == FormatKind::Swiss ||
                           options_.format.kind == FormatKind::Knockout ||
                           options_.format.kind == FormatKind::Ladder;
        if (!console_.terminal() && waits) console_.line(round_line(plan, names_.all()));
    }

    bool count(const GameResult& result) {
        const bool goes_on = board_.add(result, decisions_in(result));
        if (is_live_ && !options_.quiet && !console_.terminal()) {
            if (const auto line = board_.milestone()) console_.line(*line);
        }
        return goes_on;
    }

    // What the first player did in this game, where the test is on that.
    std::optional<Decisions> decisions_in(const GameResult& result) {
        if (options_.sprt_error.empty()) return std::nullopt;
        const auto game = store_.game(result.key);
        if (!game) fail(game.error());
        if (!game || !*game) return std::nullopt;
        const GameRecord& record = (*game)->record;
        const engine::Budget budget{Clock::now() + kAnalysisTime, workforce_.stop_token()};
        const GameAnalysis analysis = analyse_game(record, *analyst_, budget);
        const std::size_t seat = record.task.players[0] == 0 ? 0 : 1;
        return decisions_of(record, analysis, seat);
    }

    // ---- on the writer's ----

    void take_in(const std::vector<FinishedGame>& games,
                 const std::vector<Recorded>& recorded) {
        const auto logged = setup_.log->state();
        if (!logged) fail(logged.error());
        rename_players();
        const auto names = log_.on() ? names_.all() : std::vector<std::string>();
        std::vector<GameResult> results;
        for (std::size_t i = 0; i < games.size(); ++i) {
            if (recorded[i] != Recorded::New) continue;
            const GameRecord& record = games[i].record;
            results.push_back(result_of(record));
            if (log_.on()) log_.game(record, names, options_.seed);
        }
        director_.tell(results);
        const auto told = log_.state();
        if (!told) fail(told.error());
    }

    void rename_players() {
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
        log_.out(player);
        if (options_.quiet) return;
        console_.line(fmt::format("{} is out: it has failed to start {} times in a row, and "
                                  "loses its games{}",
                                  names_.of(static_cast<std::size_t>(player)), kMaxFailedStarts,
                                  lobby_ == nullptr ? "" : " until it dials in anew"),
                      Tone::Failure);
    }

    void fail(const Error& error) { workforce_.fail(describe(error)); }
    void fail_record(const Error& error) {
        record_failed_ = true;
        fail(error);
    }

    // How a game ended, in a sentence; empty where the record cannot tell.
    std::string detail_of(const GameKey& key) {
        const auto game = store_.game(key);
        return game && *game ? (*game)->record.detail : std::string();
    }

    int report() {
        const auto patience =
            signal_ == 0 ? BackgroundFile::kPatience : BackgroundFile::kPatienceInterrupted;
        const auto logged = setup_.log->finish(patience);
        if (!logged) fail(logged.error());
        const auto reached = format_.rounds_reached();
        log_.standings(board_.event_rows(reached));
        const auto told = log_.finish(patience);
        if (!told) fail(told.error());
        const std::string table = board_.table(reached);
        const auto [head, rows] = split_head(table);
        console_.line(head, Tone::Heading);
        if (!rows.empty()) console_.line(rows);
        if (roster_ != nullptr && !options_.quiet) {
            const std::string times = roster_->round_trips();
            if (!times.empty()) console_.line("round trips: " + times);
        }
        const std::string faults =
            board_.faults(reached, [this](const GameKey& key) { return detail_of(key); });
        if (!faults.empty()) console_.line(faults, Tone::Failure);
        const std::string failure = workforce_.failure();
        if (!failure.empty()) {
            complain(fmt::format("nim-arena: {}\n", failure));
            if (signal_ == 0) return record_failed_ ? kExitRecord : kExitInternal;
        }
        if (signal_ != 0) {
            console_.line(fmt::format(
                "interrupted: {} recorded{}", counted(board_.games(), "game"),
                options_.record.empty() ? "; without --record nothing is kept"
                                        : "; the same command plays what is missing"));
            return 128 + signal_;
        }
        // From here on a signal ends the program at once.
        tell_who_came_too_late();
        const auto told_truth = options_.analysis.count() > 0 ? tell_truth() : Result<void>();
        if (!told_truth) return refuse({told_truth.error(), kExitRecord});
        const auto written = options_.report.empty() ? Result<void>() : write_report();
        if (!written) return refuse({written.error(), kExitInternal});
        if (const auto decided = board_.test_exit()) return *decided;
        if (options_.strict && board_.has_faults()) return kExitStrict;
        return kExitPlayed;
    }

    // Whether the budget of a ladder has room for another round shows when it is to be planned.
    void tell_who_came_too_late() {
        if (options_.quiet || options_.format.kind != FormatKind::Ladder || lobby_ != nullptr) {
            return;
        }
        const bool had_enough = options_.max_games > 0 && board_.games() >= options_.max_games;
        for (std::size_t i = 0; i < first_rounds_.size(); ++i) {
            if (first_rounds_[i] <= last_round_) continue;
            console_.line(
                fmt::format("note: {} joined when {}, and does not play", names_.of(i),
                            had_enough ? "--max-games was reached" : "the budget was up"),
                Tone::Warning);
        }
    }

    Result<void> write_report() {
        const engine::Budget nimbers{Clock::now() + kNimberTime, {}};
        pages::PageOptions where;
        where.directory = options_.report;
        const auto written = pages::write_pages(store_, *analyst_, nimbers, where);
        if (!written) return written.error();
        console_.line(fmt::format("pages: {}/index.html", options_.report));
        return {};
    }

    // What the players made of what they had.
    Result<void> tell_truth() {
        const engine::Budget budget{Clock::now() + options_.analysis, {}};
        const auto truth =
            truth_report(store_, *analyst_, budget, names_.all(), [this](std::uint64_t games) {
                if (console_.terminal())
                    console_.progress(counted(games, "game") + " analysed");
            });
        if (!truth) return truth.error();
        const auto [head, rows] = split_head(*truth);
        console_.line(head, Tone::Heading);
        if (!rows.empty()) console_.line(rows);
        return {};
    }

    const TournamentOptions& options_;
    Lobby* lobby_;
    Roster* roster_;
    // On the director's thread, while that runs.
    std::size_t entrants_ = 0;
    std::vector<int> first_rounds_;  // by player: from which one on it may play
    int last_round_ = 0;             // that was planned
    Store& store_;
    Format& format_;
    Interrupts& interrupts_;
    Console console_;
    EventLog& log_;
    Workforce workforce_;
    int signal_ = 0;
    std::atomic<bool> record_failed_{false};
    std::atomic<bool> is_live_{false};  // what the record held has been taken in
    int names_told_ = 0;
    std::unique_ptr<engine::Analyst> analyst_;
    PositionSource positions_;
    ThreadPlan plan_;
    Names names_;
    PlaySetup setup_;
    Scoreboard board_;
    Director director_;
    Recording recording_;
    boost::asio::thread_pool compute_;
    PlayContext play_;
};

Result<void> open_events(EventLog& log, const std::string& events) {
    constexpr std::string_view kTo = "jsonl:";
    return log.open(events.starts_with(kTo) ? events.substr(kTo.size()) : "-");
}

// What it writes, and no player may see.
std::vector<std::string> files_of(const TournamentOptions& options) {
    constexpr std::string_view kTo = "jsonl:";
    std::vector<std::string> files{options.record, options.report};
    if (options.events.starts_with(kTo)) files.push_back(options.events.substr(kTo.size()));
    return files;
}

// Drawing may take long: before signals are caught, so that one ends it here and now.
bool can_draw(const TournamentOptions& options, Refusal& refusal) {
    if (!options.suite) return true;
    const auto drawn = try_to_draw(*options.suite, options.seed, *engine::make_analyst());
    if (!drawn) refusal = {drawn.error(), kExitUsage};
    return drawn.has_value();
}

// What must be there before the record is touched. `hidden`: what players may not see.
std::optional<PlaySetup> prepare(const TournamentOptions& options,
                                 std::vector<std::string> hidden, const Guardian& guardian,
                                 Refusal& refusal) {
    auto setup = set_up(options, std::move(hidden), guardian, refusal);
    if (!setup || options.report.empty()) return setup;
    const auto writable = pages::prepare_directory(options.report);
    if (writable) return setup;
    refusal = {writable.error(), kExitInternal};
    return std::nullopt;
}

// Once it is known who begins, which `options` say.
int play(const TournamentOptions& options, const Guardian& guardian, Store& store,
         PlaySetup setup, Interrupts& interrupts, Lobby* lobby, Roster* roster) {
    const auto format = make_format(options.format);  // without those who join late
    if (!format) return refuse({format.error(), kExitUsage});
    EventLog log;
    if (!options.events.empty()) {
        const auto opened = open_events(log, options.events);
        if (!opened) return refuse({opened.error()});
    }
    Tournament tournament(options, guardian, store, **format, std::move(setup), log, interrupts,
                          lobby, roster);
    return tournament.run();
}

}  // namespace

int run_tournament(const TournamentOptions& given, const Guardian& guardian) {
    TournamentOptions options = given;
    Refusal refusal;
    if (!can_draw(options, refusal)) return refuse(refusal);
    Interrupts interrupts;  // before anything that starts a thread
    // What makes no sense is refused before the record is touched.
    const auto sensible = make_format(options.format);
    if (!sensible) return refuse({sensible.error(), kExitUsage});
    auto setup = prepare(options, files_of(options), guardian, refusal);
    if (!setup) return refuse(refusal);
    const auto store = Opening(options).run(refusal);
    if (!store) return refuse(refusal);
    return play(options, guardian, *store, *std::move(setup), interrupts, nullptr, nullptr);
}

namespace {

// Until enough players are there, or a signal comes, which is given; else 0.
int await_players(const Roster& roster, std::size_t wanted, Interrupts& interrupts) {
    while (roster.present() < wanted) {
        std::array<pollfd, 2> watched{
            {{interrupts.fd(), POLLIN, 0}, {roster.arrival().fd(), POLLIN, 0}}};
        ::poll(watched.data(), watched.size(), -1);
        if (const int signal = interrupts.read(); signal != 0) return signal;
        roster.arrival().clear();
    }
    return 0;
}

// The players that the record holds are those of the roster, and its own come first.
Result<void> take_entrants(Store& store, const TournamentOptions& options, Roster& roster) {
    const auto entrants = store.entrants();
    if (!entrants) return entrants.error();
    for (std::size_t i = 0; i < std::max(entrants->size(), options.own_players); ++i) {
        const bool is_own = i < options.own_players;
        const bool is_recorded = i < entrants->size();
        if (!is_recorded && entrants->empty()) break;
        const std::string now = is_own        ? to_string(options.players[i])
                                : is_recorded ? token_entrant((*entrants)[i].name).spec
                                              : "no such player";
        const std::string recorded = is_recorded ? (*entrants)[i].spec : "no such player";
        if (now != recorded) {
            return Error{Fault::BadInput,
                         fmt::format("player {}: the record has {}, now {}; a server goes on "
                                     "with the players of its own that it had",
                                     i + 1, recorded, now),
                         0};
        }
        if (!is_own) roster.add((*entrants)[i].name);
    }
    return {};
}

// Those who are there when it begins.
Result<void> join_first(Store& store, const TournamentOptions& options,
                        const std::vector<std::string>& names) {
    std::vector<Entrant> joining;
    for (std::size_t i = 0; i < names.size(); ++i) {
        joining.push_back(i < options.own_players
                              ? Entrant{names[i], to_string(options.players[i]), 1}
                              : token_entrant(names[i]));
    }
    return store.join(joining);
}

}  // namespace

int run_serve(const TournamentOptions& given, const Guardian& guardian) {
    TournamentOptions options = given;
    Refusal refusal;
    if (!can_draw(options, refusal)) return refuse(refusal);
    Interrupts interrupts;  // before anything that starts a thread
    std::vector<std::string> hidden = files_of(options);
    hidden.push_back(options.lobby->tokens);
    hidden.push_back(options.lobby->key);
    auto setup = prepare(options, std::move(hidden), guardian, refusal);
    if (!setup) return refuse(refusal);
    // Before the lobby, whose thread asks and tells them.
    std::vector<std::string> own;
    for (std::size_t i = 0; i < options.own_players; ++i)
        own.push_back(options.players[i].name);
    Roster roster(own, options.players.size());
    Console console(options.events == "jsonl" ? stderr : stdout);
    roster.tell([&](const std::string& line) {
        if (!options.quiet) console.line(line);
    });
    auto lobby = Lobby::open(*options.lobby);
    if (!lobby) {
        const bool is_usage = lobby.error().fault == Fault::BadInput;
        return refuse({lobby.error(), is_usage ? kExitUsage : kExitStartup});
    }
    const auto store = Opening(options).run(refusal);
    if (!store) return refuse(refusal);

    const auto taken = take_entrants(*store, options, roster);
    if (!taken) return refuse({taken.error(), kExitRecord});
    console.line("listening on " + (*lobby)->address());
    if (const std::size_t room = (*lobby)->connections();
        room < options.lobby->connections && !options.quiet) {
        console.line(fmt::format("note: room for {} connections: see ulimit -Hn", room));
    }
    (*lobby)->start({[&](const std::string& name) { return roster.admit(name); },
                     [&](int player, const Guest& guest) { roster.came(player, guest); },
                     [&](int player, const std::string& why) { roster.left(player, why); },
                     [](const std::string& what) {
                         complain(fmt::format("nim-arena: warning: {}\n", what));
                     }});

    auto entrants = store->entrants();
    if (!entrants) return refuse({entrants.error(), kExitRecord});
    if (entrants->empty()) {
        const int signal = await_players(roster, options.await, interrupts);
        if (signal != 0) {
            (*lobby)->close();
            return 128 + signal;
        }
        const auto joined = join_first(*store, options, roster.names());
        if (!joined) return refuse({joined.error(), kExitRecord});
        entrants = store->entrants();
        if (!entrants) return refuse({entrants.error(), kExitRecord});
    }
    options.format.players =
        static_cast<int>(std::ranges::count(*entrants, 1, &Entrant::first_round));
    return play(options, guardian, *store, *std::move(setup), interrupts, lobby->get(),
                &roster);
}

}  // namespace arena
