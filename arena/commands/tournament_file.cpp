#include "arena/commands/tournament.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "arena/base/shell_words.hpp"
#include "arena/players/player_spec.hpp"
#include "arena/submissions/bot_folder.hpp"
#include "arena/submissions/toml_keys.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::nearest;
using protocol::Result;

class Reader {
  public:
    Reader(std::string path, std::span<const OptionText> options)
        : path_(std::move(path)), options_(options) {}

    Result<std::vector<Argument>> read(const toml::table& file) {
        for (const auto& [key, node] : file) {
            const bool is_table = key.str() == "player" || key.str() == "language";
            const auto done =
                is_table ? add_tables(std::string(key), node) : add(key.str(), node);
            if (!done) return done.error();
        }
        // In the order of the file, because the TOML library sorts keys; players last.
        return std::move(arguments_);
    }

    Error refuse(const toml::source_region& where, const std::string& text) const {
        return toml_error(where, path_, text);
    }

  private:
    Result<void> add(std::string_view key, const toml::node& node) {
        const auto option = std::ranges::find_if(
            options_, [&](const OptionText& known) { return known.name == key; });
        if (option == options_.end()) return refuse_key(key, node);
        const std::string name(key);
        if (option->value == nullptr) {
            const auto value = node.value_exact<bool>();
            if (!value) return refuse(node.source(), name + ": expected true or false");
            if (*value) arguments_.push_back({name, {}});
            return {};
        }
        if (const auto* list = node.as_array()) {
            if (!option->repeats) return refuse(node.source(), name + ": expected one value");
            if (list->empty())
                return refuse(node.source(), name + ": expected at least one value");
            for (const toml::node& item : *list) {
                const auto done = add_value(name, item);
                if (!done) return done;
            }
            return {};
        }
        return add_value(name, node);
    }

    Result<void> add_value(const std::string& name, const toml::node& node) {
        auto text = value_of(node);
        if (!text) return refuse(node.source(), name + ": expected a string or a whole number");
        arguments_.push_back({name, *std::move(text)});
        return {};
    }

    static std::optional<std::string> value_of(const toml::node& node) {
        if (const auto text = node.value_exact<std::string>()) return text;
        if (const auto number = node.value_exact<std::int64_t>())
            return std::to_string(*number);
        return std::nullopt;
    }

    Error refuse_key(std::string_view key, const toml::node& node) const {
        std::vector<std::string_view> known{"player", "language"};
        for (const OptionText& option : options_) known.emplace_back(option.name);
        const std::string_view meant = nearest(key, known);
        std::string text = "unknown key " + protocol::quoted(key);
        if (!meant.empty()) text += ", did you mean " + std::string(meant) + "?";
        return refuse(node.source(), text);
    }

    // [[player]] and [[language]]: the keys of each as one argument.
    Result<void> add_tables(const std::string& name, const toml::node& node) {
        const auto* tables = node.as_array();
        if (tables == nullptr || !tables->is_array_of_tables())
            return refuse(node.source(), name + ": expected [[" + name + "]] and its keys");
        for (const toml::node& table : *tables) {
            std::string keys;
            std::vector<KeyPlace> places;
            const auto done = add_keys(keys, places, "", *table.as_table());
            if (!done) return done;
            if (name == "player") {
                keys = with_command(std::move(keys));
                const auto spec = parse_player_keys(keys);
                if (!spec) return refuse_player(spec.error(), places, table);
            } else if (const auto read = parse_language(keys); !read) {
                return refuse(table.source(), "language: " + read.error().text);
            }
            arguments_.push_back({name, std::move(keys)});
        }
        return {};
    }

    // The place in the file of a player's key, which begins at `start` of the --player text.
    struct KeyPlace {
        std::size_t start;
        toml::source_region source;
    };

    Error refuse_player(const Error& error, const std::vector<KeyPlace>& places,
                        const toml::node& player) const {
        const toml::source_region* where = &player.source();
        for (const KeyPlace& place : places) {
            if (place.start < error.column) where = &place.source;  // columns count from 1
        }
        return refuse(*where, "player: " + error.text);
    }

    // "name=Ann option.Hash=16"; a table becomes a prefix; true and false become on and off.
    Result<void> add_keys(std::string& keys, std::vector<KeyPlace>& places,
                          const std::string& prefix, const toml::table& table) {
        for (const auto& [key, node] : table) {
            const std::string name = prefix + std::string(key.str());
            if (const auto* inner = node.as_table()) {
                const auto done = add_keys(keys, places, name + ".", *inner);
                if (!done) return done;
                continue;
            }
            auto value = value_of(node);
            if (const auto choice = node.value_exact<bool>()) {
                // Options are for the bot: true stays true.
                const bool sent = prefix == "option.";
                value = *choice ? (sent ? "true" : "on") : (sent ? "false" : "off");
            }
            if (!value) return refuse(node.source(), name + ": expected a string or a number");
            if (!keys.empty()) keys += ' ';
            places.push_back({keys.size(), node.source()});
            keys += shell_word(name + "=" + *value);
        }
        return {};
    }

    std::string path_;
    std::span<const OptionText> options_;
    std::vector<Argument> arguments_;
};

}  // namespace

Result<std::vector<Argument>> read_tournament_file(std::string_view text,
                                                   const std::string& path,
                                                   std::span<const OptionText> options) {
    Reader reader(protocol::printable(path), options);
    try {
        return reader.read(toml::parse(text));
    } catch (const toml::parse_error& error) {
        return reader.refuse(error.source(), std::string(error.description()));
    }
}

}  // namespace arena
