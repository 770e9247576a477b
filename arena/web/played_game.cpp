#include "arena/web/played_game.hpp"

#include <utility>

#include <boost/json.hpp>

#include "arena/base/bad_input.hpp"
#include "arena/game/referee.hpp"
#include "protocol/text.hpp"

namespace arena::web {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostMoves = 10'000;

// The words of "moves"; empty if the key is missing.
protocol::Result<std::vector<std::string>> words_of(const json::object& request) {
    std::vector<std::string> words;
    const json::value* moves = request.if_contains("moves");
    if (moves == nullptr) return words;
    if (!moves->is_array() || moves->as_array().size() > kMostMoves) {
        return bad_input("expected a list of at most {} moves, such as [\"2=1\"]", kMostMoves);
    }
    for (const json::value& move : moves->as_array()) {
        if (!move.is_string()) return bad_input("expected moves as texts, such as \"2=1\"");
        words.emplace_back(move.as_string());
    }
    return words;
}

// Whether the rules can judge moves here, and a line to a bot can hold the position: names may
// have made it far longer than the request.
protocol::Result<void> check_position(const engine::Game& game) {
    const std::size_t bytes = to_string(game.position()).size();
    if (bytes <= kMaxPositionText) return game.check_limits();
    return bad_input("the position has {} bytes, expected {} at most, which fit a line", bytes,
                     kMaxPositionText);
}

protocol::Result<engine::Game> start_game(const std::string& text,
                                          const engine::RulesetNames& names) {
    auto game = engine::read_game(text, names);
    if (!game) return game;
    if (const auto fits = check_position(*game); !fits) return fits.error();
    return game;
}

// Plays one more move, and keeps its canonical text.
protocol::Result<void> play(PlayedGame& played, const std::string& word) {
    if (const auto playable = played.game.check_limits(); !playable) return playable.error();
    if (played.game.end() != engine::End::None) {
        return bad_input("read {}, expected no move: the game is over", protocol::quoted(word));
    }
    const auto move = played.game.read_move(word);
    if (!move) return move.error();
    played.game.play(*move);
    played.moves.push_back(to_string(*move));
    return {};
}

}  // namespace

ApiError refused(std::string field, std::string_view text, int status) {
    return {status, bad_input("{}", text), std::move(field)};
}

std::optional<std::string> text_of(const json::object& request, std::string_view key) {
    const json::value* value = request.if_contains(key);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    return std::string(value->as_string());
}

std::optional<std::uint64_t> number_of(const json::object& request, std::string_view key,
                                       std::uint64_t otherwise, std::uint64_t most) {
    const json::value* value = request.if_contains(key);
    if (value == nullptr || value->is_null()) return otherwise;
    std::uint64_t number = 0;
    if (value->is_uint64()) {
        number = value->as_uint64();
    } else if (value->is_int64() && value->as_int64() >= 0) {
        number = static_cast<std::uint64_t>(value->as_int64());
    } else {
        return std::nullopt;
    }
    if (number > most) return std::nullopt;
    return number;
}

std::variant<PlayedGame, ApiError> read_played_game(const json::object& request,
                                                    const engine::RulesetNames& names,
                                                    const engine::Budget& budget) {
    const auto text = text_of(request, "position");
    if (!text)
        return refused("position", "expected a position as a text, such as \"nim:3,4,5\"");
    auto game = start_game(*text, names);
    if (!game) return ApiError{400, game.error(), "position"};
    const auto words = words_of(request);
    if (!words) return ApiError{400, words.error(), "moves"};
    protocol::Position start = game->position();
    PlayedGame played{std::move(start), {}, *std::move(game)};
    for (const std::string& word : *words) {
        if (budget.is_spent()) {
            return refused("moves", "the moves of this game take too long to check",
                           kTooCostly);
        }
        if (const auto done = play(played, word); !done)
            return ApiError{400, done.error(), "moves", played.moves.size() + 1};
    }
    if (const auto fits = check_position(played.game); !fits)
        return ApiError{400, fits.error(), "position"};
    return played;
}

}  // namespace arena::web
