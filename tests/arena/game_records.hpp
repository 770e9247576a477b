// Games that were played.
#pragma once

#include "arena/game/game_record.hpp"

namespace arena {

inline StartPosition position(std::string_view text) {
    return StartPosition(*protocol::parse_position(text));
}

// Player 0 has seat 0. Each move takes no time.
inline GameRecord game_record(std::string_view start, std::vector<std::string> moves,
                              std::optional<int> winner = 0, Reason reason = Reason::NoMoves) {
    GameRecord record;
    record.task.position = position(start);
    record.times.resize(moves.size());
    record.moves = std::move(moves);
    record.winner = winner;
    record.reason = reason;
    return record;
}

// As the game `leg` of the pair `key`.
inline GameRecord in_pair(const PairKey& key, int leg, GameRecord record) {
    record.task.key = {key, leg};
    if (leg == 2) std::swap(record.task.players[0], record.task.players[1]);
    return record;
}

// As the game of a match with this number: player 0 has seat 0 in odd games.
inline GameRecord in_match(int number, GameRecord record) {
    record.task.game = static_cast<std::uint64_t>(number);
    return in_pair({1, 1, 1, (number + 1) / 2, 1}, number % 2 == 1 ? 1 : 2, std::move(record));
}

// The game of a task, won by the player in the seat `winner`.
inline GameRecord won_by(int winner, const GameTask& task) {
    GameRecord record;
    record.task = task;
    record.winner = winner;
    record.reason = Reason::NoMoves;
    return record;
}

}  // namespace arena
