#include "arena/grade/grade_files.hpp"

#include <algorithm>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "arena/base/text_table.hpp"
#include "arena/grade/opponents.hpp"
#include "arena/report/exports.hpp"
#include "arena/report/html.hpp"
#include "arena/submissions/submission.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr char kWhy[] = "why 0";
constexpr std::size_t kMostOfWhy = 120;  // bytes, in the table

using Rows = std::vector<std::vector<std::string>>;

// A line for each student, the first for the names of the columns.
Rows grade_rows(const Rubric& rubric, const std::vector<Student>& students) {
    const bool has_elo = !opponents_of(rubric).empty();
    Rows rows(1, {"student"});
    for (const RubricPart& part : rubric.parts) rows.front().push_back(part.name);
    if (has_elo) rows.front().emplace_back("elo");
    rows.front().insert(rows.front().end(), {"total", "of", kWhy});
    for (const Student& student : students) {
        auto& row = rows.emplace_back(1, student.shown_name());
        for (std::size_t i = 0; i < rubric.parts.size(); ++i) {
            row.push_back(points_cell(student.points_of(rubric, i)));
        }
        if (has_elo) row.push_back(student.elo ? fmt::format("{:.0f}", *student.elo) : "");
        row.push_back(points_cell(student.points(rubric)));
        row.push_back(points_label(rubric.points()));
        row.push_back(student.why_zero(rubric));
    }
    return rows;
}

std::string csv_text(const Rows& rows) {
    std::string text;
    for (const auto& row : rows) text += csv_line(row);
    return text;
}

}  // namespace

std::string grades_csv(const Rubric& rubric, const std::vector<Student>& students) {
    return csv_text(grade_rows(rubric, students));
}

std::string canvas_csv(const Rubric& rubric, const std::vector<Student>& students) {
    Rows rows{{"Student", "ID", "SIS User ID", "SIS Login ID", "Section", rubric.name}};
    const bool has_ids = rubric.student == kCanvas;
    for (const Student& student : students) {
        rows.push_back({student.shown_name(), has_ids ? student.id : "", "",
                        has_ids ? "" : student.shown_name(), "",
                        points_cell(student.points(rubric))});
    }
    return csv_text(rows);
}

// The worksheet's feedback is HTML. Moodle skips a grade that has been changed since the time
// of the worksheet.
std::string moodle_csv(const Rubric& rubric, const std::vector<Student>& students,
                       std::time_t now) {
    const bool is_worksheet = rubric.student == kMoodle;
    Rows rows{{"Username", rubric.name, "Feedback comments"}};
    if (is_worksheet)
        rows.front() = {"Identifier", "Full name", "Grade", "Last modified (grade)",
                        "Feedback comments"};
    for (const Student& student : students) {
        const std::string points = points_cell(student.points(rubric));
        const std::string report = report_text(rubric, student);
        if (is_worksheet) {
            rows.push_back({"Participant " + student.id, student.shown_name(), points,
                            fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(now)),
                            fmt::format("<pre>{}</pre>", pages::escaped_lines(report))});
        } else {
            rows.push_back({student.shown_name(), points, report});
        }
    }
    return csv_text(rows);
}

std::string grades_table(const Rubric& rubric, const std::vector<Student>& students) {
    auto rows = grade_rows(rubric, students);
    const bool has_zero = std::ranges::any_of(
        rows.begin() + 1, rows.end(), [](const auto& row) { return !row.back().empty(); });
    for (auto& row : rows) {
        std::string why = protocol::printable(row.back(), kMostOfWhy);
        row.pop_back();
        for (std::string& cell : row) cell = cell.empty() ? "-" : protocol::printable(cell, 40);
        if (has_zero) row.push_back(std::move(why));
    }
    std::vector<std::size_t> left{0};
    if (has_zero) left.push_back(rows.front().size() - 1);
    return aligned(rows, left);
}

}  // namespace arena
