// The director of a contest: plans its rounds, hands out its games, and processes their
// results.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "arena/base/io.hpp"
#include "arena/contest/format.hpp"
#include "arena/game/game_record.hpp"
#include "arena/play/pair_games.hpp"
#include "arena/play/ready_pairs.hpp"
#include "arena/play/tournament_options.hpp"
#include "arena/record/store.hpp"

namespace arena {

// The director's events, on its own thread, one call at a time, in the order of the record.
struct DirectorEvents {
    std::function<void(const Entrant&)> joined;
    std::function<void(const RoundPlan&)> planned;
    // A game counts, `is_own`: that this process has played. Returns false to stop handing out
    // games.
    std::function<bool(const GameResult&, bool is_own)> played;
    // The store or the format has failed; called once.
    std::function<void(const protocol::Error&)> failed;
};

// A thread of its own does everything that waits for the store. Slots ask for games and are
// woken when there are some. Skips a pair while its players are at their limit of instances.
//
// It learns what has happened in the contest from the events of the record. If several
// processes share a store, each has a director: the one that leads plans; when it dies, the
// next one that finds nothing to play leads.
class Director {
  public:
    // The references must outlive it. `at_once`: the number of concurrent games. Once `stop` is
    // requested, nothing more is planned.
    Director(const TournamentOptions& options, Store& store, Format& format,
             const PositionSource& positions, int at_once, std::stop_token stop,
             DirectorEvents events);
    ~Director();

    // Processes the contents of the record.
    protocol::Result<void> replay();
    // Begins, once replay() is done.
    void begin();
    // From any thread: games have been committed.
    void tell_of_news();
    // From any thread: a player joins, in the order of these calls, from the next round on.
    void join_late(const Entrant& entrant);
    // From any thread: a player has connected or disconnected, for formats that use that.
    void set_present(int player, bool is_present);
    // From any thread: whether a game may wait for this player, who is absent. Only one that
    // has been handed out because nobody else plays.
    bool may_wait(int player);
    // From any thread: plans and hands out nothing more; games in progress end.
    void drain();
    // From any thread: hands out nothing more, and wakes all waiting slots.
    void stop();
    // Waits for the end of the thread.
    void join();

    // The following are called by slots, from any thread.
    // The games that a slot plays next, in sequence, all between the same two players. Waits
    // while there may be more later. Empty: there are no more.
    Awaitable<std::vector<GameTask>> next();
    // `played` have been handed to the recording. Returns another pair with one of these
    // players, if it has a limit of instances, and there is one now.
    std::vector<GameTask> again(const std::vector<GameTask>& played);
    // This game was called off, as a player of it is absent.
    void postpone(const GameTask& game);
    // This player has been closed or returned to the pool.
    void player_closed(int player);

  private:
    struct Waiter;
    using Lock = std::unique_lock<std::mutex>;

    void run();
    void wait(Lock& lock);
    protocol::Result<void> read_events();
    void read(const Event& event);
    void read_news(Lock& lock);
    void record_arrivals(Lock& lock);
    // These return true if they did something.
    bool refill(Lock& lock);
    bool lead(Lock& lock);
    bool plan_next(Lock& lock);
    std::uint64_t wanted_pairs() const;
    void want_no_more();
    void finish();
    void drop_surplus();
    void release(Lock& lock);
    void measure_pace();

    void fail(Lock& lock, const protocol::Error& error);
    void wake_director();
    void wake_all();
    void hand_out();
    void hand_out_absent();
    void hand_over(Claim claim);
    std::optional<Claim> take();
    void begin(const Claim& claim);
    void settle(const PairKey& pair);
    bool needs_more() const;
    std::size_t room() const;
    std::size_t least_ready() const;
    protocol::Result<void> add_last_round();
    std::chrono::milliseconds spent() const;

    const TournamentOptions& options_;
    Store& store_;
    const bool is_shared_;  // with other processes
    Format& format_;
    const std::size_t at_once_;
    const std::size_t most_ready_;  // pairs kept ready, unless fewer are left
    const std::size_t most_unread_;
    const std::stop_token stop_;
    PairGames pair_games_;
    DirectorEvents events_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread thread_;
    ReadyPairs ready_;         // claimed and not handed out; in a match, each leg by itself
    std::size_t playing_ = 0;  // pairs handed out and not played yet
    std::deque<std::shared_ptr<Waiter>> waiting_;
    std::size_t waking_ = 0;  // slots that have a pair and are not woken yet
    // The claimed pairs with the number of their games whose results have not been read. For a
    // sequential test, which reads in the order of the schedule, from the first incomplete pair
    // on.
    std::map<PairKey, int> unread_;
    // In a lobby, of pairs that were handed out while both players were present: the games
    // whose results have not been processed.
    std::map<PairKey, int> under_way_;
    std::vector<PairKey> settled_;  // games of which a result was read
    // The pairs that were handed out with an absent player, and not yet played.
    std::map<PairKey, std::array<int, 2>> waiting_for_players_;
    // Not yet processed: players that joined, connected or disconnected.
    std::deque<std::variant<Entrant, std::pair<int, bool>>> players_told_;
    Clock::time_point began_ = Clock::now();
    std::chrono::milliseconds spent_before_{0};
    int last_round_ = 0;               // that was planned
    std::uint64_t games_claimed_ = 0;  // recorded or handed out
    bool all_claimed_ = false;         // that is planned
    bool dirty_ = false;
    bool stopped_ = false;  // nothing is handed out any more
    bool enough_ = false;   // no more games are wanted
    bool drained_ = false;  // nothing is left to be planned or claimed
    bool over_ = false;     // nor to be played
    bool failed_ = false;   // the store or the format

    bool has_news_ = true;                  // the store has changed since it was read
    std::uint64_t last_event_ = 0;          // that was read
    std::int64_t open_games_ = 0;           // planned and not played
    std::atomic<bool> is_decided_ = false;  // no more games are needed
    std::size_t entrants_ = 0;
    bool has_strangers_ = false;  // players that joined elsewhere, and are not known here
    bool leads_ = false;
    bool leaves_ = false;             // others go on
    bool awaits_events_ = false;      // to plan more
    Clock::time_point look_again_{};  // for pairs whose leases have ended, and for the lead
    Clock::time_point last_busy_{};   // when the last game was being played
    std::vector<Claim> dropped_;      // claimed, and not to be begun
    double pace_ = 0;                 // pairs a second
    std::uint64_t pairs_played_ = 0;  // since the pace was measured
    Clock::time_point pace_measured_{};
};

}  // namespace arena
