#include "arena/base/configuration.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

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

std::string line(const std::string& key, const std::string& recorded, const std::string& now) {
    return fmt::format("{}: the record has {}, now {}\n", protocol::printable(key),
                       shown(key, recorded), shown(key, now));
}

}  // namespace

std::string setting(const Configuration& configuration, std::string_view name) {
    const auto entry =
        std::ranges::find(configuration, name, &Configuration::value_type::first);
    return entry == configuration.end() ? "" : entry->second;
}

std::string difference(const Configuration& recorded, const Configuration& now) {
    std::string lines;
    auto before = recorded.begin();
    auto after = now.begin();
    while (before != recorded.end() || after != now.end()) {
        if (after == now.end() || (before != recorded.end() && before->first < after->first)) {
            lines += line(before->first, before->second, {});
            ++before;
        } else if (before == recorded.end() || after->first < before->first) {
            lines += line(after->first, {}, after->second);
            ++after;
        } else {
            if (before->second != after->second)
                lines += line(before->first, before->second, after->second);
            ++before;
            ++after;
        }
    }
    if (!lines.empty()) lines.pop_back();
    return lines;
}

}  // namespace arena
