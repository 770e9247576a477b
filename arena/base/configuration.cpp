#include "arena/base/configuration.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::size_t kLongestValue = 200;

// As it is typed: the budget is recorded in milliseconds, 0 if none is given.
std::string shown(const std::string& key, const std::string& value) {
    const bool is_time = key == "budget";
    if (value.empty() || (is_time && value == "0")) return "nothing";
    return protocol::printable(value, kLongestValue) + (is_time ? "ms" : "");
}

}  // namespace

std::string setting(const Configuration& configuration, std::string_view name) {
    const auto entry =
        std::ranges::find(configuration, name, &Configuration::value_type::first);
    return entry == configuration.end() ? "" : entry->second;
}

std::string difference(const Configuration& recorded, const Configuration& now) {
    std::map<std::string, std::array<std::optional<std::string>, 2>> all;  // by name
    for (const auto& [name, value] : recorded) all[name][0] = value;
    for (const auto& [name, value] : now) all[name][1] = value;
    std::vector<std::string> lines;
    for (const auto& [name, values] : all) {
        if (values[0] == values[1]) continue;
        lines.push_back(fmt::format("{}: the record has {}, now {}", protocol::printable(name),
                                    shown(name, values[0].value_or("")),
                                    shown(name, values[1].value_or(""))));
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace arena
