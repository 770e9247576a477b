// The store of a tournament: its configuration, players, planned rounds and
// played games. Plans and games are on disk when the call returns. One
// small, batch-first interface for several backends, without rules of any
// backend.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arena/base/configuration.hpp"
#include "arena/contest/plan.hpp"
#include "arena/game/game_key.hpp"
#include "arena/game/game_record.hpp"
#include "protocol/result.hpp"

namespace arena {

// A pair handed out to be played.
struct Claim {
    PlannedPair pair;
    std::array<bool, 2> missing{true, true};  // by leg: is it still to be played?
};

enum class Recorded {
    New,    // it counts from now on
    Known,  // the key has a game already: nothing was changed
    Late,   // another process has the pair, as this one lost its lease: nothing was changed
};

// What happened, in the order of commitment, numbered from 1 without gaps: a player joined, a
// round was planned, a game was played.
struct Event {
    std::uint64_t number = 0;
    std::variant<Entrant, RoundPlan, GameResult> what;
};

// A note on a recorded game (its analysis), as one text.
struct Annotation {
    GameKey key;
    std::string text;
};

class Sharing;

// Safe to use from several threads, also from the callback of for_each_game(). Errors are those
// of the backend (a full disk, a file that is no record), fit to be shown; after one of
// Fault::Disconnected nothing more can be stored.
class Store {
  public:
    virtual ~Store() = default;

    // Starts or resumes a record. Fault::BadInput, with difference(), if it was started with
    // another configuration.
    virtual protocol::Result<void> open(const Configuration& configuration) = 0;
    // Empty: not started yet.
    virtual protocol::Result<Configuration> configuration() = 0;

    // Appends players.
    virtual protocol::Result<void> join(const std::vector<Entrant>& entrants) = 0;
    virtual protocol::Result<std::vector<Entrant>> entrants() = 0;
    // Names players after their handshakes; all or, on an error, none. The resulting names must
    // be distinct; two players may swap names.
    virtual protocol::Result<void> rename(
        const std::vector<std::pair<int, std::string>>& names) = 0;

    // Writes rounds, all or, on an error, none. One that is there already is left alone if it
    // has the same pairs and byes, whatever the budget spent and the note, else refused. Its
    // pairs are sorted by key and keep to its stage, round and attempt; who plays has joined.
    virtual protocol::Result<void> plan(const std::vector<RoundPlan>& rounds) = 0;

    // The part for several processes that play into it at the same time; else null, and
    // may_plan() to leave() are, as here, those of a process that has it alone.
    virtual Sharing* sharing() { return nullptr; }
    // Whether its role lets this process plan, join players and rename them.
    virtual bool may_plan() const { return true; }
    // Takes the planner's lock if it is free, and tells whether this process has it. It is lost
    // with its connection; then plan() gives Fault::TimedOut until lead() is true again.
    // Whoever takes the lead reads all events before it plans. plan() without lead() takes the
    // lead, too.
    virtual protocol::Result<bool> lead() { return true; }
    // The leader says that nothing is left to be planned or played. plan() and join() take it
    // back.
    virtual protocol::Result<void> finish() { return {}; }
    virtual protocol::Result<bool> finished() { return false; }
    // `changed` is called on a thread of the store after anybody's commit, late by at most a
    // second where notifications do not come, and not after on_change(nullptr) has returned. A
    // process that has the store alone knows of its commits, and is not told.
    virtual void on_change(std::function<void()>) {}
    // Gives back pairs that were claimed and not begun. Alone, they come again when the store
    // is opened next.
    virtual protocol::Result<void> release(const std::vector<PairKey>&) { return {}; }
    // Ends all leases of this process at once. Without it, as if it dies, they end by time.
    virtual protocol::Result<void> leave() { return {}; }

    // The next pairs with games to play, up to `count` in the schedule's order. Gives each pair
    // once; whoever opens the store next is given those that were not played.
    virtual protocol::Result<std::vector<Claim>> claim(std::size_t count) = 0;

    // All or, on an error, none (of more than a few thousand, or tens of megabytes, a part may
    // be recorded before one); as many answers as games. Void games are kept too: they are
    // played, and count for nobody. Players, position and leg are those of the plan: a game
    // that is not planned is an error. Texts as they came are stored fit to be shown; notes
    // are stored by annotate() alone.
    virtual protocol::Result<std::vector<Recorded>> record(
        const std::vector<GameRecord>& games) = 0;

    // At most `limit` events after number `after`. Of a shared store that was opened to read
    // and that nobody plans, the last call that gives some may give more.
    virtual protocol::Result<std::vector<Event>> events(std::uint64_t after,
                                                        std::size_t limit) = 0;

    virtual protocol::Result<std::optional<GameRecord>> game(const GameKey& key) = 0;
    // Visits all games in the order of the schedule; stops if `visit` returns false.
    virtual protocol::Result<void> for_each_game(
        const std::function<bool(const GameRecord&)>& visit) = 0;

    // Its damage, a line each: what readings so far have left out and, of a file, its broken
    // pages and references, for which all of it is read. A file that is played into gives an
    // error instead.
    virtual std::vector<std::string> damage() { return {}; }

    // Replaces the notes on these games.
    virtual protocol::Result<void> annotate(const std::vector<Annotation>& annotations) = 0;
};

// Empty: not started yet. A copy of a record writes its configuration last: players without one
// are an unfinished copy, which is an error.
protocol::Result<Configuration> whole_configuration(Store& store);

// The game with this key, or the only one whose key begins so. In the record of a match, a
// single number is that of the game. Errors: there is no such game, or there are several;
// `record` is the file's name.
protocol::Result<GameRecord> find_game(Store& store, const std::string& record,
                                       const KeyPrefix& name);

// Visits all events in their order.
protocol::Result<void> for_each_event(Store& store,
                                      const std::function<void(const Event&)>& visit);

}  // namespace arena
