#include "arena/base/counted.hpp"

#include <fmt/format.h>

namespace arena {

std::string counted(std::uint64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t place = text.size(); place > 3;) {
        place -= 3;
        text.insert(place, 1, ',');
    }
    return text;
}

std::string counted_grouped(std::uint64_t count, std::string_view what) {
    return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "0 %";
    const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
    if (part > 0 && percent < 0.1) return "less than 0.1 %";
    if (part < whole && percent > 99.9) return "more than 99.9 %";
    const bool is_extreme = part > 0 && part < whole && (percent < 1.5 || percent > 98.5);
    return is_extreme ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string listed(const std::vector<std::string>& items, std::string_view joint) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0) text += i + 1 == items.size() ? fmt::format(" {} ", joint) : ", ";
        text += items[i];
    }
    return text;
}

}  // namespace arena
