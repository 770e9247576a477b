#include "arena/web/played_game.hpp"

#include <utility>

#include <boost/json.hpp>

#include "protocol/text.hpp"

namespace arena::web {
namespace {

namespace json = boost::json;
using protocol::Error;
using protocol::Fault;

constexpr std::size_t kMostMoves = 10'000;

// The words of "moves"; empty if the key is missing.
std::optional<std::vector<std::string>> words_of(const json::object& request, ApiError& error) {
    std::vector<std::string> words;
    const json::value* moves = request.if_contains("moves");
    if (moves == nullptr) return words;
    if (!moves->is_array() || moves->as_array().size() > kMostMoves) {
        error = refused("moves", "expected a list of at most 10000 moves, such as [\"2=1\"]");
        return std::nullopt;
    }
    for (const json::value& move : moves->as_array()) {
        if (!move.is_string()) {
            error = refused("moves", "expected moves as texts, such as \"2=1\"");
            return std::nullopt;
        }
        words.emplace_back(move.as_string());
    }
    return words;
}

// Plays one more move, and keeps its canonical text.
protocol::Result<void> play(PlayedGame& played, const std::string& word) {
    if (const auto playable = played.game.check_limits(); !playable) return playable.error();
    if (played.game.end() != engine::End::None) {
        return Error{Fault::BadInput,
                     "read " + protocol::quoted(word) + ", expected no move: the game is over",
                     0};
    }
    const auto move = played.game.read_move(word);
    if (!move) return move.error();
    played.game.play(*move);
    played.moves.push_back(to_string(*move));
    return {};
}

}  // namespace

ApiError refused(std::string field, std::string text, int status) {
    return {status, Error{Fault::BadInput, std::move(text), 0}, std::move(field)};
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

std::optional<PlayedGame> read_played_game(const json::object& request,
                                           const engine::RulesetNames& names,
                                           const engine::Budget& budget, ApiError& error) {
    const auto text = text_of(request, "position");
    if (!text) {
        error = refused("position", "expected a position as a text, such as \"nim:3,4,5\"");
        return std::nullopt;
    }
    auto game = engine::read_game(*text, names);
    if (!game) {
        error = {400, game.error(), "position"};
        return std::nullopt;
    }
    const auto words = words_of(request, error);
    if (!words) return std::nullopt;
    protocol::Position start = game->position();
    PlayedGame played{std::move(start), {}, *std::move(game)};
    for (const std::string& word : *words) {
        if (budget.is_spent()) {
            error =
                refused("moves", "the moves of this game take too long to check", kTooCostly);
            return std::nullopt;
        }
        const auto done = play(played, word);
        if (done) continue;
        error = {400, done.error(), "moves", played.moves.size() + 1};
        return std::nullopt;
    }
    return played;
}

}  // namespace arena::web
