// The state of a running match, tournament or server, as one text for all watchers.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/game/game_record.hpp"
#include "arena/play/spectator.hpp"
#include "arena/web/http.hpp"
#include "protocol/position.hpp"

namespace arena::web {

// ---- its parts as JSON: see /api/live in doc/web.md ----

inline constexpr std::size_t kMostRows = 1000;  // of the standings

// The state of a game that is shown.
struct TableState {
    enum class Phase { Empty, Playing, Over };

    Phase phase = Phase::Empty;
    std::string game;
    std::array<int, 2> players{};
    std::size_t ply = 0;
    std::string last;
    std::optional<protocol::Position> position;  // none: too large to be shown
    std::optional<protocol::Position> before;    // the last move, if it is known
    std::array<std::optional<Milliseconds>, 2> left;
    Clock::time_point since;  // the last move, or the end
    std::optional<int> winner;
    Reason reason = Reason::Void;

    void take(const GameNow& now, Clock::time_point at);
};

struct ShownPlayer {
    std::string name;
    std::optional<bool> is_present;
    bool is_out = false;
};

struct PlayerCounts {
    std::size_t all = 0;
    std::optional<std::size_t> present;  // connected; none: nobody connects here
};

// Texts of players, made printable and of bounded length.
std::string shown_player(std::string_view name);
std::string shown_detail(std::string_view detail);

// `info`: nullopt before the contest has begun.
std::string tournament_text(const std::optional<ContestInfo>& info, bool is_over,
                            const PlayerCounts& players);
std::string player_text(std::size_t number, const ShownPlayer& player);
std::string progress_text(const ContestProgress& progress);
// The columns of the standings; they do not change.
std::string columns_text();
std::string standings_text(const std::vector<Standing>& standings);
// The last meetings, at most kMostRows.
std::string bracket_text(const Bracket& bracket);
std::string board_text(std::size_t number, const TableState& state);
// `record.times` has an entry for each move, `record.moves` for all or none; its note is that
// of review_game().
std::string finished_text(const GameRecord& record);

// ---- the feed ----

// The most games that are shown.
inline constexpr std::size_t kMostBoards = 32;    // running
inline constexpr std::size_t kMostFinished = 50;  // finished
// The most that are added between two snapshots, so that a game stays until it has been
// reviewed.
inline constexpr std::size_t kMostNewlyEnded = 20;
// How long the end of a game stays before its board is given to another game, and how long
// before the board is cleared.
inline constexpr Milliseconds kEndShown{1500};
inline constexpr Milliseconds kEndCleared{5000};

// Holds the state, which the threads that play write, and writes it as JSON for the server's
// thread. A game that is not shown costs one read of an atomic number a move.
class LiveFeed : public Spectator, public LiveSource {
  public:
    // `review` is called on the server's thread with a game that is shown; it answers by
    // calling reviewed() with the game and its note, from any thread.
    using Review = std::function<void(std::shared_ptr<const GameRecord>)>;
    explicit LiveFeed(Review review = {}, std::function<Clock::time_point()> now = Clock::now);
    ~LiveFeed() override;

    // ---- from any thread ----
    void begin(const ContestInfo& info, ContestSource source) override;
    void player(int number, const std::string& name) override;
    void present(int player, bool is_present) override;
    void out(int player) override;
    std::unique_ptr<GameView> begin_game(const GameTask& task, const GameNow& now) override;
    void finished(const GameRecord& record) override;
    void reviewed(const std::shared_ptr<const GameRecord>& record);
    void over(const ContestProgress& progress, const std::vector<Standing>& standings) override;

    bool is_watched() const override;
    // After over(): waits until watchers have got it, at most some seconds; returns at once
    // without watchers.
    void await_watchers();

    // ---- on the server's thread ----
    LiveState snapshot() override;
    void watched_by(std::size_t watchers) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace arena::web
