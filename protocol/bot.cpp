#include "protocol/bot.hpp"

#include "protocol/line_buffer.hpp"
#include "protocol/text.hpp"

namespace protocol {
namespace {

constexpr std::size_t kMostHeaps = kMaxLine / 2;  // each takes two bytes of a line

}  // namespace

Result<void> Bot::set_option(std::string_view name, std::optional<std::string_view>) {
    return Error{Fault::BadInput, "there is no option " + quoted(name)};
}

Result<Position> Bot::advance(const Position& from, std::span<const std::string_view> moves,
                              Change, const std::stop_token& stop) {
    Position position = from;
    std::size_t heaps = position.heap_count();
    for (const std::string_view word : moves) {
        if (stop.stop_requested()) return Error{Fault::TimedOut, "the session has ended"};
        const auto move = parse_move(word, position);
        if (!move) {
            return Error{Fault::BadInput,
                         "move " + quoted(word) + ": " + describe(move.error())};
        }
        heaps += move->result.size() - 1;
        if (heaps > kMostHeaps) {
            return Error{Fault::TooLong,
                         "move " + quoted(word) + ": more heaps than fit a line"};
        }
        apply(position, *move);
    }
    return position;
}

// Each move may shift all heaps after its own.
bool Bot::advances_at_once(const Position& from, std::span<const std::string_view> moves,
                           Change) const {
    constexpr std::size_t kQuickly = 1 << 20;  // heaps shifted
    return moves.size() * (from.heap_count() + 100) <= kQuickly;
}

std::optional<std::string> Bot::answer(const QueryCommand&, const std::stop_token&) {
    return std::nullopt;
}

}  // namespace protocol
