// What pages are made of. All text of strangers goes through escaped() or for_script(), which
// make it safe for a page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/markup.hpp"

namespace arena::pages {

// The style of all pages, and their script, a module: it reads the games from
// <script id="games">, and writes text alone, never markup.
extern const std::string_view kStyle;
extern const std::string_view kScript;

using protocol::escaped;
// Each line escaped, for <pre>.
std::string escaped_lines(std::string_view text);

// `json`, valid as such, so that it can stand inside <script>: no <, > or & is left in it.
std::string for_script(std::string_view json);

// For whom a page is made: for anyone, or, behind a log-in, for the instructor of a clinic or
// for the student whose page it is, who may see no other.
enum class Reader : std::uint8_t { Anyone, Instructor, Student };

// Where a page is read. A file holds its style and its script, and needs nothing
// else. A page that the web server makes links to them, as its policy forbids inline ones, and
// to the server's other pages; `live` says whether there is one at /live.
struct PageContext {
    bool served = false;
    bool live = false;
    Reader reader = Reader::Anyone;
};
inline constexpr std::string_view kStylePath = "/record/style.css";
inline constexpr std::string_view kScriptPath = "/record/report.js";

// A whole page: head with the style, `body`, and the script for tables, charts and games.
std::string document(std::string_view title, std::string_view body,
                     const PageContext& context = {});

// A heading, a note, and `content`, a table, in a region that scrolls and that the keyboard can
// reach.
std::string section(std::string_view title, const std::string& content,
                    std::string_view note = {});
std::string table(std::string_view classes, std::string_view head, std::string_view rows);
// "The first 40 of 60 players."; empty where all are shown.
std::string first_of(std::size_t shown, std::size_t all, std::string_view what = {});

// ---- charts as inline SVG ----
// Texts are escaped here; colours come from the style of the page.

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
