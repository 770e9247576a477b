#include "arena/grade/rubric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "arena/base/command_line.hpp"
#include "arena/check/family.hpp"
#include "arena/game/given_position.hpp"
#include "arena/game/seeds.hpp"
#include "arena/game/suite.hpp"
#include "arena/players/player_spec.hpp"
#include "arena/submissions/submission.hpp"
#include "arena/submissions/toml_keys.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/heap.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Result;

constexpr std::int64_t kLongestTime = 7 * 24 * 3600;  // seconds
constexpr std::int64_t kMostGames = 10'000;
constexpr std::int64_t kLongestMove = 3'600'000;  // ms

struct KindName {
    std::string_view name;
    PartKind kind;
    std::int64_t games;  // by default; 0: it plays none
};
constexpr std::array kKinds{
    KindName{"check", PartKind::Check, 0},  KindName{"certify", PartKind::Certify, 0},
    KindName{"match", PartKind::Match, 20}, KindName{"error-rate", PartKind::ErrorRate, 100},
    KindName{"time", PartKind::Time, 20},   KindName{"memory", PartKind::Memory, 4},
};

void add_all(std::vector<std::string>& words, const std::string& option,
             const std::vector<std::string>& values) {
    for (const std::string& value : values) {
        words.push_back(option);
        words.push_back(value);
    }
}

// Reads texts that go to nim-arena as values of `option`; `parse` gives a Result.
template <typename Parse>
void read_values(TomlKeys& keys, std::string_view key, RubricPart& part, const Parse& parse) {
    const std::vector<std::string> values = keys.texts(key);
    for (const std::string& value : values) {
        const auto read = parse(value);
        if (read) continue;
        keys.refuse_value(key, fmt::format("{}: {}", protocol::quoted(value),
                                           protocol::describe(read.error())));
    }
    add_all(part.arguments, fmt::format("--{}", key), values);
}

auto parse_start(const std::string& text) { return check_positions({{"position", text}}, ""); }

// The games to play, and the opponents.
void read_games(TomlKeys& keys, const KindName& kind, RubricPart& part) {
    part.opponent = keys.text("opponent", kind.kind == PartKind::Match);
    if (part.opponent.empty()) part.opponent = "builtin:perfect";
    const auto opponent = parse_player(part.opponent);
    if (!opponent) {
        keys.refuse_value("opponent", protocol::describe(opponent.error()));
    } else if (opponent->kind == PlayerKind::Human || opponent->kind == PlayerKind::TcpListen) {
        keys.refuse_value("opponent",
                          fmt::format("read {}, expected a command, tcp://HOST:PORT or "
                                      "builtin:NAME",
                                      protocol::quoted(part.opponent)));
    }
    const auto games = keys.number("games", kind.games, 2, kMostGames);
    if (games % 2 != 0)
        keys.refuse_value("games", "expected an even number: two from each position");
    add_all(part.arguments, "--games", {std::to_string(games)});
    read_values(keys, "position", part, parse_start);
    const auto positions = std::ranges::count(part.arguments, "--position");
    if (games < 2 * positions) {
        keys.refuse_value("position", fmt::format("read {} positions, expected {} at most: two "
                                                  "of the {} games from each",
                                                  positions, games / 2, games));
    }
    const std::string suite = keys.text("suite");
    if (suite.empty()) return;
    const auto read = parse_suite(suite, {});
    const auto drawn =
        read ? try_to_draw(*read, Seeds(0), *engine::make_analyst()) : read.error();
    if (!drawn) keys.refuse_value("suite", protocol::describe(drawn.error()));
    if (positions > 0) keys.refuse_value("suite", "expected `position` or `suite`, not both");
    add_all(part.arguments, "--suite", {suite});
}

void read_limits(TomlKeys& keys, RubricPart& part) {
    if (part.kind == PartKind::ErrorRate) part.bound = keys.flag("bound", false);
    if (part.kind == PartKind::Time) {
        keys.take("within", true);
        part.within = Milliseconds(keys.number("within", 1, 1, kLongestMove));
    }
    if (part.kind != PartKind::Memory) return;
    const auto most = parse_size(keys.text("most", true), 1);
    if (most) part.most = *most;
    if (!most) keys.refuse_value("most", most.error().text);
}

Result<RubricPart> read_part(const toml::table& table, const std::string& path) {
    TomlKeys keys(table, path);
    RubricPart part;
    part.name = keys.text("name", true);
    const std::string name = keys.text("kind", true);
    const auto kind = std::ranges::find(kKinds, name, &KindName::name);
    part.points = keys.share("points", 1, 1e6);
    part.least = keys.share("least", 0, 1);
    part.full = keys.share("full", 1, 1);
    part.bonus = keys.flag("bonus", false);
    part.hidden = keys.flag("hidden", false);
    if (kind == kKinds.end()) {
        keys.refuse_value("kind", "expected check, certify, match, error-rate, time or memory");
    } else {
        part.kind = kind->kind;
        if (kind->games > 0) read_games(keys, *kind, part);
        read_limits(keys, part);
    }
    if (part.kind == PartKind::Certify) {
        read_values(keys, "family", part,
                    [](const std::string& text) { return Family::parse(text); });
        read_values(keys, "position", part, parse_start);
        const auto repeat = keys.number("repeat", 0, 0, 1000);
        if (repeat > 0) add_all(part.arguments, "--repeat", {std::to_string(repeat)});
        if (part.arguments.empty()) keys.take("family", true);
    }
    if (auto error = keys.finish()) return *std::move(error);
    if (part.least < part.full) return part;
    return keys.at(table, fmt::format("{}: expected `least` below `full`", part.name));
}

// The tables of [[KEY]]; an error where it is something else.
Result<std::vector<const toml::table*>> tables_of(const toml::node* node, std::string_view key,
                                                  const TomlKeys& keys) {
    std::vector<const toml::table*> tables;
    if (node == nullptr) return tables;
    const toml::array* list = node->as_array();
    if (list == nullptr || !list->is_array_of_tables()) {
        return keys.at(*node, fmt::format("{0}: expected [[{0}]] and its keys", key));
    }
    for (const toml::node& each : *list) tables.push_back(each.as_table());
    return tables;
}

Result<LanguageRule> read_language(const toml::table& table, const std::string& path) {
    TomlKeys keys(table, path);
    LanguageRule rule{keys.text("file", true), keys.text("build"), keys.text("run", true)};
    if (auto error = keys.finish()) return *std::move(error);
    const auto checked = check_language(rule);
    if (!checked) return keys.at(table, checked.error().text);
    return rule;
}

Result<void> read_parts(TomlKeys& keys, const toml::table& file, const std::string& path,
                        Rubric& rubric) {
    const auto tables = tables_of(keys.take("part"), "part", keys);
    if (!tables) return tables.error();
    if (tables->empty()) return keys.at(file, "expected [[part]] with name, kind and points");
    std::set<std::string> names;
    for (const toml::table* table : *tables) {
        auto part = read_part(*table, path);
        if (!part) return part.error();
        if (!names.insert(part->name).second) {
            return keys.at(*table,
                           fmt::format("read a second part {}, expected different names",
                                       protocol::quoted(part->name)));
        }
        rubric.parts.push_back(*std::move(part));
    }
    return {};
}

Result<void> read_languages(TomlKeys& keys, const std::string& path, Rubric& rubric) {
    const auto tables = tables_of(keys.take("language"), "language", keys);
    if (!tables) return tables.error();
    for (const toml::table* table : *tables) {
        auto rule = read_language(*table, path);
        if (!rule) return rule.error();
        rubric.languages.push_back(*std::move(rule));
    }
    if (!rubric.languages.empty() || !rubric.run.empty()) return {};
    const auto built_in = built_in_languages();
    rubric.languages.assign(built_in.begin(), built_in.end());
    return {};
}

}  // namespace

double Rubric::points() const {
    double points = 0;
    for (const RubricPart& part : parts) points += part.bonus ? 0 : part.points;
    return points;
}

Result<Rubric> read_rubric(std::string_view text, const std::string& path) {
    const std::string shown = protocol::printable(path);
    try {
        const toml::table file = toml::parse(text);
        TomlKeys keys(file, shown);
        Rubric rubric;
        rubric.name = keys.text("name", true);
        rubric.run = keys.text("run");
        rubric.student = keys.text("student");
        const auto rule = check_student_rule(rubric.student);
        if (!rule) keys.refuse_value("student", rule.error().text);
        const auto seed =
            keys.number("seed", 0, 0, static_cast<std::int64_t>(protocol::kMaxNumber));
        if (file.contains("seed")) rubric.seed = static_cast<std::uint64_t>(seed);
        rubric.movetime = keys.number("movetime", 1000, 1, kLongestMove);
        rubric.time = std::chrono::seconds(keys.number("time", 120, 1, kLongestTime));
        rubric.sandbox = keys.flag("sandbox", true);
        rubric.build_time =
            std::chrono::seconds(keys.number("build_time", 300, 1, kLongestTime));
        const auto parts = read_parts(keys, file, shown, rubric);
        const auto languages = read_languages(keys, shown, rubric);
        if (auto error = keys.finish()) return *std::move(error);
        if (!parts) return parts.error();
        if (!languages) return languages.error();
        return rubric;
    } catch (const toml::parse_error& error) {
        return toml_error(error.source(), shown, error.description());
    }
}

double points_for(const RubricPart& part, double share) {
    const double part_of_it =
        std::clamp((share - part.least) / (part.full - part.least), 0.0, 1.0);
    if (part_of_it == 1) return part.points;  // which may have more decimals
    const double cents = part.points * part_of_it * 100;
    const double points = std::round(cents) / 100;
    return points < part.points ? points : std::floor(cents) / 100;
}

}  // namespace arena
