#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arena/report/html.hpp"

namespace arena::pages {
namespace {

// Narrow screens show the texts in about twice this size (style.css), so there is room for
// that.
constexpr double kWidth = 720, kHeight = 280;
constexpr double kLeft = 60, kRight = 12, kTop = 14, kBottom = 32;
constexpr std::size_t kColours = 8;
constexpr std::size_t kNarrowLabels = 6;  // of bars, that a narrow screen has room for

struct Range {
    double low = 0;
    double high = 1;
};

// A step of 1, 2 or 5 times a power of ten that gives about `count` of them.
double nice_step(const Range& range, int count) {
    const double rough = (range.high - range.low) / count;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough) return factor * power;
    }
    return 10 * power;
}

struct Frame {
    Range x, y;

    double column(double value) const {
        return kLeft + (value - x.low) / (x.high - x.low) * (kWidth - kLeft - kRight);
    }
    double row(double value) const {
        return kHeight - kBottom -
               (value - y.low) / (y.high - y.low) * (kHeight - kTop - kBottom);
    }
};

Range widened(Range range) {
    if (range.high > range.low) return range;
    return {range.low - 1, range.high + 1};
}

Frame frame_of(const std::vector<Line>& lines, bool percent) {
    Frame frame{{1e300, -1e300}, {1e300, -1e300}};
    for (const Line& line : lines) {
        for (const auto& [x, y] : line.points) {
            frame.x = {std::min(frame.x.low, x), std::max(frame.x.high, x)};
            frame.y = {std::min(frame.y.low, y), std::max(frame.y.high, y)};
        }
    }
    frame.x = widened(frame.x);
    frame.y = percent ? Range{0, 1} : widened(frame.y);
    return frame;
}

// A label that a narrow screen leaves out.
std::string_view minor(bool is_minor) { return is_minor ? " class=\"minor\"" : ""; }

std::string axes(const Frame& frame, bool percent) {
    std::string svg;
    const double step = nice_step(frame.y, 4);
    for (double y = std::ceil(frame.y.low / step) * step; y <= frame.y.high + step / 1e6;
         y += step) {
        const double row = frame.row(y);
        svg += fmt::format(
            "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", kLeft,
            kWidth - kRight, row, row);
        const std::string text = percent ? fmt::format("{:.0f} %", y * 100)
                                         : fmt::format("{:.6g}", std::abs(y) < 1e-9 ? 0 : y);
        svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                           kLeft - 6, row + 4, text);
    }
    bool is_minor = false;
    const double across = std::max(1.0, nice_step(frame.x, 8));
    for (double x = std::ceil(frame.x.low / across) * across; x <= frame.x.high; x += across) {
        svg += fmt::format("<text{} x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.6g}</text>",
                           minor(is_minor), frame.column(x), kHeight - 6, x);
        is_minor = !is_minor;
    }
    return svg;
}

std::string svg_head(const char* kind, const std::string& caption) {
    return fmt::format(
        "<figure class=\"{}\"><figcaption>{}</figcaption>\n<svg viewBox=\"0 0 {} {}\" "
        "role=\"img\" aria-label=\"{}\">",
        kind, escaped(caption), kWidth, kHeight, escaped(caption));
}

}  // namespace

std::string line_chart(const std::string& caption, const std::vector<Line>& lines,
                       bool percent) {
    const Frame frame = frame_of(lines, percent);
    std::string svg = svg_head("lines", caption) + axes(frame, percent);
    std::string legend;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const char* off = i < kColours ? "" : " off";
        std::string points;
        for (const auto& [x, y] : lines[i].points) {
            points += fmt::format("{:.1f},{:.1f} ", frame.column(x), frame.row(y));
        }
        svg += fmt::format("<polyline class=\"line s{}{}\" points=\"{}\"/>", i % kColours, off,
                           points);
        legend += fmt::format("<li class=\"s{}{}\"><i></i><span>{}</span></li>", i % kColours,
                              off, escaped(lines[i].name));
    }
    svg += "</svg>\n";
    if (lines.size() > 1) svg += "<ul class=\"legend\">" + legend + "</ul>\n";
    return svg + "</figure>\n";
}

std::string bar_chart(const std::string& caption, const std::vector<Bar>& bars) {
    std::uint64_t most = 1;
    for (const Bar& bar : bars) most = std::max(most, bar.count);
    const std::size_t step = (bars.size() + kNarrowLabels - 1) / kNarrowLabels;
    Frame frame{{0, static_cast<double>(std::max<std::size_t>(bars.size(), 1))},
                {0, static_cast<double>(most)}};
    std::string svg = svg_head("bars", caption);
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double left = frame.column(static_cast<double>(i));
        const double width = frame.column(static_cast<double>(i) + 1) - left;
        const double top = frame.row(static_cast<double>(bars[i].count));
        svg += fmt::format(
            "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
            "<title>{}: {}</title></rect>",
            left + width * 0.1, top, width * 0.8, kHeight - kBottom - top,
            escaped(bars[i].name), bars[i].count);
        if (bars[i].count > 0 && bars.size() <= 24) {
            svg += fmt::format(
                "<text{} x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                minor(bars[i].count < most), left + width / 2, std::max(top - 3, 9.0),
                bars[i].count);
        }
        svg += fmt::format("<text{} x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                           minor(i % step != 0), left + width / 2, kHeight - 6,
                           escaped(bars[i].name));
    }
    return svg + "</svg></figure>\n";
}

}  // namespace arena::pages
