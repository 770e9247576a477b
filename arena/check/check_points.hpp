// The points of a check, in the order of testing.
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/base/io.hpp"
#include "arena/check/check.hpp"
#include "arena/check/check_positions.hpp"
#include "arena/check/check_report.hpp"
#include "arena/check/check_talk.hpp"

namespace arena {

// The state shared by the points: the bot, and the findings so far.
struct Check {
    Check(const CheckOptions& given, const LinkContext& link_context);

    const CheckOptions& options;
    const LinkContext& context;
    Talk talk;
    Teller teller;
    std::mt19937_64 random;
    // Shows how far a point is, on a terminal; may be empty.
    std::function<void(const std::string& text)> progress = {};

    bool shook_hands = false;
    Milliseconds startup{};                // that its handshake took
    std::optional<PointFailure> buffered;  // its handshake came once its input was closed
    std::string ruleset = "nim";     // that it plays: for the points that are not about rules
    std::vector<std::string> plays;  // kinds of positions, by name
    std::vector<SaidLine> refusal;   // the last one
    bool plays_nim = false, plays_take = false;
    // How the points `nim` and `take` ended, where they failed; else empty.
    std::string nim_failure, take_failure;
    // A failure is not reported again by later points.
    bool answers_isready = false;
    bool answers_go = false;
    bool plays_usual = false;  // Check::ruleset
    bool breaks_rules = false;
    // Answers of an unusual form, for the point that is about it.
    std::optional<std::vector<SaidLine>> second_answer;
    std::optional<std::string> long_answer;
};

// The findings of a point that does not fail.
struct PointFinding {
    PointVerdict verdict = PointVerdict::Ok;
    std::string detail = {};
    std::string fix = {};
    std::vector<SaidLine> lines = {};  // where they are not the last that were said
};

enum class Needed {
    Yes,
    No,
    WithLegalMoves,     // where the legal moves are what the bot lives from
    WithoutLegalMoves,  // else
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

std::span<const Point> all_points();

// Waits until the bot has processed all lines, and keeps a second answer for the point about
// that.
Awaitable<void> settle(Check& check);

bool is_needed(const Point& point, const Check& check);

}  // namespace arena
