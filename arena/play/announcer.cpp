#include "arena/play/announcer.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "arena/base/cores.hpp"
#include "arena/base/counted.hpp"
#include "arena/base/heartbeat.hpp"
#include "arena/play/worker.hpp"
#include "arena/process/move_latency.hpp"
#include "arena/record/open_store.hpp"

namespace arena {
namespace {

constexpr Milliseconds kLadderInterval{5000};
constexpr Milliseconds kShortTrial{1000};  // a longer start of the players is reported
constexpr int kMovesOfGame = 50;           // that a clock should last
constexpr std::uint64_t kFewGames = 20;  // of a match: a line each; of more, a line each tenth

// "round 3: 32 games, a bye for Ann".
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

bool is_person(const PlayerSpec& player) { return player.kind == PlayerKind::Human; }

}  // namespace

Announcer::Announcer(const TournamentOptions& options, const Format& format, const Names& names,
                     Scoreboard& board, const ThreadPlan& plan, Console& console)
    : options_(options),
      format_(format),
      names_(names),
      board_(board),
      plan_(plan),
      console_(console),
      tells_moves_(options.watch || std::ranges::any_of(options.players, is_person)) {}

void Announcer::tell(const std::string& line, Tone tone) {
    if (!options_.quiet) console_.line(line, tone);
}

// ---- before the first game ----

void Announcer::tell_beginning(const PlaySetup& setup, std::size_t players,
                               std::optional<std::uint64_t> total) {
    for (const auto& listener : setup.listeners) {
        // Always printed, also for programs: a bot that dials in must know the address.
        if (listener) console_.line("listening on " + listener->address());
    }
    if (options_.quiet) return;
    if (const auto sandbox = setup.launcher->sandbox_text(); !sandbox.empty()) {
        console_.line("sandbox: " + sandbox);
    }
    if (const auto fairness = setup.launcher->fairness_text(); !fairness.empty()) {
        console_.line("fairness: " + fairness);
    }
    if (options_.is_worker) {
        console_.line(fmt::format("worker {}: plays for {}, {} at once{}", options_.worker,
                                  shown_record(options_.record), plan_.concurrency,
                                  plan_.pinned() ? " (pinned to cores)" : ""));
        return warn_of_cores();
    }
    tell_players(players, total);
    const std::string warning = format_.warning();
    if (!warning.empty()) console_.line("note: " + warning, Tone::Warning);
    note_positions(total);
    warn_of_cores();
}

void Announcer::tell_players(std::size_t players, std::optional<std::uint64_t> total) {
    console_.line(fmt::format("{}: {}{}, {} at once{}, seed {}", name(options_.format.kind),
                              counted(players, "player"),
                              total && !options_.for_fun ? ", " + counted(*total, "game") : "",
                              plan_.concurrency, plan_.pinned() ? " (pinned to cores)" : "",
                              options_.seed));
    const auto kept = board_.games();
    if (kept == 0 || options_.record.empty()) return;
    console_.line(fmt::format(
        "resuming {}: {} {} kept", shown_record(options_.record),
        total ? fmt::format("{} of {}", kept, counted(*total, "game")) : counted(kept, "game"),
        total || kept > 1 ? "are" : "is"));
}

// Positions are drawn for a pairing, and each pairing plays the same ones.
void Announcer::note_positions(std::optional<std::uint64_t> total) {
    const FormatOptions& format = options_.format;
    const bool all_alike = format.kind == FormatKind::Gauntlet ||
                           (format.kind == FormatKind::RoundRobin && format.cycles == 1);
    if (!all_alike || format.games > 2 || !options_.positions.empty() || total <= 2) return;
    console_.line(
        "note: all games start from one position, which is drawn: all pairings "
        "play the same ones; --games 20 draws 10",
        Tone::Warning);
}

void Announcer::warn_of_cores() {
    const auto cores = allowed_cores().size();
    if (options_.lobby || static_cast<std::size_t>(plan_.concurrency) <= cores) return;
    console_.line(fmt::format("warning: {} games at once on {}: players will wait for each "
                              "other, and lose time; expected --concurrency {} at most",
                              plan_.concurrency, counted(cores, "core"), cores),
                  Tone::Warning);
}

void Announcer::warn_of_clock(const Guardian& guardian) {
    if (options_.quiet) return;
    const bool has_process = std::ranges::any_of(
        options_.players,
        [](const PlayerSpec& player) { return player.kind == PlayerKind::Command; });
    const auto floor = has_process ? measure_latency(guardian) : MoveLatency{};
    if (!floor) return;  // starting the players will tell
    for (std::size_t i = 0; i < options_.players.size(); ++i) {
        const TimeControl clock = clock_of(options_, i);
        std::optional<Microseconds> time = clock.movetime;
        if (clock.base) time = Microseconds(*clock.base) / kMovesOfGame + clock.increment;
        if (!time || *time >= kLeastLatencies * floor->p99) continue;
        const auto milliseconds = [](Microseconds exact) {
            return static_cast<double>(exact.count()) / 1000;
        };
        return console_.line(fmt::format("warning: {} has {:.4g} ms for a move, and an answer "
                                         "alone takes up to {:.4g} ms here: expected {} times "
                                         "that, or more; see nim-arena doctor",
                                         options_.players[i].name, milliseconds(*time),
                                         milliseconds(floor->p99), kLeastLatencies),
                             Tone::Warning);
    }
}

void Announcer::show_trial(std::size_t tried) {
    if (options_.quiet || Clock::now() < began_ + kShortTrial) return;
    const auto commands =
        std::ranges::count(options_.players, PlayerKind::Command, &PlayerSpec::kind);
    const std::string text = fmt::format(
        "starting the players: {} of {} have answered `ugi` by `ugiok`", tried, commands);
    const bool was_told = has_told_of_trial_.exchange(true);
    const auto passed = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began_);
    if (console_.terminal())
        return console_.progress(fmt::format("{} ({} s)", text, passed.count()));
    if (!was_told) console_.line(text);
}

void Announcer::end_trial() {
    if (has_told_of_trial_ && console_.terminal()) console_.progress("");
}

// ---- while games are played ----

bool Announcer::shows_progress() const {
    return console_.terminal() && !options_.quiet && !tells_moves_;
}

void Announcer::show_progress() {
    if (shows_progress()) console_.progress(board_.live(console_.rows(), console_.columns()));
}

// Whether lines are printed while games are played. On a terminal, a table is.
bool Announcer::tells_lines() const {
    return !options_.quiet && (!console_.terminal() || tells_moves_);
}

// Whether each game gets a line, as in a match of few games.
bool Announcer::tells_games() const {
    const auto games = static_cast<std::uint64_t>(options_.format.games);
    return options_.is_match() && games <= kFewGames && tells_lines() && !options_.for_fun;
}

void Announcer::tell_round(const RoundPlan& plan, const std::string& rematches) {
    if (options_.quiet || options_.is_worker) return;
    if (!plan.note.empty()) {
        console_.line("note: " + (rematches.empty() ? plan.note : rematches), Tone::Warning);
    }
    if (console_.terminal()) return;
    if (options_.format.kind == FormatKind::Ladder) return tell_ladder(plan);
    // If rounds wait for results, each one is reported.
    const bool waits = options_.format.kind == FormatKind::Swiss ||
                       options_.format.kind == FormatKind::Knockout;
    if (waits) console_.line(round_line(plan, names_.all()));
}

// A ladder's rounds are short and many: some are reported, with the standings before them.
void Announcer::tell_ladder(const RoundPlan& plan) {
    const auto now = Clock::now();
    if (now < ladder_again_) return;
    ladder_again_ = now + kLadderInterval;
    std::string line = round_line(plan, names_.all());
    if (board_.games() > 0) line += "; so far " + board_.summary();
    console_.line(line);
}

void Announcer::tell_game(const GameRecord& game, const std::vector<std::string>& names) {
    if (!tells_games()) return;
    console_.line(fmt::format("game {}: {}", game_name(game.task), outcome_text(game, names)));
}

void Announcer::tell_milestone() {
    if (!tells_lines() || tells_games() || options_.for_fun) return;
    if (const auto line = board_.milestone(Clock::now())) console_.line(*line);
}

void Announcer::tell_replay(const GameTask& task, const std::string& why) {
    tell(fmt::format("game {} is void, and is played again: {}", game_name(task), why),
         Tone::Warning);
}

void Announcer::tell_out(int player) {
    const auto number = static_cast<std::size_t>(player);
    if (!options_.players[number].not_built.empty()) return;  // why was told when it was not
    tell(fmt::format("{} is out: it has failed to start {} times in a row, and loses its "
                     "games{}",
                     names_.of(number), kMaxFailedStarts,
                     options_.lobby ? " until it dials in anew" : ""),
         Tone::Failure);
}

void Announcer::warn_of_options(std::size_t player, const std::vector<std::string>& wrong) {
    const std::lock_guard lock(warned_mutex_);
    if (!warned_.insert(player).second) return;
    for (const std::string& sentence : wrong) {
        tell(fmt::format("warning: {}: {}", names_.of(player), sentence), Tone::Warning);
    }
}

// ---- at the end ----

void Announcer::tell_absence() {
    const Absences absent = Heartbeat::total();
    if (options_.quiet || absent.longest < kLongAbsence) return;
    const auto seconds = [](Microseconds time) {
        return std::chrono::duration<double>(time).count();
    };
    std::string line = fmt::format("note: the arena itself did not run for {:.1f} s, in {}",
                                   seconds(absent.certain + absent.doubtful),
                                   counted(static_cast<std::uint64_t>(absent.count), "gap"));
    if (absent.certain.count() > 0) {
        line +=
            fmt::format("; of it {:.1f} s were on no player's clock", seconds(absent.certain));
    }
    console_.line(line, Tone::Warning);
}

void Announcer::tell_standings(const Scoreboard::GameOf& faulty_game) {
    if (!options_.for_fun) tell_table(board_.table());
    tell_table(bracket_text(format_.bracket(), names_.all()));
    tell_table(board_.starts());
    const std::string faults = board_.faults(faulty_game);
    if (!faults.empty() && !is_only_a_person_at_fault()) console_.line(faults, Tone::Failure);
    const std::string remarks = names_.remarks();
    if (!remarks.empty()) console_.line(remarks, Tone::Warning);
}

void Announcer::tell_table(const std::string& table) {
    if (table.empty()) return;
    const auto [head, rows] = split_head(table);
    console_.line(head, Tone::Heading);
    if (!rows.empty()) console_.line(rows);
}

// A person who plays for fun and gives up knows that.
bool Announcer::is_only_a_person_at_fault() const {
    return options_.for_fun &&
           std::ranges::none_of(board_.standings(), [&](const Standing& row) {
               const auto player = static_cast<std::size_t>(row.player);
               return row.fault_count() > 0 && !is_person(options_.players[player]);
           });
}

void Announcer::tell_work(std::uint64_t recorded, std::uint64_t late) {
    std::string text =
        fmt::format("worker {}: {} recorded", options_.worker, counted(recorded, "game"));
    if (late > 0) text += fmt::format(", {} came too late: others had them", late);
    console_.line(text);
}

void Announcer::tell_interruption(bool is_late) {
    if (options_.for_fun) return console_.line("interrupted");
    if (is_late) return console_.line("interrupted after the last game");
    if (options_.is_worker) return console_.line("interrupted: others play what is missing");
    const auto games = board_.games();
    if (!options_.record.empty()) {
        return console_.line(
            fmt::format("interrupted: {} recorded; the same command plays what is missing",
                        counted(games, "game")));
    }
    const auto total = board_.contest_progress().total;
    const bool is_kept = !options_.jsonl.empty() && options_.jsonl != "-";
    console_.line(fmt::format("interrupted: {} played{}",
                              total ? fmt::format("{} of {}", games, counted(*total, "game"))
                                    : counted(games, "game"),
                              is_kept ? ", and kept in " + options_.jsonl : ""));
}

// Whether a ladder's budget has room for another round is decided when that is planned.
void Announcer::tell_who_came_too_late(const std::vector<int>& first_rounds, int last_round) {
    if (options_.format.kind != FormatKind::Ladder || options_.lobby) return;
    const bool had_enough = options_.max_games > 0 && board_.games() >= options_.max_games;
    for (std::size_t i = 0; i < first_rounds.size(); ++i) {
        if (first_rounds[i] <= last_round) continue;
        tell(fmt::format("note: {} joined when {}, and does not play", names_.of(i),
                         had_enough ? "--max-games was reached" : "the budget was up"),
             Tone::Warning);
    }
}

void Announcer::tell_seed() {
    const bool is_kept = !options_.record.empty() || !options_.jsonl.empty() ||
                         !options_.events.empty() || options_.is_worker;
    if (!options_.quiet || options_.seed_given || is_kept || board_.games() == 0) return;
    console_.line(fmt::format("seed {}", options_.seed));
}

}  // namespace arena
