#include "arena/players/question.hpp"

#include "protocol/line_buffer.hpp"
#include "protocol/move.hpp"

namespace arena {
namespace {

constexpr std::size_t kMaxSearchMoves = 10'000;

void append_number(std::string& message, std::string_view name, std::int64_t value) {
    message += name;
    protocol::append_text(message, static_cast<protocol::Number>(value));
}

// `first`: the seat that is player 1 in the position that was sent.
void append_clocks(std::string& message, const Referee& referee, int first) {
    const int second = 1 - first;
    if (const auto left = referee.time_left(first))
        append_number(message, " p1time ", left->count());
    if (const auto left = referee.time_left(second))
        append_number(message, " p2time ", left->count());
    if (referee.time_left(first)) {
        append_number(message, " p1inc ", referee.clock(first).increment.count());
    }
    if (referee.time_left(second)) {
        append_number(message, " p2inc ", referee.clock(second).increment.count());
    }
    const auto& movetime = referee.clock(referee.seat_to_move()).movetime;
    if (movetime && !referee.time_left(referee.seat_to_move())) {
        append_number(message, " movetime ", movetime->count());
    }
    if (const auto nodes = referee.clock(referee.seat_to_move()).nodes) {
        append_number(message, " nodes ", static_cast<std::int64_t>(*nodes));
    }
}

}  // namespace

void append_search_moves(std::string& message, const engine::Game& game,
                         std::size_t line_begin) {
    if (!game.has_move()) return;
    message += " searchmoves";
    for (const protocol::Move& move : game.moves(kMaxSearchMoves)) {
        const std::size_t fits = message.size();
        message += ' ';
        append_text(message, move);
        if (message.size() - line_begin > protocol::kMaxLine) return message.resize(fits);
    }
}

void write_question(std::string& message, const Question& question, bool with_history,
                    bool with_legal_moves) {
    const Referee& referee = question.referee;
    int first = 0;
    if (with_history && !question.history.empty()) {
        message.assign(question.history);
    } else {
        message.assign("position fen ");
        append_text(message, referee.game().position());
        first = referee.seat_to_move();
    }
    message += '\n';
    const std::size_t line_begin = message.size();
    message += "go";
    append_clocks(message, referee, first);
    if (with_legal_moves) append_search_moves(message, referee.game(), line_begin);
    message += '\n';
}

void extend_history(std::string& history, std::size_t ply, std::string_view move) {
    if (history.empty()) return;
    history += ply == 1 ? " moves " : " ";
    history += move;
    if (history.size() > protocol::kMaxLine) history.clear();
}

}  // namespace arena
