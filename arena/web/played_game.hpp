// The game in a request: its start, the moves so far, and the current position.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/rules/catalogue.hpp"
#include "engine/rules/game.hpp"

namespace boost::json {
class object;
}

namespace arena::web {

// Why a request is refused, and where in it.
struct ApiError {
    int status = 400;
    protocol::Error error;             // its column, if any, counts in the field
    std::string field{};               // "position", "moves"; empty: the whole request
    std::optional<std::size_t> ply{};  // of the move that is refused, from 1
};

ApiError refused(std::string field, std::string_view text, int status = 400);

struct PlayedGame {
    protocol::Position start;
    std::vector<std::string> moves;  // canonical
    engine::Game game;               // after the moves
};

// Reads the keys "position" and "moves" of a request, and expands `names`. Error: the position
// cannot be read, a move is illegal or follows the end, or the game has grown beyond the limits
// of its rules or the length of a line; its status is kTooCostly if the budget ends before all
// moves are checked.
std::variant<PlayedGame, ApiError> read_played_game(const boost::json::object& request,
                                                    const engine::RulesetNames& names,
                                                    const engine::Budget& budget);
inline constexpr int kTooCostly = 422;

// The value of the key if it is a string.
std::optional<std::string> text_of(const boost::json::object& request, std::string_view key);

// The key's number, 0..most; `otherwise` if the key is missing; nullopt if it is not a number.
std::optional<std::uint64_t> number_of(const boost::json::object& request, std::string_view key,
                                       std::uint64_t otherwise, std::uint64_t most);

}  // namespace arena::web
