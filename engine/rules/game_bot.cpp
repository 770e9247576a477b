#include "engine/rules/game_bot.hpp"

#include <algorithm>

#include "protocol/line_buffer.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::Change;
using protocol::quoted;

namespace {

// A position is accepted only if it can be sent on.
Result<void> check_fits_line(const Position& position) {
    constexpr std::size_t kRoom = protocol::kMaxLine - std::string_view("position fen ").size();
    const std::size_t size = to_string(position).size();
    if (size <= kRoom) return {};
    return Error{Fault::TooLong, "the canonical position has " + std::to_string(size) +
                                     " bytes, expected at most " + std::to_string(kRoom) +
                                     ", which fit a line"};
}

// Whether each ruleset that is known here can be read and accepts its heaps. If so, a position
// with other rulesets can still be followed by its text.
bool is_well_formed(const Position& position) {
    for (const protocol::Component& component : position.components) {
        if (find_guide(component.ruleset.name()) == nullptr) continue;
        const auto ruleset = find_ruleset(component.ruleset);
        if (!ruleset) return false;
        for (const Heap& heap : component.heaps) {
            if (!(*ruleset)->check_heap(heap)) return false;
        }
    }
    return true;
}

// The most that a line may cost while others wait, in steps of Ruleset::work(): about 5 ms.
constexpr Count kLittleWork = 20'000'000;
constexpr std::size_t kFewMoves = 2;  // each may be as costly as the position

// Whether a session can go on with this game: it must not grow by each line of a peer that
// plays back and forth. A `position` line has fewer moves.
Result<void> check_limits(const Game& game) {
    constexpr std::size_t kMostCounted = 1 << 20;
    if (game.counted_positions() <= kMostCounted) return game.check_limits();
    return Error{Fault::TooLong, "more than " + std::to_string(kMostCounted) +
                                     " positions since the last irreversible move, expected "
                                     "such a move or a position line"};
}

std::string yes_no(bool value) { return value ? "true" : "false"; }

}  // namespace

Result<Position> GameBot::read_position(std::string_view text) const {
    return names_ ? names_->read_position(text) : protocol::parse_position(text);
}

// The work is estimated: for each move that of all heaps of `from`, and that of the heaps that
// it leaves. The second move is read as if the first had left all heaps in their places; if it
// cannot be read so, the moves are left to the other thread.
bool GameBot::advances_at_once(const Position& from, std::span<const std::string_view> moves,
                               Change change) const {
    if (!Bot::advances_at_once(from, moves, change)) return false;
    const Count before = change == Change::Restart ? work_of(from) : work_here();
    if (before == 0) return true;
    if (moves.size() > kFewMoves) return false;
    Count work = (moves.size() + 1) * std::min(before, kLittleWork + 1);
    for (const std::string_view word : moves) {
        const auto move = protocol::parse_move(word, from);
        const auto found =
            move ? protocol::find_heap(from, move->heap) : protocol::HeapLookup{};
        if (!found) return moves.size() == 1 && work <= kLittleWork;
        work = saturating_sum(work, work_of(found.component->ruleset, move->result));
    }
    return work <= kLittleWork;
}

Result<Position> GameBot::advance(const Position& from, std::span<const std::string_view> moves,
                                  Change change, const std::stop_token& stop) {
    bool beyond = !game_ && change != Change::Restart;
    if (!beyond) {
        auto position = play_on(from, moves, change, beyond, stop);
        if (position || !beyond || unknown_ == UnknownRules::Refuse) return position;
    }
    auto position = Bot::advance(from, moves, change, stop);
    if (position) {
        game_.reset();
        foul_by_.reset();
    }
    return position;
}

Result<Position> GameBot::play_on(const Position& from, std::span<const std::string_view> moves,
                                  Change change, bool& beyond, const std::stop_token& stop) {
    if (change != Change::Restart) {
        // Played on the game itself: a copy of all that a long game counts would make each line
        // cost its length.
        if (const auto done = play_all(*game_, moves, beyond, stop); !done) return done.error();
    } else {
        auto game = Game::start(from);
        beyond = !game && is_well_formed(from);
        if (!game) return Error{game.error().fault, "position, " + describe(game.error())};
        if (const auto done = play_all(*game, moves, beyond, stop); !done) return done.error();
        game_ = *std::move(game);
    }
    if (change != Change::Moves) foul_by_.reset();
    return game_->position();
}

Result<void> GameBot::play_all(Game& game, std::span<const std::string_view> moves,
                               bool& beyond, const std::stop_token& stop) {
    const bool undoes = game_ && &game == &*game_;  // what fails here would still stand
    std::vector<Game::Played> played;
    const auto undo = [&](Error error) {
        for (; !played.empty(); played.pop_back()) game.take_back(std::move(played.back()));
        return error;
    };
    for (const std::string_view word : moves) {
        if (stop.stop_requested()) return undo({Fault::TimedOut, "the session has ended"});
        const auto move = game.read_move(word);
        if (!move) {
            foul_by_ = game.player();
            return undo(
                {Fault::BadInput, "move " + quoted(word) + ": " + describe(move.error())});
        }
        auto last = game.play(*move);
        if (undoes) played.push_back(std::move(last));
        if (const auto fits = check_limits(game); !fits) {
            beyond = true;
            return undo({fits.error().fault, "the position after move " + quoted(word) + ": " +
                                                 describe(fits.error())});
        }
    }
    if (const auto fits = check_fits_line(game.position()); !fits) return undo(fits.error());
    return {};
}

std::optional<std::string> GameBot::answer(const protocol::QueryCommand& query,
                                           const std::stop_token&) {
    if (!game_) return std::nullopt;
    const std::string_view topic = query.topic;
    if (topic == "gameover") return yes_no(foul_by_ || game_->end() != End::None);
    if (topic == "p1turn") return yes_no(game_->player() == 1);
    if (topic == "p2turn") return yes_no(game_->player() == 2);
    if (topic == "result") return result();
    if (topic == "fen") return to_string(game_->position());
    if (topic == "islegal") {
        return yes_no(game_->read_move(protocol::trim(query.argument)).has_value());
    }
    return std::nullopt;
}

bool GameBot::answers_query_at_once(const protocol::QueryCommand& query,
                                    const Position&) const {
    return query.topic != "islegal" || work_here() <= kLittleWork;
}

std::string GameBot::result() const {
    const auto win = [](int player) { return player == 1 ? "p1win" : "p2win"; };
    if (foul_by_) return win(3 - *foul_by_);
    if (game_->end() == End::None) return "none";
    const auto winner = game_->winner();
    return winner ? win(*winner) : "draw";
}

}  // namespace engine
