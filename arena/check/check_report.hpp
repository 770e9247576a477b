// The findings of a check, for people and for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arena/game/game_record.hpp"

namespace arena {

enum class PointVerdict { Ok, Failed, Note, NotChecked };

// A line of the conversation, raw, without its LF; cut if long.
struct SaidLine {
    bool sent = false;
    std::string text;
    std::size_t bytes = 0;  // of the whole line
};

// What a point found. Texts other than `lines` and `stderr_tail` are printable.
struct PointFinding {
    PointVerdict verdict = PointVerdict::Ok;
    std::string detail = {};  // what was measured, or what went wrong
    // Of Failed and Note alone:
    std::string fix = {};
    std::vector<SaidLine> lines = {};  // empty: the last lines of the conversation
    std::string expected = {};         // then a note shows the lines, too
    std::string stderr_tail = {};      // the bot's last lines on stderr
    bool buffered = false;             // the answer was kept in a buffer
    bool gave_up = false;              // it ended, or did not answer
    bool is_starved = false;           // the machine gave it no core
    bool excused = false;              // NotChecked for no failure of the bot
};

struct PointResult : PointFinding {
    std::string id;     // "go-infinite"
    std::string title;  // "answers `go infinite` only after `stop`"
    bool needed = true;
    std::string same_as = {};  // the earlier point with the same failure; empty: none
    Milliseconds time{};
};

struct CheckReport {
    std::string player;  // as given on the command line
    std::string name;    // from its handshake; empty: none
    std::uint64_t seed = 0;
    Milliseconds startup{};  // from its start to the end of its handshake
    bool started = false;    // it completed its handshake
    std::vector<PointResult> points;
};

// All needed points hold.
bool has_passed(const CheckReport& report);

// A line, and for trouble the lines below it, each with its LF.
std::string to_text(const PointResult& point);
// A line for all points that were not checked for the same reason. If nothing can be checked,
// none: the point that failed says why.
std::string not_checked_text(const CheckReport& report);
// The last line: how many points hold.
std::string summary_text(const CheckReport& report);
// All lines.
std::string to_text(const CheckReport& report);
// One JSON object on one line, LF included; arena/doc/output.md documents its keys.
std::string to_json(const CheckReport& report);

}  // namespace arena
