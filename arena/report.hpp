// What is said about a match: a line while it runs, and a report at its end.
// Games are added up as they end and are not kept, so that a match of millions takes no memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "arena/game_record.hpp"
#include "arena/review.hpp"

namespace arena {

// The faults of one kind of one player, and the earliest of them as an example.
struct FaultTally {
    std::uint64_t count = 0;
    std::uint64_t game = 0;  // of the example
    std::string detail;
    FaultDetail fault;
};

// CPU time that a player used off turn.
struct OffTurnTally {
    Microseconds cpu{};
    std::uint64_t games = 0;  // in which that was more than a trifle

    void add(Microseconds used);
};

struct PlayerTally {
    std::uint64_t games = 0;  // void ones are not counted
    std::uint64_t wins = 0;
    std::uint64_t losses = 0;
    std::uint64_t draws = 0;
    std::uint64_t theory_halves = 0;   // half points that perfect play would have got here
    std::uint64_t theory_unknown = 0;  // games of which that is not known
    std::map<Reason, FaultTally> faults;
    std::uint64_t thrown = 0;                    // games not won although they stood won
    std::map<std::uint64_t, LosingMove> throws;  // the earliest of them, by number
    OffTurnTally off_turn;

    std::uint64_t halves() const { return 2 * wins + draws; }  // half points
};

// The same whatever the order in which games are added. Not safe to share by threads.
class Tally {
  public:
    explicit Tally(std::size_t players) : players_(players) {}

    void add(const GameRecord& record, const GameReview& review);

    const std::vector<PlayerTally>& players() const { return players_; }
    const std::map<Reason, std::uint64_t>& endings() const { return endings_; }
    std::uint64_t finished() const { return finished_; }  // void games are among them
    bool has_faults() const;

  private:
    void add_seat(PlayerTally& player, std::size_t seat, const GameRecord& record,
                  const GameReview& review);

    std::vector<PlayerTally> players_;
    std::map<Reason, std::uint64_t> endings_;
    std::uint64_t finished_ = 0;
};

// "37/100 games, 12.3 games/s, ann 30.5 : 6.5 bob, 5 s left", without a line end.
std::string progress_line(const Tally& tally, const std::vector<std::string>& names,
                          std::uint64_t total, Milliseconds elapsed);

// The table, and what there is to say about endings, faults and games thrown.
std::string final_report(const Tally& tally, const std::vector<std::string>& names);

// ---- for tables ----

// A line that names a player who uses CPU time off turn; empty for one who does not.
std::string off_turn_text(const std::string& who, const OffTurnTally& off_turn,
                          std::uint64_t games);

// Of a text of less than 1000 columns: how many it takes on a terminal.
std::size_t display_width(std::string_view text);

// Rows of as many cells, the first row being the heads: columns as wide as they must be, those
// of the numbers in `left` aligned to the left.
std::string aligned(const std::vector<std::vector<std::string>>& rows,
                    const std::vector<std::size_t>& left);

// The columns of a terminal that the longest of these names takes, "player" among them.
std::size_t name_width(const std::vector<std::string>& names);
// "2 h 05 min", "3 min 07 s", "9 s".
std::string duration_text(std::uint64_t seconds);

}  // namespace arena
