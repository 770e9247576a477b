// The visits to a clinic (`nim-arena serve --clinic`): before the games of a visit the bot is
// checked; after them it is asked for moves in positions of a family, its owner is told the
// results, and the report goes to the record.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "arena/base/io.hpp"
#include "arena/play/tournament_options.hpp"
#include "arena/players/player.hpp"
#include "arena/record/store.hpp"
#include "arena/record/visits.hpp"

namespace arena {

struct Link;

// What a visitor is asked apart from its games, by the command: a contest knows no checks. Both
// may throw GameCalledOff where the server ends.
struct Examiner {
    // Tests how the player, which is in the lobby, keeps to the protocol: fills in
    // Visit::check.
    std::function<Awaitable<void>(const TournamentOptions&, const PlayerContext&, Visit&)>
        check;
    // Asks it in positions for some seconds: fills in the other fields of the visit.
    std::function<Awaitable<void>(const TournamentOptions&, const PlayerContext&, Player&,
                                  Visit&)>
        certify;
};

// Safe to use from any thread.
class Clinic {
  public:
    struct Events {
        std::function<std::string(int player)> name_of;
        std::function<void(const std::string& line)> tell;  // what came of a visit
        std::function<void()> reported;
        std::function<void(int player)> over;  // it may begin another visit; the lobby's thread
        std::function<void(const protocol::Error&)> failed;  // the record
    };

    // The references must outlive it. `page`: where students find their reports; empty:
    // nowhere.
    Clinic(const TournamentOptions& options, Store& store, const engine::Analyst& analyst,
           const std::string& page, Events events);

    // A report of the record.
    void add(const RoundPlan& report);
    // Whether the player may connect: at most --visits an hour. The error is sent to the bot.
    protocol::Result<void> admits(int player);
    // Whether a visit of this player goes on, although its connection may come and go.
    bool is_visiting(int player);

    // Checks the player, which is in the lobby, and tells it what was found.
    Awaitable<void> check(const PlayerContext& context, Visit& visit);
    // Asks it in positions, for some seconds.
    Awaitable<void> certify(const PlayerContext& context, Player& player, Visit& visit);
    // Records the report, tells the player of it and ends its connection. `games`: those of the
    // visit, which are recorded.
    Awaitable<void> end(const PlayerContext& context, const Visit& visit,
                        const std::vector<GameKey>& games);

  private:
    Awaitable<void> tell(const PlayerContext& context, int player, const std::string& text);
    Awaitable<void> dismiss(const PlayerContext& context, int player, const std::string& text);
    Awaitable<std::unique_ptr<Link>> reach(const PlayerContext& context, int player);
    void leave(int player);
    protocol::Result<std::string> report(const Visit& visit, const std::vector<GameKey>& games);
    protocol::Result<std::string> review(const Visit& visit, const GameKey& key, int& won);
    int next_number();

    const TournamentOptions& options_;
    Store& store_;
    const engine::Analyst& analyst_;
    const Events events_;
    const std::string page_;
    std::mutex mutex_;
    int visits_ = 0;                                      // of the record
    std::map<int, std::deque<Clock::time_point>> begun_;  // in the last hour, by player
    std::set<int> visitors_;                              // now
};

}  // namespace arena
