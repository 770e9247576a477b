#include "arena/record/find_game.hpp"

#include <optional>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/contest/format.hpp"
#include "protocol/text.hpp"

namespace arena {

using protocol::Result;

Result<StoredGame> find_game(Store& store, const std::string& record, const KeyPrefix& name) {
    const auto configuration = store.configuration();
    if (!configuration) return configuration.error();
    const bool is_match = setting(*configuration, "format") == arena::name(FormatKind::Match);
    const auto is_meant = [&](const GameKey& key) {
        if (is_match && name.size() == 1)
            return match_number(key) == static_cast<std::uint64_t>(name[0]);
        return begins_with(key, name);
    };
    std::optional<StoredGame> found;
    std::uint64_t games = 0;
    if (const auto key = parse_game_key(to_string(name))) {
        auto game = store.game(*key);
        if (!game) return game.error();
        found = *std::move(game);
        games = found ? 1 : 0;
    } else {
        const auto read = store.for_each_game([&](const StoredGame& game) {
            if (is_meant(game.record.task.key) && ++games == 1) found = game;
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
        protocol::quoted(record), games, to_string(name), to_string(found->record.task.key));
}

}  // namespace arena
