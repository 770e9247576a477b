// What people read of a contest on a terminal or in a pipe: its first lines, its rounds and
// games as they are played, and the tables of its end.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "arena/base/console.hpp"
#include "arena/contest/format.hpp"
#include "arena/game/game_record.hpp"
#include "arena/play/play_setup.hpp"
#include "arena/play/scoreboard.hpp"
#include "arena/play/tournament_options.hpp"
#include "arena/play/worker_threads.hpp"
#include "arena/players/names.hpp"
#include "arena/process/guardian.hpp"

namespace arena {

// Thread-safe, except tell_round(), which one thread calls, and what is told at the end. What
// it is made from outlives it.
class Announcer {
  public:
    Announcer(const TournamentOptions& options, const Format& format, const Names& names,
              Scoreboard& board, const ThreadPlan& plan, Console& console);

    // Unless --quiet.
    void tell(const std::string& line, Tone tone = Tone::Plain);

    // ---- before the first game ----

    // `total`: games, if known.
    void tell_beginning(const PlaySetup& setup, std::size_t players,
                        std::optional<std::uint64_t> total);
    // If the latency of a process is a large part of the time for a move, noise decides games.
    void warn_of_clock(const Guardian& guardian);
    // The start of the players, where it takes long: as it goes on, or in a pipe one line.
    void show_trial(std::size_t tried);
    void end_trial();

    // ---- while games are played ----

    // Whether each move is shown. Then a game is reported before the next one begins.
    bool tells_moves() const { return tells_moves_; }
    // Whether a table is drawn again and again.
    bool shows_progress() const;
    void show_progress();
    // `rematches`: Scoreboard::rematches() of the round, before it was added.
    void tell_round(const RoundPlan& plan, const std::string& rematches);
    void tell_game(const GameRecord& game, const std::vector<std::string>& names);
    // A tenth of the games is played, perhaps.
    void tell_milestone();
    void tell_replay(const GameTask& task, const std::string& why);
    void tell_out(int player);
    // What is wrong with the options of a player, at its first start.
    void warn_of_options(std::size_t player, const std::vector<std::string>& wrong);

    // ---- at the end ----

    // What was credited to the players of all games, if it can have mattered.
    void tell_absence();
    // The table, the bracket, points by start, faults and remarks.
    void tell_standings(const Scoreboard::GameOf& faulty_game);
    void tell_table(const std::string& table);
    void tell_work(std::uint64_t recorded, std::uint64_t late);
    // `is_late`: after the last game.
    void tell_interruption(bool is_late);
    // Players that joined too late: `first_rounds`, by player, and the last one planned.
    void tell_who_came_too_late(const std::vector<int>& first_rounds, int last_round);
    // With --quiet, which prints no first line. Records and lines of games have the seed.
    void tell_seed();

  private:
    void tell_players(std::size_t players, std::optional<std::uint64_t> total);
    void note_positions(std::optional<std::uint64_t> total);
    void warn_of_cores();
    void tell_ladder(const RoundPlan& plan);
    bool is_only_a_person_at_fault() const;
    bool tells_lines() const;
    bool tells_games() const;

    const TournamentOptions& options_;
    const Format& format_;
    const Names& names_;
    Scoreboard& board_;
    const ThreadPlan& plan_;
    Console& console_;
    const bool tells_moves_;
    const Clock::time_point began_ = Clock::now();
    Clock::time_point ladder_again_{};  // the next round is reported from then on
    std::atomic<bool> has_told_of_trial_{false};
    std::mutex warned_mutex_;
    std::set<std::size_t> warned_;  // players that have been warned of
};

}  // namespace arena
