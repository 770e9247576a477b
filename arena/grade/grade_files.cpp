#include "arena/grade/grade_files.hpp"

#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "arena/contest/elo.hpp"
#include "arena/game/game_record.hpp"
#include "arena/report/html.hpp"

namespace arena {
namespace {

namespace json = boost::json;

std::string escaped_lines(std::string_view text) {
    std::string escaped;
    for (const std::string& line : split_printable(text))
        escaped += pages::escaped(line) + "\n";
    return escaped;
}

std::string title_of(const RubricPart& part) {
    return part.name + (part.bonus ? " (bonus)" : "");
}

json::array leaderboard(const Rubric& rubric, const Student& student) {
    json::array rows{json::object{{"name", "Points"}, {"value", student.points(rubric)}}};
    if (student.elo) {
        rows.push_back(json::object{{"name", "Elo"}, {"value", std::round(*student.elo)}});
    }
    for (std::size_t i = 0; i < rubric.parts.size(); ++i) {
        const auto& rate = student.parts[i].error_rate;
        if (!rate || rubric.parts[i].hidden) continue;
        rows.push_back(json::object{{"name", rubric.parts[i].name + ": ε"},
                                    {"value", std::round(*rate * 1e4) / 1e4},
                                    {"order", "asc"}});
    }
    return rows;
}

// Heading, points and reason of a part, and a link to its games.
std::string page_section(const RubricPart& part, const PartGrade& grade, double points,
                         const std::string& games) {
    std::string text = fmt::format(
        "<section>\n<h2>{}</h2>\n<p><b>{}</b> of {} points "
        "<meter min=\"0\" max=\"{}\" value=\"{}\"></meter></p>\n<pre>{}</pre>\n",
        pages::escaped(title_of(part)), points_label(points), points_label(part.points),
        part.points, points, escaped_lines(grade.reason));
    if (!games.empty()) {
        text += fmt::format(
            "<p><a href=\"{}\">The games</a>, move by move, and where they were lost.</p>\n",
            pages::escaped(games));
    }
    return text + "</section>\n";
}

}  // namespace

PartGrade ungraded(std::string reason) {
    PartGrade grade;
    grade.reason = std::move(reason);
    return grade;
}

double Student::points_of(const Rubric& rubric, std::size_t i) const {
    return parts[i].is_graded ? points_for(rubric.parts[i], parts[i].share) : 0;
}

double Student::points(const Rubric& rubric) const {
    double sum = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) sum += points_of(rubric, i);
    return std::round(sum * 100) / 100;
}

std::string elo_sentence(const Student& student) {
    if (!student.elo) return {};
    return fmt::format("Elo {}, where the opponents have 0 on average", elo_text(*student.elo));
}

std::string points_label(double points) { return fmt::format("{:g}", points); }

std::string gradescope_text(const Rubric& rubric, const Student& student) {
    json::array tests;
    for (std::size_t i = 0; i < rubric.parts.size(); ++i) {
        const RubricPart& part = rubric.parts[i];
        const double points = student.points_of(rubric, i);
        tests.push_back(json::object{{"name", part.name},
                                     {"score", points},
                                     {"max_score", part.points},
                                     {"status", points >= part.points ? "passed" : "failed"},
                                     {"output", student.parts[i].reason},
                                     {"visibility", part.hidden ? "hidden" : "visible"}});
    }
    const json::object results{{"score", student.points(rubric)},
                               {"tests", std::move(tests)},
                               {"leaderboard", leaderboard(rubric, student)}};
    return json::serialize(results) + "\n";
}

std::string classroom_text(const Rubric& rubric, const Student& student) {
    json::array tests;
    bool is_full = true;
    for (std::size_t i = 0; i < rubric.parts.size(); ++i) {
        const RubricPart& part = rubric.parts[i];
        const double points = student.points_of(rubric, i);
        is_full = is_full && (part.bonus || points >= part.points);
        tests.push_back(json::object{{"name", part.hidden ? "Hidden part" : title_of(part)},
                                     {"status", points >= part.points ? "pass" : "fail"},
                                     {"message", part.hidden ? "" : student.parts[i].reason},
                                     {"score", points}});
    }
    const json::object results{{"version", 1},
                               {"status", is_full ? "pass" : "fail"},
                               {"max_score", rubric.points()},
                               {"tests", std::move(tests)}};
    return json::serialize(results) + "\n";
}

// A test case a part, failed where some of its points are missing.
std::string junit_text(const Rubric& rubric, const Student& student) {
    std::string cases;
    int failures = 0;
    for (std::size_t i = 0; i < rubric.parts.size(); ++i) {
        const RubricPart& part = rubric.parts[i];
        const double points = student.points_of(rubric, i);
        cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\">",
                             pages::escaped(student.name), pages::escaped(part.name));
        if (points < part.points) {
            ++failures;
            cases += fmt::format("<failure message=\"{} of {} points\">{}</failure>",
                                 points_label(points), points_label(part.points),
                                 escaped_lines(student.parts[i].reason));
        }
        cases += "</testcase>\n";
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n{}</testsuite>\n",
        pages::escaped(rubric.name), rubric.parts.size(), failures, cases);
}

std::string report_text(const Rubric& rubric, const Student& student) {
    std::string text = fmt::format("{}: {}\n", rubric.name, student.name);
    if (student.elo) text += elo_sentence(student) + "\n";
    for (std::size_t i = 0; i < rubric.parts.size(); ++i) {
        const RubricPart& part = rubric.parts[i];
        if (part.hidden) continue;
        text +=
            fmt::format("\n{}: {} of {} points\n", title_of(part),
                        points_label(student.points_of(rubric, i)), points_label(part.points));
        for (const std::string& line : split_printable(student.parts[i].reason)) {
            text += fmt::format("    {}\n", line);
        }
    }
    return text;
}

// Its total is of the parts that are shown: with the others it would tell what they gave.
std::string student_page(const Rubric& rubric, const Student& student,
                         const std::vector<std::string>& games) {
    std::string sections;
    double points = 0;
    double reachable = 0;
    bool hides = false;
    for (std::size_t i = 0; i < rubric.parts.size(); ++i) {
        const RubricPart& part = rubric.parts[i];
        hides = hides || part.hidden;
        if (part.hidden) continue;
        const double earned = student.points_of(rubric, i);
        points += earned;
        reachable += part.bonus ? 0 : part.points;
        sections += page_section(part, student.parts[i], earned, games[i]);
    }
    const std::string elo = student.elo ? "; " + elo_sentence(student) : "";
    const std::string body = fmt::format(
        "<h1>{}</h1>\n<p>{}: <b>{}</b> of {} points{}{}</p>\n{}", pages::escaped(rubric.name),
        pages::escaped(student.name), points_label(points), points_label(reachable),
        hides ? ", without hidden parts" : "", pages::escaped(elo), sections);
    return pages::document(fmt::format("{}: {}", rubric.name, student.name), body);
}

}  // namespace arena
