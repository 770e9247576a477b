#include "arena/commands/rubric.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "arena/base/bad_input.hpp"
#include "protocol/heap.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Result;

constexpr std::int64_t kLongestTime = 7 * 24 * 3600;  // seconds
constexpr std::int64_t kMostGames = 100'000;

// Reads the keys of one table. The first error is kept.
class RubricTable {
  public:
    RubricTable(const toml::table& table, const std::string& path)
        : table_(table), path_(path) {}

    std::string text(std::string_view key, bool is_required = false) {
        const toml::node* node = take(key, is_required);
        if (node == nullptr) return {};
        const auto text = node->value_exact<std::string>();
        if (!text || text->empty()) refuse(*node, key, "a text");
        return text.value_or("");
    }
    std::vector<std::string> texts(std::string_view key) {
        const toml::node* node = take(key, false);
        if (node == nullptr) return {};
        if (const auto text = node->value_exact<std::string>()) return {*text};
        std::vector<std::string> list;
        if (const auto* items = node->as_array()) {
            for (const toml::node& item : *items) {
                if (const auto text = item.value_exact<std::string>()) list.push_back(*text);
            }
            if (list.size() == items->size() && !list.empty()) return list;
        }
        refuse(*node, key, "a text, or a list of texts");
        return {};
    }
    std::int64_t number(std::string_view key, std::int64_t otherwise, std::int64_t least,
                        std::int64_t most) {
        const toml::node* node = take(key, false);
        if (node == nullptr) return otherwise;
        const auto number = node->value_exact<std::int64_t>();
        if (number && *number >= least && *number <= most) return *number;
        refuse(*node, key, fmt::format("a whole number {}..{}", least, most));
        return otherwise;
    }
    double share(std::string_view key, double otherwise, double most) {
        const toml::node* node = take(key, false);
        if (node == nullptr) return otherwise;
        const auto number = node->value<double>();
        if (number && *number >= 0 && *number <= most) return *number;
        refuse(*node, key, fmt::format("a number 0..{}", most));
        return otherwise;
    }
    bool flag(std::string_view key, bool otherwise) {
        const toml::node* node = take(key, false);
        if (node == nullptr) return otherwise;
        const auto flag = node->value_exact<bool>();
        if (!flag) refuse(*node, key, "true or false");
        return flag.value_or(otherwise);
    }
    const toml::node* take(std::string_view key, bool is_required) {
        known_.insert(std::string(key));
        const toml::node* node = table_.get(key);
        if (node == nullptr && is_required) {
            keep(at(table_, fmt::format("expected the key {}", protocol::quoted(key))));
        }
        return node;
    }

    // After all keys: what else is there.
    std::optional<Error> finish() {
        for (const auto& [key, node] : table_) {
            const std::string name(key.str());
            if (known_.contains(name)) continue;
            const std::vector<std::string_view> known(known_.begin(), known_.end());
            const std::string_view meant = protocol::nearest(name, known);
            keep(at(node, "unknown key " + protocol::quoted(name) +
                              (meant.empty() ? "" : fmt::format(", did you mean {}?", meant))));
        }
        return error_;
    }

    void refuse(const toml::node& node, std::string_view key, std::string_view expected) {
        keep(at(node, fmt::format("{}: expected {}", key, expected)));
    }
    Error at(const toml::node& node, const std::string& text) const {
        const auto& begin = node.source().begin;
        return bad_input("{}, line {}, column {}: {}", path_, begin.line, begin.column, text);
    }

  private:
    void keep(Error error) {
        if (!error_) error_ = std::move(error);
    }

    const toml::table& table_;
    const std::string& path_;
    std::set<std::string, std::less<>> known_;
    std::optional<Error> error_;
};

void add_all(std::vector<std::string>& words, const std::string& option,
             const std::vector<std::string>& values) {
    for (const std::string& value : values) {
        words.push_back(option);
        words.push_back(value);
    }
}

Result<RubricPart> read_part(const toml::table& table, const std::string& path) {
    RubricTable keys(table, path);
    RubricPart part;
    part.name = keys.text("name", true);
    const std::string kind = keys.text("kind", true);
    part.points = keys.share("points", 1, 1e6);
    part.least = keys.share("least", 0, 1);
    part.full = keys.share("full", 1, 1);
    part.bonus = keys.flag("bonus", false);
    part.hidden = keys.flag("hidden", false);
    if (kind == "certify") {
        part.kind = PartKind::Certify;
        add_all(part.arguments, "--family", keys.texts("family"));
        add_all(part.arguments, "--position", keys.texts("position"));
        const auto repeat = keys.number("repeat", 0, 0, 1000);
        if (repeat > 0) add_all(part.arguments, "--repeat", {std::to_string(repeat)});
    } else if (kind == "match" || kind == "error-rate") {
        const bool is_match = kind == "match";
        part.kind = is_match ? PartKind::Match : PartKind::ErrorRate;
        part.opponent = keys.text("opponent", is_match);
        if (part.opponent.empty()) part.opponent = "builtin:perfect";
        if (!is_match) part.bound = keys.flag("bound", false);
        const auto games = keys.number("games", is_match ? 20 : 100, 2, kMostGames);
        add_all(part.arguments, "--games", {std::to_string(games)});
        add_all(part.arguments, "--position", keys.texts("position"));
        add_all(part.arguments, "--suite", keys.texts("suite"));
    } else if (kind != "check") {
        const toml::node* node = table.get("kind");
        if (node != nullptr) keys.refuse(*node, "kind", "check, certify, match or error-rate");
    }
    if (auto error = keys.finish()) return *std::move(error);
    if (part.least < part.full) return part;
    return keys.at(table, fmt::format("{}: expected `least` below `full`", part.name));
}

Result<void> read_parts(const toml::node* node, const toml::table& file,
                        const std::string& path, Rubric& rubric) {
    const toml::array* parts = node != nullptr ? node->as_array() : nullptr;
    if (parts == nullptr || parts->empty() || !parts->is_array_of_tables()) {
        return RubricTable(file, path)
            .at(node != nullptr ? *node : file, "expected [[part]] with name, kind and points");
    }
    std::set<std::string> names;
    for (const toml::node& each : *parts) {
        auto part = read_part(*each.as_table(), path);
        if (!part) return part.error();
        if (!names.insert(part->name).second) {
            return RubricTable(file, path)
                .at(each, fmt::format("read a second part {}, expected different names",
                                      protocol::quoted(part->name)));
        }
        rubric.parts.push_back(*std::move(part));
    }
    return {};
}

Error syntax_error(const toml::parse_error& error, const std::string& path) {
    return bad_input("{}, line {}, column {}: {}", path, error.source().begin.line,
                     error.source().begin.column, error.description());
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
        RubricTable keys(file, shown);
        Rubric rubric;
        rubric.name = keys.text("name", true);
        rubric.run = keys.text("run");
        rubric.seed = static_cast<std::uint64_t>(
            keys.number("seed", 1, 0, static_cast<std::int64_t>(protocol::kMaxNumber)));
        rubric.movetime = keys.number("movetime", 1000, 1, 3'600'000);
        rubric.time = std::chrono::seconds(keys.number("time", 120, 1, kLongestTime));
        rubric.sandbox = keys.flag("sandbox", true);
        const auto parts = read_parts(keys.take("part", false), file, shown, rubric);
        if (auto error = keys.finish()) return *std::move(error);
        if (!parts) return parts.error();
        return rubric;
    } catch (const toml::parse_error& error) {
        return syntax_error(error, shown);
    }
}

Result<std::string> read_player_file(std::string_view text, const std::string& path) {
    const std::string shown = protocol::printable(path);
    try {
        const toml::table file = toml::parse(text);
        RubricTable keys(file, shown);
        std::string run = keys.text("run", true);
        if (auto error = keys.finish()) return *std::move(error);
        return run;
    } catch (const toml::parse_error& error) {
        return syntax_error(error, shown);
    }
}

double points_for(const RubricPart& part, double share) {
    const double part_of_it =
        std::clamp((share - part.least) / (part.full - part.least), 0.0, 1.0);
    return std::round(part.points * part_of_it * 100) / 100;
}

}  // namespace arena
