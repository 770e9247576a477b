#include "arena/grade/grade_files.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json.hpp>

#include "arena/contest/elo.hpp"
#include "arena/game/game_record.hpp"
#include "arena/report/html.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace json = boost::json;

std::string title_of(const RubricPart& part) {
    return part.name + (part.bonus ? " (bonus)" : "");
}

json::array leaderboard(const Rubric& rubric, const Student& student) {
    json::array rows;
    if (const auto points = student.points(rubric)) {
        rows.push_back(json::object{{"name", "Points"}, {"value", *points}});
    }
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

constexpr std::string_view kNotGraded = "not graded";
constexpr std::string_view kNoVerdict =
    "Not all parts could be graded, so there are no points yet. That is no verdict on your "
    "submission: the grader failed or had no time left, and your instructor sees why.";

// " (none up to a share of 30 %, all from 50 % on)"; empty if each share has its part of the
// points.
std::string scale_text(const RubricPart& part) {
    if (part.least == 0 && part.full == 1) return {};
    return fmt::format(" (none up to a share of {:g} %, all from {:g} % on)", 100 * part.least,
                       100 * part.full);
}

// "7.5 of 10 points", and how they follow from the share.
std::string points_sentence(const RubricPart& part, std::optional<double> points) {
    if (!points) return std::string(kNotGraded);
    return fmt::format("{} of {} points{}", points_label(*points), points_label(part.points),
                       scale_text(part));
}

// Heading, points and reason of a part, and a link to its games.
std::string page_section(const RubricPart& part, const PartGrade& grade,
                         std::optional<double> points, const std::string& games) {
    std::string text =
        fmt::format("<section>\n<h2>{}</h2>\n<p>", pages::escaped(title_of(part)));
    if (points) {
        text += fmt::format(
            "<b>{}</b> of {} points <meter min=\"0\" max=\"{}\" value=\"{}\"></meter>{}",
            points_label(*points), points_label(part.points), part.points, *points,
            scale_text(part));
    } else {
        text += kNotGraded;
    }
    text += fmt::format("</p>\n<pre>{}</pre>\n", pages::escaped_lines(grade.reason));
    if (!games.empty()) {
        text += fmt::format(
            "<p><a href=\"{}\">The games</a>, move by move, and where they were lost.</p>\n",
            pages::escaped(games));
    }
    return text + "</section>\n";
}

// Sums of a rubric's points are not exact.
double exact(double points) {
    constexpr double kFraction = 1e6;
    return std::round(points * kFraction) / kFraction;
}

// The first words of a reason, before what it tells exactly: "found no bot". The name of a file
// alone says nothing.
std::string beginning_of(std::string_view reason) {
    constexpr std::size_t kMost = 60;  // bytes
    reason = reason.substr(0, reason.find('\n'));
    const auto second_word = reason.find(' ') + 1;
    for (const std::string_view end : {": ", "; ", ", ", " ("})
        reason = reason.substr(0, reason.find(end, second_word));
    return protocol::printable(reason, kMost);
}

}  // namespace

PartGrade graded(double share, std::string reason) { return {true, share, std::move(reason)}; }

PartGrade ungraded(const std::string& why) { return {false, 0, "not graded: " + why}; }

std::string Student::shown_name() const { return protocol::printable(name); }

bool Student::is_graded() const { return std::ranges::all_of(parts, &PartGrade::is_graded); }

std::optional<double> Student::points_of(const Rubric& rubric, std::size_t i) const {
    if (!parts[i].is_graded) return std::nullopt;
    return points_for(rubric.parts[i], parts[i].share);
}

std::optional<double> Student::points(const Rubric& rubric) const {
    double sum = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto points = points_of(rubric, i);
        if (!points) return std::nullopt;
        sum += *points;
    }
    return exact(sum);
}

std::string Student::why_zero(const Rubric& rubric) const {
    std::vector<std::pair<std::string, std::vector<std::string>>> reasons;  // and their parts
    std::size_t counted = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (rubric.parts[i].points == 0) continue;
        ++counted;
        if (points_of(rubric, i) != 0) continue;
        std::string reason =
            parts[i].brief.empty() ? beginning_of(parts[i].reason) : parts[i].brief;
        auto known = std::ranges::find(reasons, reason, [](auto& any) { return any.first; });
        if (known == reasons.end()) known = reasons.insert(known, {std::move(reason), {}});
        known->second.push_back(rubric.parts[i].name);
    }
    if (reasons.size() == 1 && reasons[0].second.size() == counted) return reasons[0].first;
    std::vector<std::string> told;
    for (const auto& [reason, names] : reasons)
        told.push_back(fmt::format("{}: {}", fmt::join(names, ", "), reason));
    return fmt::format("{}", fmt::join(told, "; "));
}

std::string elo_sentence(const Student& student) {
    if (!student.elo) return {};
    return fmt::format("Elo {}, where the opponents have 0 on average", elo_text(*student.elo));
}

std::string points_label(double points) { return fmt::format("{}", exact(points)); }

std::string points_cell(std::optional<double> points) {
    return points ? points_label(*points) : "";
}

// Gradescope adds up the scores of tests where there is no other: with a part that is not
// graded, no test may have one. The cause is the arena's own, and so for instructors alone.
std::string gradescope_text(const Rubric& rubric, const Student& student) {
    const bool is_graded = student.is_graded();
    json::array tests;
    std::string causes;
    for (std::size_t i = 0; i < rubric.parts.size(); ++i) {
        const RubricPart& part = rubric.parts[i];
        const PartGrade& grade = student.parts[i];
        const auto points = student.points_of(rubric, i);
        json::object test{{"name", part.name},
                          {"max_score", part.points},
                          {"output", points ? grade.reason : std::string(kNotGraded)},
                          {"visibility", part.hidden ? "hidden" : "visible"}};
        if (is_graded) {
            test["score"] = *points;
            test["status"] = *points >= part.points ? "passed" : "failed";
        }
        tests.push_back(std::move(test));
        if (!points) causes += fmt::format("{}: {}\n", part.name, grade.reason);
    }
    std::string output = student.note;
    if (!is_graded) {
        output = kNoVerdict;
        tests.push_back(json::object{{"name", "Why parts are not graded"},
                                     {"output", causes},
                                     {"visibility", "hidden"}});
    }
    json::object results{{"tests", std::move(tests)},
                         {"leaderboard", leaderboard(rubric, student)}};
    if (!output.empty()) results["output"] = protocol::printable(output);
    if (const auto points = student.points(rubric)) results["score"] = *points;
    return json::serialize(results) + "\n";
}

std::string classroom_text(const Rubric& rubric, const Student& student) {
    json::array tests;
    bool is_full = true;
    for (std::size_t i = 0; i < rubric.parts.size(); ++i) {
        const RubricPart& part = rubric.parts[i];
        const auto points = student.points_of(rubric, i);
        const bool has_all = points && *points >= part.points;
        is_full = is_full && (part.bonus || has_all);
        json::object test{{"name", part.hidden ? "Hidden part" : title_of(part)},
                          {"status", has_all  ? "pass"
                                     : points ? "fail"
                                              : "error"},
                          {"message", part.hidden ? "" : student.parts[i].reason}};
        if (points) test["score"] = *points;
        tests.push_back(std::move(test));
    }
    const char* status = !student.is_graded() ? "error" : is_full ? "pass" : "fail";
    const json::object results{{"version", 1},
                               {"status", status},
                               {"max_score", rubric.points()},
                               {"tests", std::move(tests)}};
    return json::serialize(results) + "\n";
}

// A test case a part, failed where some of its points are missing, skipped where it is not
// graded.
std::string junit_text(const Rubric& rubric, const Student& student) {
    std::string cases;
    int failures = 0;
    int skipped = 0;
    for (std::size_t i = 0; i < rubric.parts.size(); ++i) {
        const RubricPart& part = rubric.parts[i];
        const auto points = student.points_of(rubric, i);
        const std::string reason = pages::escaped_lines(student.parts[i].reason);
        cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\">",
                             pages::escaped(student.shown_name()), pages::escaped(part.name));
        if (!points) {
            ++skipped;
            cases += fmt::format("<skipped message=\"{}\">{}</skipped>", kNotGraded, reason);
        } else if (*points < part.points) {
            ++failures;
            cases += fmt::format("<failure message=\"{}\">{}</failure>",
                                 points_sentence(part, points), reason);
        }
        cases += "</testcase>\n";
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n{}</testsuite>\n",
        pages::escaped(rubric.name), rubric.parts.size(), failures, skipped, cases);
}

std::string report_text(const Rubric& rubric, const Student& student) {
    std::string text = fmt::format("{}: {}\n", rubric.name, student.shown_name());
    if (student.elo) text += elo_sentence(student) + "\n";
    if (!student.note.empty()) text += protocol::printable(student.note) + "\n";
    for (std::size_t i = 0; i < rubric.parts.size(); ++i) {
        const RubricPart& part = rubric.parts[i];
        if (part.hidden) continue;
        text += fmt::format("\n{}: {}\n", title_of(part),
                            points_sentence(part, student.points_of(rubric, i)));
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
    bool is_whole = true;
    for (std::size_t i = 0; i < rubric.parts.size(); ++i) {
        const RubricPart& part = rubric.parts[i];
        hides = hides || part.hidden;
        if (part.hidden) continue;
        const auto earned = student.points_of(rubric, i);
        is_whole = is_whole && earned;
        points += earned.value_or(0);
        reachable += part.bonus ? 0 : part.points;
        sections += page_section(part, student.parts[i], earned, games[i]);
    }
    const std::string total =
        is_whole
            ? fmt::format("<b>{}</b> of {} points", points_label(points),
                          points_label(reachable))
            : fmt::format("not all parts of {} points are graded", points_label(reachable));
    const std::string elo = student.elo ? "; " + elo_sentence(student) : "";
    const std::string note =
        student.note.empty()
            ? ""
            : fmt::format("<p>{}</p>\n", pages::escaped(protocol::printable(student.note)));
    const std::string body =
        fmt::format("<h1>{}</h1>\n<p>{}: {}{}{}</p>\n{}{}", pages::escaped(rubric.name),
                    pages::escaped(student.shown_name()), total,
                    hides ? ", without hidden parts" : "", pages::escaped(elo), note, sections);
    return pages::document(fmt::format("{}: {}", rubric.name, student.shown_name()), body);
}

}  // namespace arena
