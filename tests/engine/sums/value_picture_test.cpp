#include "engine/sums/value_picture.hpp"

#include <regex>

#include "engine/heaps/heap_solver.hpp"

namespace engine::test::value_picture_test {

NamedRuleset named(const std::string& text) {
    const protocol::RulesetText ruleset{text};
    return {ruleset, *find_ruleset(ruleset)};
}

ValuePicture draw(const std::string& ruleset, std::optional<std::string_view> range,
                  const PictureWanted& wanted = {}) {
    const auto picture = draw_values(named(ruleset), range, wanted, {});
    EXPECT_TRUE(picture) << (picture ? "" : picture.error().text);
    return picture ? *picture : ValuePicture{};
}

// What a reader of the file finds: of each heap the value, the moves and the place.
struct Mark {
    std::string value, moves, title, x, y, fill;
};
std::map<std::string, Mark> marks_of(const std::string& svg) {
    static const std::regex kMark(
        "<g class=\"heap\" data-heap=\"([^\"]*)\" data-value=\"([^\"]*)\" "
        "data-moves=\"([^\"]*)\"><title>([^<]*)</title><(?:rect|circle) c?x=\"([^\"]*)\" "
        "c?y=\"([^\"]*)\"[^>]*? fill=\"([^\"]*)\"");
    std::map<std::string, Mark> marks;
    for (std::sregex_iterator at(svg.begin(), svg.end(), kMark), end; at != end; ++at) {
        const auto& found = *at;
        marks[found[1]] = {found[2], found[3], found[4], found[5], found[6], found[7]};
    }
    return marks;
}

TEST(ValuePicture, ShowsTheNimbersOfTheSolver) {
    for (const char* ruleset : {"kayles", "nim", "take{1,3,4}", "grundy", "octal{0.137}"}) {
        const auto marks = marks_of(draw(ruleset, "0-99").svg);
        ASSERT_EQ(marks.size(), 100U) << ruleset;
        const NamedRuleset rules = named(ruleset);
        const auto solver = find_solver(rules.text, rules.rules);
        for (Number heap = 0; heap < 100; ++heap) {
            const Mark& mark = marks.at(std::to_string(heap));
            EXPECT_EQ(mark.value, to_string(*solver->nimber(Heap(heap), {})))
                << ruleset << heap;
            EXPECT_EQ(mark.moves.empty(), mark.value == "0") << ruleset << heap;
        }
    }
}

TEST(ValuePicture, IsWrappedAtThePeriodSoThatColumnsAreAlike) {
    const ValuePicture picture = draw("kayles", "0-199");
    EXPECT_EQ(picture.title, "Nimbers of kayles 0-199");
    EXPECT_EQ(picture.period, 12U);
    EXPECT_EQ(picture.columns, 12U);
    const auto marks = marks_of(picture.svg);
    for (Number heap = 71; heap + 12 < 200; ++heap) {
        const Mark &mark = marks.at(std::to_string(heap)),
                   &next = marks.at(std::to_string(heap + 12));
        EXPECT_EQ(mark.x, next.x);
        EXPECT_EQ(mark.fill, next.fill);
        EXPECT_NE(mark.y, next.y);
    }
    EXPECT_EQ(draw("take{1,2,3}", "0-9").columns, 20U);  // five periods
    EXPECT_EQ(draw("grundy", "0-9").columns, 20U);       // none is known
    EXPECT_EQ(draw("kayles", "0-9", {.columns = 5}).columns, 5U);
    const auto later = marks_of(draw("kayles", "17-30").svg);
    EXPECT_EQ(later.at("17").x, later.at("29").x);
    EXPECT_LT(std::stod(later.at("24").x), std::stod(later.at("17").x));  // the first column
}

TEST(ValuePicture, MarksThePositionsOfThePreviousPlayer) {
    const auto marks = marks_of(draw("wythoff", "9x9").svg);
    const std::string fill = marks.at("(0,0)").fill;
    std::string cold;
    for (const auto& [heap, mark] : marks) {
        if (mark.fill == fill) cold += heap;
        EXPECT_EQ(mark.value == "0", mark.fill == fill) << heap;
    }
    EXPECT_EQ(cold, "(0,0)(1,2)(2,1)(3,5)(4,7)(5,3)(7,4)");
    EXPECT_EQ(marks.at("(1,2)").title, "(1,2): 0; the previous player wins");
    EXPECT_EQ(marks.at("(0,3)").moves, "(0,0)");
    EXPECT_EQ(marks.at("(0,3)").title, "(0,3): 3; win by leaving (0,0)");
    EXPECT_EQ(marks_of(draw("welter", "3x3").svg).count("(1,1)"), 0U);  // no such heap
}

TEST(ValuePicture, ShowsMiserePlay) {
    const ValuePicture outcomes = draw("nim", "0-3", {ValueKind::Misere});
    const auto marks = marks_of(outcomes.svg);
    EXPECT_EQ(marks.at("0").value + marks.at("1").value + marks.at("2").value, "NPN");
    EXPECT_EQ(marks.at("2").moves, "1");
    EXPECT_NE(outcomes.svg.find("data-before=\"nim:\" data-after=\" misere\""),
              std::string::npos);
    // Winning Ways, chapter 13: Kayles.
    const auto genera = marks_of(draw("kayles", "0-9", {ValueKind::Genera}).svg);
    EXPECT_EQ(genera.at("0").value, "0^{120}");
    EXPECT_EQ(genera.at("5").value, "4^{146}");
    EXPECT_EQ(marks_of(draw("nim", "0-3", {ValueKind::Genera}).svg).at("1").value, "1^{031}");
}

TEST(ValuePicture, PlotsTheValueOverTheSize) {
    const auto marks = marks_of(draw("nim", "0-9", {.is_plot = true}).svg);
    for (int heap = 1; heap < 10; ++heap) {
        const Mark &before = marks.at(std::to_string(heap - 1)),
                   &mark = marks.at(std::to_string(heap));
        EXPECT_GT(std::stod(mark.x), std::stod(before.x));
        EXPECT_LT(std::stod(mark.y), std::stod(before.y));
    }
}

TEST(ValuePicture, DrawsAGraphWithItsDraws) {
    const ValuePicture picture = draw("graph{a->b;b->a,c;c->d}", std::nullopt);
    const auto marks = marks_of(picture.svg);
    EXPECT_EQ(marks.at("a").value, "inf{}");
    EXPECT_EQ(marks.at("a").title, "a: inf{}; hold the draw by b");
    EXPECT_EQ(marks.at("d").value, "0");
    EXPECT_EQ(std::ranges::count(picture.svg, 'Q'), 4);  // a curve for each edge
}

// Where the texts of a picture are, by their height: from left to right.
std::map<double, std::map<double, double>> texts_of(const std::string& svg) {
    static const std::regex kText(
        "<text x=\"([^\"]*)\" y=\"([^\"]*)\" text-anchor=\"([^\"]*)\"[^>]*>([^<]*)<");
    std::map<double, std::map<double, double>> texts;
    for (std::sregex_iterator at(svg.begin(), svg.end(), kText), end; at != end; ++at) {
        const auto& found = *at;
        const std::string anchor = found[3], text = found[4];
        const auto characters = std::ranges::count_if(
            text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
        const double width = 8 * static_cast<double>(characters);
        const double shift = anchor == "end" ? width : anchor == "middle" ? width / 2 : 0;
        const double left = std::stod(found[1]) - shift;
        texts[std::stod(found[2])][left] = left + width;
    }
    return texts;
}

TEST(ValuePicture, KeepsItsTextsInsideAndApart) {
    const ValuePicture pictures[]{
        draw("nim", "9223372036854775000-9223372036854775807", {.is_plot = true}),
        draw("kayles", "9223372036854775806-9223372036854775807", {.is_plot = true}),
        draw("graph{a->b;b->a,c;d->d;e->a,b,c,d,Verylongnameofavertex0123456789;q}", {})};
    for (const ValuePicture& picture : pictures) {
        SCOPED_TRACE(picture.title);
        const double width = std::stod(picture.svg.substr(picture.svg.find("width=\"") + 7));
        for (const auto& [y, row] : texts_of(picture.svg)) {
            double end = 0;
            for (const auto& [left, right] : row) {
                EXPECT_GE(left, end) << y;
                end = right;
            }
            EXPECT_LE(end, width) << y;
        }
    }
}

TEST(ValuePicture, MapsTheSizesOfBoards) {
    const ValuePicture picture = draw("cram", "3x4");
    const auto marks = marks_of(picture.svg);
    EXPECT_EQ(marks.size(), 12U);
    EXPECT_EQ(marks.at("oooo").value, "2");
    EXPECT_EQ(marks.at("oo_oo").title, "oo_oo: 0; the previous player wins");
    EXPECT_EQ(marks.at("oooo").x, marks.at("oooo_oooo").x);
    EXPECT_NE(picture.svg.find("text-anchor=\"middle\">4</text>"), std::string::npos);
}

TEST(ValuePicture, DrawsTheMapsOfTriplesOneBelowTheOther) {
    const ValuePicture picture = draw("cookie", "2x3x2", {.name = "cookies"});
    EXPECT_EQ(picture.title, "Nimbers of cookies 2x3x2");
    const auto marks = marks_of(picture.svg);
    EXPECT_EQ(marks.size(), 12U);
    EXPECT_EQ(marks.at("(0,2,1)").x, marks.at("(1,0,1)").x);
    EXPECT_LT(std::stod(marks.at("(0,2,1)").y), std::stod(marks.at("(1,0,1)").y));
    EXPECT_NE(picture.svg.find(">1,2</text>"), std::string::npos);  // its last row
}

TEST(ValuePicture, HasAUsualRange) {
    const auto usual = [](const char* ruleset) { return usual_range(*named(ruleset).rules); };
    EXPECT_EQ(usual("kayles"), "0-199");
    EXPECT_EQ(usual("chomp"), "20x20");
    EXPECT_EQ(usual("cram"), "4x6");
    EXPECT_EQ(usual("graph{a->b}"), "");
    EXPECT_EQ(usual("rules{(a,b,c)->(a-k,b,c):k>=1}"), "3x8x8");
    EXPECT_EQ(usual("node-kayles{a->b;b->c}"), "0-7");  // all parts of the graph
}

TEST(ValuePicture, EscapesWhatIsMarkup) {
    const ValuePicture picture = draw("rules{n->n-k:k>=1&3*k<=n}", "0-9");
    EXPECT_NE(picture.svg.find("data-before=\"rules{n-&gt;n-k:k&gt;=1&amp;3*k&lt;=n}:\""),
              std::string::npos);
}

TEST(ValuePicture, SaysWhatIsNotKnown) {
    const auto picture =
        draw_values(named("take{7,9,3000000000000}"), "6-8", {}, Budget::spent());
    ASSERT_TRUE(picture);
    EXPECT_FALSE(picture->is_complete());
    EXPECT_EQ(marks_of(picture->svg).at("8").value, "?");
    EXPECT_TRUE(draw("kayles", "0-9").is_complete());
}

TEST(ValuePicture, RefusesWhatItCannotDraw) {
    const auto error = [](const std::string& ruleset, std::optional<std::string_view> range,
                          bool is_plot = false) {
        const auto picture = draw_values(named(ruleset), range, {.is_plot = is_plot}, {});
        return picture ? "" : picture.error().text;
    };
    EXPECT_EQ(error("kayles", "8x8"),
              "read '8x8', expected a range such as 0-99: heaps of the ruleset are numbers");
    EXPECT_EQ(error("kayles", std::nullopt),
              "read no range after the ruleset, expected one such as 0-99");
    EXPECT_EQ(error("kayles", "0-10000"), "read '0-10000', expected 10000 heaps at most");
    EXPECT_EQ(draw_values(named("graph{a->a}"), {}, {ValueKind::Genera}, {}).error().text,
              "read 'graph{a->a}', expected a ruleset without loops, for genus symbols");
    EXPECT_EQ(error("wythoff", "8x8", true),
              "read 'wythoff', expected a ruleset whose heaps are numbers, for a plot");
    std::string graph = "graph{v0";
    for (int v = 1; v <= 200; ++v) graph += ";v" + std::to_string(v);
    EXPECT_EQ(error(graph + "}", std::nullopt),
              "read a graph of 201 vertices and 0 edges, expected at most 200 and 4000 for a "
              "picture");
}

}  // namespace engine::test::value_picture_test
