// Reads the keys of a TOML table one by one; errors name line and column.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "protocol/result.hpp"

namespace arena {

// The first error is kept, and given by finish(). A key that is not there has its default.
class TomlKeys {
  public:
    // Both outlive this. `path`: of the file, fit to be shown.
    TomlKeys(const toml::table& table, const std::string& path) : table_(table), path_(path) {}

    std::string text(std::string_view key, bool is_required = false);
    std::vector<std::string> texts(std::string_view key);  // one, or a list
    std::int64_t number(std::string_view key, std::int64_t otherwise, std::int64_t least,
                        std::int64_t most);
    double share(std::string_view key, double otherwise, double most);  // from 0
    bool flag(std::string_view key, bool otherwise);
    // A value that is read elsewhere; null where there is none.
    const toml::node* take(std::string_view key, bool is_required = false);

    // After all keys: an error where something else is there.
    std::optional<protocol::Error> finish();

    void refuse(const toml::node& node, std::string_view key, std::string_view expected);
    // What is wrong with the value of a key that has been read; nothing where it is not there.
    void refuse_value(std::string_view key, const std::string& error);
    protocol::Error at(const toml::node& node, const std::string& text) const;

  private:
    void keep(protocol::Error error);

    const toml::table& table_;
    const std::string& path_;
    std::set<std::string, std::less<>> known_;
    std::optional<protocol::Error> error_;
};

// "FILE, line 3, column 1: …"
protocol::Error toml_error(const toml::source_region& where, const std::string& path,
                           std::string_view text);

}  // namespace arena
