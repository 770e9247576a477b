// Every line of the protocol as a value. Commands go to an engine, replies come from it.
// Views in these values point into the line that was parsed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/result.hpp"

namespace protocol {

// ---- to the engine ----

struct UgiCommand {};
struct IsReadyCommand {};
struct NewGameCommand {};
struct StopCommand {};
struct QuitCommand {};
struct SetOptionCommand {
    std::string_view name;  // may hold blanks
    std::optional<std::string_view> value;
};
// `position startpos [moves M …]` or `position fen POSITION [moves M …]`.
struct PositionCommand {
    std::string_view position;  // the text of it; kStartPosition for startpos
    std::vector<std::string_view> moves;
};
// `moves M …`: continues from the current position.
struct MovesCommand {
    std::vector<std::string_view> moves;
};
// `go …`. Times are milliseconds; a clock below zero is read as 0. Without time, depth, nodes
// and `infinite` it is the same as `movetime 1000`.
struct GoCommand {
    std::optional<std::uint64_t> p1_time, p2_time, p1_increment, p2_increment;
    std::optional<std::uint64_t> movetime;
    std::optional<std::uint64_t> depth, nodes;
    bool infinite = false;
    std::vector<std::string_view> search_moves;
    // The first limit whose number could not be read; such a limit is ignored.
    std::optional<Error> unreadable;
};
// `query gameover`, `query islegal 1=2`, … The engine decides which topics it knows.
struct QueryCommand {
    std::string_view topic;
    std::string_view argument;  // the rest of the line
};
// Any other line; it is ignored.
struct UnknownCommand {
    std::string_view word;
};

using Command = std::variant<UgiCommand, IsReadyCommand, SetOptionCommand, NewGameCommand,
                             PositionCommand, MovesCommand, GoCommand, StopCommand,
                             QueryCommand, QuitCommand, UnknownCommand>;

// A known command with wrong words is an error that names the column; a line that starts with
// an unknown word is an UnknownCommand. Takes time linear in the length of the line.
Result<Command> parse_command(std::string_view line);

// ---- from the engine ----

struct UgiOkReply {};
struct ReadyOkReply {};
struct IdReply {
    std::string_view key;  // "name", "author", "token"
    std::string_view value;
};
struct OptionReply {
    std::string_view name;         // may hold blanks
    std::string_view declaration;  // what follows "type": "spin default 0 min 0 max 9"
};
struct InfoReply {
    std::string_view text;
};
struct BestMoveReply {
    std::string_view move;  // empty if `bestmove` has no second word; further words are ignored
};
struct ResponseReply {
    std::string_view text;
};
struct UnknownReply {
    std::string_view line;
};
using Reply = std::variant<UgiOkReply, ReadyOkReply, IdReply, OptionReply, InfoReply,
                           BestMoveReply, ResponseReply, UnknownReply>;

// Never fails: any other line is an UnknownReply.
Reply parse_reply(std::string_view line);

}  // namespace protocol
