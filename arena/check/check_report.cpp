#include "arena/check/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <string_view>

#include "protocol/text.hpp"

namespace arena {
namespace {

namespace json = boost::json;

constexpr std::size_t kShownLine = 200;  // bytes
constexpr std::size_t kStderrLines = 10;
constexpr std::size_t kStderrLinesOfNote = 3;  // what a bot can do without is told shortly
constexpr std::size_t kNamedPoints = 6;        // on one line

// In the order of PointVerdict: as shown, and the JSON key "result".
constexpr std::array<std::string_view, 4> kShown{"ok", "FAILED", "note", "not checked"};
constexpr std::array<std::string_view, 4> kKeys{"ok", "failed", "note", "not-checked"};

std::string_view word(const std::array<std::string_view, 4>& words, PointVerdict verdict) {
    return words[static_cast<std::size_t>(verdict)];
}

std::string shown(const SaidLine& line) {
    std::string text = protocol::printable(line.text, kShownLine);
    if (line.bytes > kShownLine) text += fmt::format(" ({} bytes)", line.bytes);
    return text;
}

void add_row(std::string& text, std::string_view what, std::string_view value) {
    text += fmt::format("             {:<10}{}\n", what, value);
}

// Python marks a place in the line above: that tells nothing alone.
bool is_marker(std::string_view line) {
    return !protocol::trim(line).empty() && line.find_first_not_of(" ~^") == line.npos;
}

std::vector<std::string> stderr_lines(const PointResult& point) {
    if (point.verdict == PointVerdict::Failed)
        return last_lines(point.stderr_tail, kStderrLines, kShownLine);
    auto lines = split_printable(point.stderr_tail);
    std::erase_if(lines, is_marker);
    return last_lines(fmt::format("{}", fmt::join(lines, "\n")), kStderrLinesOfNote,
                      kShownLine);
}

void add_trouble(std::string& text, const PointResult& point) {
    for (const SaidLine& line : point.lines) {
        add_row(text, line.sent ? "sent" : "received", shown(line));
    }
    if (!point.lines.empty() && point.lines.back().sent) add_row(text, "received", "nothing");
    if (!point.expected.empty()) add_row(text, "expected", point.expected);
    if (!point.same_as.empty())
        return add_row(text, "to do", fmt::format("as at {}", point.same_as));
    if (point.verdict == PointVerdict::Failed || point.gave_up) {
        for (const std::string& line : stderr_lines(point)) add_row(text, "stderr", line);
    }
    if (!point.fix.empty()) add_row(text, "to do", point.fix);
}

std::size_t count(const CheckReport& report, PointVerdict verdict) {
    return static_cast<std::size_t>(
        std::ranges::count(report.points, verdict, &PointResult::verdict));
}

// Of points with one reason.
std::string line_of_not_checked(const std::vector<PointResult>& points) {
    if (points.size() == 1) return to_text(points.front());
    std::vector<std::string_view> ids;
    for (const PointResult& point : points) ids.push_back(point.id);
    const std::string names =
        ids.size() <= kNamedPoints
            ? fmt::format("{}", fmt::join(ids, ", "))
            : fmt::format("{} to {}, {} points", ids.front(), ids.back(), ids.size());
    return fmt::format("{:<12} {}: {}\n", word(kShown, PointVerdict::NotChecked), names,
                       points.front().detail);
}

json::object object_of(const PointResult& point) {
    json::object object{{"point", point.id},      {"title", point.title},
                        {"needed", point.needed}, {"result", word(kKeys, point.verdict)},
                        {"detail", point.detail}, {"time_ms", point.time.count()}};
    if (point.verdict == PointVerdict::NotChecked) object["excused"] = point.excused;
    if (point.verdict != PointVerdict::Failed && point.verdict != PointVerdict::Note)
        return object;
    json::array lines;
    for (const SaidLine& line : point.lines) {
        lines.push_back(json::object{{line.sent ? "sent" : "received", shown(line)}});
    }
    const auto errors = last_lines(point.stderr_tail, kStderrLines, kShownLine);
    object["lines"] = std::move(lines);
    object["expected"] = point.expected;
    object["fix"] = point.fix;
    object["stderr"] = json::array(errors.begin(), errors.end());
    return object;
}

}  // namespace

bool has_passed(const CheckReport& report) {
    return report.started && count(report, PointVerdict::Failed) == 0;
}

std::string to_text(const PointResult& point) {
    std::string text =
        fmt::format("{:<12} {:<17} {}", word(kShown, point.verdict), point.id, point.title);
    if (!point.detail.empty()) text += ": " + point.detail;
    text += '\n';
    const bool is_note = point.verdict == PointVerdict::Note;
    const bool shows_lines = point.gave_up || !point.expected.empty();
    if (point.verdict == PointVerdict::Failed || (is_note && shows_lines)) {
        add_trouble(text, point);
    } else if (is_note && !point.fix.empty()) {
        add_row(text, "to do", point.fix);
    }
    return text;
}

std::string not_checked_text(const CheckReport& report) {
    if (!report.started) return {};
    std::vector<std::vector<PointResult>> by_reason;
    for (const PointResult& point : report.points) {
        if (point.verdict != PointVerdict::NotChecked) continue;
        auto same = std::ranges::find_if(by_reason, [&](const auto& points) {
            return points.front().detail == point.detail;
        });
        if (same == by_reason.end()) same = by_reason.emplace(same);
        same->push_back(point);
    }
    std::string text;
    for (const auto& points : by_reason) text += line_of_not_checked(points);
    return text;
}

std::string to_text(const CheckReport& report) {
    std::string text;
    for (const PointResult& point : report.points) {
        if (point.verdict != PointVerdict::NotChecked) text += to_text(point);
    }
    return text + not_checked_text(report) + summary_text(report);
}

std::string summary_text(const CheckReport& report) {
    const std::size_t failed = count(report, PointVerdict::Failed);
    return fmt::format("{}: {} ok, {} failed, {} {}, {} not checked\n",
                       has_passed(report) ? "passed" : "FAILED",
                       count(report, PointVerdict::Ok), failed,
                       count(report, PointVerdict::Note),
                       count(report, PointVerdict::Note) == 1 ? "note" : "notes",
                       count(report, PointVerdict::NotChecked));
}

std::string to_json(const CheckReport& report) {
    json::array points;
    for (const PointResult& point : report.points) points.push_back(object_of(point));
    json::object object{
        {"player", protocol::printable(report.player)},
        {"name", nullptr},
        {"seed", report.seed},
        {"startup_ms", nullptr},
        {"passed", has_passed(report)},
        {"starved", std::ranges::any_of(report.points, &PointResult::is_starved)},
        {"points", std::move(points)}};
    if (!report.name.empty()) object["name"] = protocol::printable(report.name);
    if (report.started) object["startup_ms"] = report.startup.count();
    return json::serialize(object) + "\n";
}

}  // namespace arena
