#include "arena/submissions/toml_keys.hpp"

#include <utility>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {

using protocol::Error;

std::string TomlKeys::text(std::string_view key, bool is_required) {
    const toml::node* node = take(key, is_required);
    if (node == nullptr) return {};
    const auto text = node->value_exact<std::string>();
    if (!text || text->find('\0') != text->npos) refuse(*node, key, "a text");
    if (text && text->empty()) refuse(*node, key, "a text that is not empty");
    return text.value_or("");
}

std::vector<std::string> TomlKeys::texts(std::string_view key) {
    const toml::node* node = take(key);
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

std::int64_t TomlKeys::number(std::string_view key, std::int64_t otherwise, std::int64_t least,
                              std::int64_t most) {
    const toml::node* node = take(key);
    if (node == nullptr) return otherwise;
    const auto number = node->value_exact<std::int64_t>();
    if (number && *number >= least && *number <= most) return *number;
    refuse(*node, key, fmt::format("a whole number {}..{}", least, most));
    return otherwise;
}

double TomlKeys::share(std::string_view key, double otherwise, double most) {
    const toml::node* node = take(key);
    if (node == nullptr) return otherwise;
    const auto number = node->value<double>();
    if (number && *number >= 0 && *number <= most) return *number;
    refuse(*node, key, fmt::format("a number 0..{}", most));
    return otherwise;
}

bool TomlKeys::flag(std::string_view key, bool otherwise) {
    const toml::node* node = take(key);
    if (node == nullptr) return otherwise;
    const auto flag = node->value_exact<bool>();
    if (!flag) refuse(*node, key, "true or false");
    return flag.value_or(otherwise);
}

const toml::node* TomlKeys::take(std::string_view key, bool is_required) {
    known_.insert(std::string(key));
    const toml::node* node = table_.get(key);
    if (node == nullptr && is_required) {
        keep(at(table_, fmt::format("expected the key {}", protocol::quoted(key))));
    }
    return node;
}

std::optional<Error> TomlKeys::finish() {
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

void TomlKeys::refuse(const toml::node& node, std::string_view key, std::string_view expected) {
    keep(at(node, fmt::format("{}: expected {}", key, expected)));
}

void TomlKeys::refuse_value(std::string_view key, const std::string& error) {
    const toml::node* node = table_.get(key);
    if (node != nullptr) keep(at(*node, fmt::format("{}: {}", key, error)));
}

Error TomlKeys::at(const toml::node& node, const std::string& text) const {
    return toml_error(node.source(), path_, text);
}

void TomlKeys::keep(Error error) {
    if (!error_) error_ = std::move(error);
}

Error toml_error(const toml::source_region& where, const std::string& path,
                 std::string_view text) {
    return bad_input("{}, line {}, column {}: {}", path, where.begin.line, where.begin.column,
                     text);
}

}  // namespace arena
