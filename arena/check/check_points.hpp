// The points of a check, in the order of testing.
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/base/io.hpp"
#include "arena/check/check.hpp"
#include "arena/check/check_positions.hpp"
#include "arena/check/check_report.hpp"
#include "arena/check/check_talk.hpp"

namespace arena {

// The state shared by the points: the bot, and the findings so far.
struct Check {
    Check(const CheckOptions& given, const MakePeer& make);

    const CheckOptions& options;
    const MakePeer& make_peer;
    Talk talk;
    PositionMaker maker;
    std::mt19937_64 random;
    // Shows the progress of a point on a terminal; may be empty.
    std::function<void(const std::string& text)> progress = {};

    bool shook_hands = false;
    Milliseconds startup{};                // the time of its handshake
    std::optional<PointFailure> buffered;  // its handshake came only after the end of input
    std::string ruleset = "nim";     // a ruleset that it plays, for points not about rules
    std::vector<std::string> plays;  // kinds of positions, by name
    std::vector<SaidLine> refusal;   // the last one
    std::set<std::string_view> points_played;  // those whose positions, or some, it plays
    // The failures of the points `nim` and `take`; empty: none.
    std::string nim_failure, take_failure;
    // Later points do not report these failures again.
    bool answers_isready = false;
    bool answers_go = false;
    bool plays_usual = false;  // Check::ruleset
    bool breaks_rules = false;
    bool cuts_lines = false;  // it failed at long lines
    int followed_moves = 0;   // legal answers to positions with `moves`
    // Answers of an unusual form, for the point `answers`.
    std::optional<std::vector<SaidLine>> second_answer;
    std::optional<std::vector<SaidLine>> long_answer;
    std::string last_answer;  // the last `bestmove` line
};

// A point that cannot be tested.
inline PointFinding not_checked(std::string why) {
    return {PointVerdict::NotChecked, std::move(why)};
}

// A point that this bot need not hold.
inline PointFinding not_asked(std::string why) {
    return {.verdict = PointVerdict::NotChecked, .detail = std::move(why), .excused = true};
}

enum class Needed {
    Yes,
    No,
    WithLegalMoves,     // for a bot that is sent the legal moves
    WithoutLegalMoves,  // for other bots
};

// The requirements of a point.
enum class Uses {
    Nothing,
    Bot,
    Ready,  // a bot that answers `isready`
    Go,     // and `go`
    Game,   // and plays Check::ruleset
};

struct Point {
    std::string_view id;
    std::string_view title;
    Needed needed;
    Uses uses;
    // Throws PointFailure. Afterwards the bot answers `isready`, or the connection is closed.
    Awaitable<PointFinding> (*run)(Check& check);
};

// The points for this player. One of a lobby plays on after its check, so its end is not
// tested.
std::span<const Point> points_for(const PlayerSpec& player);

// Waits until the bot has processed all lines. Keeps a second answer for the point `answers`.
Awaitable<void> drain(Check& check);

bool is_needed(const Point& point, const Check& check);

}  // namespace arena
