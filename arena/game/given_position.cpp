#include "arena/game/given_position.hpp"

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/base/command_line.hpp"
#include "arena/base/files.hpp"
#include "arena/game/referee.hpp"
#include "engine/rules/game.hpp"
#include "protocol/text.hpp"

namespace arena {

namespace {

constexpr std::size_t kMaxRulesetText = 64 * 1024;

}  // namespace

using protocol::Result;

Result<engine::RulesetNames> load_names(const std::string& path) {
    if (path.empty()) return engine::RulesetNames();
    auto loaded = engine::RulesetNames::load(path);
    if (!loaded) return bad_input("--rulesets: {}", protocol::describe(loaded.error()));
    return loaded;
}

Result<GivenPosition> given_position(const std::string& text) {
    return GivenPosition{"--position", protocol::without_blanks(text)};
}

Result<protocol::Position> check_position(const GivenPosition& given,
                                          const engine::RulesetNames& names) {
    auto position = names.read_position(given.text);
    if (!position) return locate(given.source, given.text, position.error());

    for (const protocol::Component& component : position->components) {
        if (component.ruleset.text.size() <= kMaxRulesetText) continue;
        return bad_input("{}: the ruleset {} has {} bytes, expected {} at most", given.source,
                         protocol::quoted(component.ruleset.text),
                         component.ruleset.text.size(), kMaxRulesetText);
    }
    const std::string text = protocol::to_string(*position);
    if (text.size() > kMaxPositionText) {
        return bad_input(
            "{}: the position has {} bytes, expected {} at most, which fit "
            "a line",
            given.source, text.size(), kMaxPositionText);
    }
    const auto game = engine::Game::start(*position, given.text);
    if (!game) return locate(given.source, given.text, game.error());
    return position;
}

Result<std::vector<protocol::Position>> check_positions(const std::vector<GivenPosition>& given,
                                                        const std::string& rulesets) {
    const auto names = load_names(rulesets);
    if (!names) return names.error();
    std::vector<protocol::Position> positions;
    for (const GivenPosition& each : given) {
        auto position = check_position(each, *names);
        if (!position) return position.error();
        positions.push_back(*std::move(position));
    }
    return positions;
}

Result<std::vector<GivenPosition>> read_positions(const std::string& path) {
    const auto text = read_file(path);
    if (!text) return text.error();
    std::vector<GivenPosition> positions;
    std::string_view rest = *text;
    for (std::size_t number = 1; !rest.empty(); ++number) {
        const auto end = rest.find('\n');
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        line = protocol::trim(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        positions.push_back({fmt::format("{}, line {}", protocol::quoted(path), number),
                             protocol::without_blanks(line)});
    }

    if (!positions.empty()) return positions;
    return bad_input("{} has no position, expected one a line", protocol::quoted(path));
}

}  // namespace arena
