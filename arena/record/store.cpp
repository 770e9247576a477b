#include "arena/record/store.hpp"

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/contest/format.hpp"
#include "protocol/text.hpp"

namespace arena {

using protocol::Result;

Result<Configuration> whole_configuration(Store& store) {
    auto configuration = store.configuration();
    if (!configuration || !configuration->empty()) return configuration;
    const auto entrants = store.entrants();
    if (!entrants) return entrants.error();
    if (entrants->empty()) return configuration;
    // A contest that began meanwhile wrote its configuration before its players.
    configuration = store.configuration();
    if (!configuration || !configuration->empty()) return configuration;
    return bad_input("this is an unfinished copy of a record: remove it and copy again");
}

Result<void> for_each_event(Store& store, const std::function<void(const Event&)>& visit) {
    constexpr std::size_t kEventsAtOnce = 10'000;
    for (std::uint64_t after = 0;;) {
        const auto events = store.events(after, kEventsAtOnce);
        if (!events) return events.error();
        if (events->empty()) return {};
        for (const Event& event : *events) visit(event);
        after = events->back().number;
    }
}

Result<GameRecord> find_game(Store& store, const std::string& record, const KeyPrefix& name) {
    const auto configuration = store.configuration();
    if (!configuration) return configuration.error();
    const bool is_match = setting(*configuration, "format") == arena::name(FormatKind::Match);
    const auto is_meant = [&](const GameKey& key) {
        if (is_match && name.size() == 1)
            return match_number(key) == static_cast<std::uint64_t>(name[0]);
        return begins_with(key, name);
    };
    std::optional<GameRecord> found;
    std::uint64_t games = 0;
    if (const auto key = parse_game_key(to_string(name))) {
        auto game = store.game(*key);
        if (!game) return game.error();
        found = *std::move(game);
        games = found ? 1 : 0;
    } else {
        const auto read = store.for_each_game([&](const GameRecord& game) {
            if (is_meant(game.task.key) && ++games == 1) found = game;
            return true;
        });
        if (!read) return read.error();
    }
    if (games == 1) return *std::move(found);
    if (games == 0) {
        return bad_input("{} has no game {}; nim-arena games {} lists them",
                         protocol::quoted(record), to_string(name),
                         protocol::printable(record));
    }
    return bad_input(
        "{} has {} games whose key begins with {}, such as {}: expected more of it",
        protocol::quoted(record), games, to_string(name), to_string(found->task.key));
}

}  // namespace arena
