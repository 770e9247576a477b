#include "arena/players/play_options.hpp"

namespace arena {

TimeControl clock_of(const PlayOptions& options, std::size_t player) {
    const PlayerSpec& spec = options.players[player];
    TimeControl clock = options.clock;
    if (spec.clock.has_time()) {
        clock.movetime = spec.clock.movetime;
        clock.base = spec.clock.base;
        clock.increment = spec.clock.increment;
    }
    if (clock.movetime == Milliseconds(0)) clock.movetime = std::nullopt;
    clock.nodes = spec.clock.nodes;
    if (spec.clock.margin) clock.margin = *spec.clock.margin;
    clock.margin += spec.clock.lag;
    if (spec.kind != PlayerKind::Human || options.clock_given || spec.clock.has_time())
        return clock;
    clock.movetime = std::nullopt;
    if (!options.hang_given) clock.hang = std::chrono::hours(24);
    return clock;
}

}  // namespace arena
