// The state of a running match, tournament or server, as watchers are shown it.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arena/game/review.hpp"
#include "arena/play/spectator.hpp"
#include "arena/web/http.hpp"

namespace arena::web {

// The most games that are held and shown.
inline constexpr std::size_t kMostBoards = 32;    // that are played
inline constexpr std::size_t kMostFinished = 50;  // that have ended
// Of them, between two looks of watchers, so that a game stays until it has been reviewed.
inline constexpr std::size_t kMostNewlyEnded = 20;
// How long the end of a game stays before its board is given to another game, and how long
// before the board is cleared.
inline constexpr Milliseconds kEndShown{1500};
inline constexpr Milliseconds kEndCleared{5000};

// Takes events from the threads that play, and gives states to the server's thread. A game that
// is not shown costs one read of an atomic number a move.
class LiveFeed : public Spectator, public LiveSource {
  public:
    // `review` is called on the server's thread with a game that is shown;
    // its answer is a call of reviewed(), from any thread.
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
    void reviewed(const GameRecord& record, const GameReview& review);
    void over(const ContestProgress& progress,
              const std::vector<ContestRow>& standings) override;

    // After over(): waits until watchers have been sent that, some seconds at most; returns at
    // once where there are none.
    void await_watchers();

    // ---- on the server's thread ----
    std::shared_ptr<const std::string> snapshot() override;
    std::shared_ptr<const std::string> changes() override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace arena::web
