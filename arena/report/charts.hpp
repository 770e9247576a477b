// Charts as inline SVG. Texts are escaped here; colours come from the style of the page.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace arena::pages {

struct Line {
    std::string name;
    std::vector<std::pair<double, double>> points;  // x ascending
};

// Lines in one pair of axes, with their names below it. Of more than eight, the first eight are
// shown, and the script of the page lets the reader choose others. `percent`: y is a share,
// 0..1, and shown as such.
std::string line_chart(const std::string& caption, const std::vector<Line>& lines,
                       bool percent = false);

struct Bar {
    std::string name;
    std::uint64_t count = 0;
};
std::string bar_chart(const std::string& caption, const std::vector<Bar>& bars);

}  // namespace arena::pages
