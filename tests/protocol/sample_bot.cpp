// The program that bot_main_test runs: plays the first of `searchmoves`. It thinks for ever if
// that is 1=0, and ignores even `stop` if it is 1=1.
#include <unistd.h>

#include "protocol/bot.hpp"

namespace {

using protocol::Move;
using protocol::Number;

std::optional<Move> choose(const protocol::Turn& turn) {
    if (turn.candidates.empty()) return std::nullopt;
    const Move& move = turn.candidates.front();
    if (move == Move{1, {Number{1}}}) {
        for (;;) ::pause();
    }
    if (move == Move{1, {Number{0}}}) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any().wait(lock, turn.stop, [] { return false; });
    }
    return move;
}

}  // namespace

int main(int argc, char** argv) {
    return protocol::bot_main(argc, argv, {"sample", "the tests", {}}, choose);
}
