// The store of a tournament: its configuration, its players, the rounds that were planned, and
// the games that were played. What is planned and what is recorded is on disk when the call
// returns. One small interface, batch-first, for several backends; rules of any backend stay
// out of it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arena/game_record.hpp"
#include "arena/store/game_key.hpp"
#include "protocol/result.hpp"

namespace arena {

// What a tournament is, but for its players: keys such as "format" or "clock.movetime" with
// their values, sorted by key. What may differ from run to run (concurrency, where to print) is
// not in it.
using Configuration = std::vector<std::pair<std::string, std::string>>;

// "format: the record has swiss, now round-robin", a line for each difference; empty where
// there is none.
std::string difference(const Configuration& recorded, const Configuration& now);

// A player of the tournament, number 0 first.
struct Entrant {
    std::string
        name;  // as given or as the bot calls itself; fit to be shown; no two are the same
    std::string spec;     // as the player was written: cmd=… option.…; two runs compare it
    int first_round = 1;  // the first round (of stage 1) it may play in; above 1: a late joiner

    friend bool operator==(const Entrant&, const Entrant&) = default;
};

struct PlannedPair {
    PairKey key;
    std::array<int, 2> players{
        0, 0};             // numbers of entrants; the first of them moves first in leg 1
    std::string position;  // canonical, names of rulesets expanded

    friend bool operator==(const PlannedPair&, const PlannedPair&) = default;
};

// A round as it is written before its games start. A stage and round are planned once, but for
// further attempts, which come as plans of their own.
struct RoundPlan {
    int stage = 1;
    int round = 1;
    int attempt = 1;
    std::vector<PlannedPair> pairs;      // sorted by key
    std::vector<int> byes;               // who has a point without playing
    std::chrono::milliseconds spent{0};  // of the budget of time, when this was planned
    std::string note;                    // for people; "rematch: …"; empty mostly

    friend bool operator==(const RoundPlan&, const RoundPlan&) = default;
};

// A pair handed out: whoever holds the token may record its games until the lease ends.
struct Claim {
    PlannedPair pair;
    std::array<bool, 2> missing{true, true};  // by leg: is it still to be played?
    std::uint64_t token = 0;
};

// What the tables need of a game that was played.
struct GameResult {
    GameKey key;
    std::array<int, 2> players{0, 0};  // by seat: p1 moved first
    std::optional<int> winner;         // seat
    Reason reason = Reason::Void;
    // By seat.
    std::array<int, 2> strikes{0, 0};
    std::array<Microseconds, 2> off_turn_cpu{};
};

GameResult result_of(const GameRecord& record);

// A game to be recorded: `record.task` holds its key, players, position and seeds.
struct FinishedGame {
    GameRecord record;
    std::uint64_t token = 0;
};

enum class Recorded {
    New,    // it counts from now on
    Known,  // the key has a game already: nothing was changed
    Stale,  // the token was given back, or the pair was handed to another since: refused
};

// What has happened, in the order in which it was committed; numbers go up from 1 without gaps.
// A player is called what it is called now.
struct Event {
    std::uint64_t number = 0;
    std::variant<Entrant, RoundPlan, GameResult> what;
};

// A note on a game that was made after it was recorded (its analysis), as one text.
struct Annotation {
    GameKey key;
    std::string text;
};

// A game as it was recorded, with what was noted of it.
struct StoredGame {
    GameRecord record;
    std::string annotation;  // empty: none yet
};

// Safe to use from several threads, also out of what for_each_game() calls. Errors are those of
// the backend (a full disk, a file that is no record), fit to be shown; after one of
// Fault::Disconnected nothing more can be stored.
class Store {
  public:
    virtual ~Store() = default;

    // Begins a record, or goes on with one. Fault::BadInput, with difference(), where it was
    // begun with another configuration.
    virtual protocol::Result<void> open(const Configuration& configuration) = 0;
    // Empty: not begun yet.
    virtual protocol::Result<Configuration> configuration() = 0;

    // Adds players behind those that are there.
    virtual protocol::Result<void> join(const std::vector<Entrant>& entrants) = 0;
    virtual protocol::Result<std::vector<Entrant>> entrants() = 0;
    // What players are called, once their handshakes have told; all or, on an error, none. No
    // two may be called the same when all have their names; two may swap them.
    virtual protocol::Result<void> rename(
        const std::vector<std::pair<int, std::string>>& names) = 0;

    // Writes rounds, all or, on an error, none. One that is there already is left alone if it
    // has the same pairs and byes, whatever the budget spent and the note, else refused. Its
    // pairs are sorted by key and keep to its stage, round and attempt; who plays has joined.
    virtual protocol::Result<void> plan(const std::vector<RoundPlan>& rounds) = 0;

    // Up to `count` pairs with games to play, in the schedule's order, that nobody holds a
    // lease on; held by `worker` for `lease` from now.
    virtual protocol::Result<std::vector<Claim>> claim(const std::string& worker,
                                                       std::size_t count,
                                                       std::chrono::milliseconds lease) = 0;
    // Prolongs leases to `lease` from now. Gives the tokens that are not valid any more: given
    // back, or their pairs recorded or handed to another.
    virtual protocol::Result<std::vector<std::uint64_t>> renew(
        const std::vector<std::uint64_t>& tokens, std::chrono::milliseconds lease) = 0;
    // Gives pairs back before their leases end.
    virtual protocol::Result<void> release(const std::vector<std::uint64_t>& tokens) = 0;

    // All or, on an error, none; as many answers as games. Void games are kept too: they are
    // played, and count for nobody. A lease that has ended is good until its pair is handed to
    // another; that of a pair with both games recorded goes with them. Players, position and
    // leg are those of the plan: a game that is not planned is an error. Texts as they came are
    // stored fit to be shown.
    virtual protocol::Result<std::vector<Recorded>> record(
        const std::vector<FinishedGame>& games) = 0;

    // At most `limit` events behind number `after`.
    virtual protocol::Result<std::vector<Event>> events(std::uint64_t after,
                                                        std::size_t limit) = 0;

    virtual protocol::Result<std::optional<StoredGame>> game(const GameKey& key) = 0;
    // All games in the schedule's order, one at a time; ends early where `visit` gives false.
    virtual protocol::Result<void> for_each_game(
        const std::function<bool(const StoredGame&)>& visit) = 0;

    // Replaces what was noted of these games.
    virtual protocol::Result<void> annotate(const std::vector<Annotation>& annotations) = 0;
    // Up to `limit` games without an annotation, in the schedule's order, from behind `after`
    // on.
    virtual protocol::Result<std::vector<GameKey>> unannotated(
        const std::optional<GameKey>& after, std::size_t limit) = 0;
};

}  // namespace arena
