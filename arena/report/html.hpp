// Makes text from strangers safe for a page. All text of a page goes through here.
#pragma once

#include <string>
#include <string_view>

namespace arena::pages {

// The style of all pages, and the program of the viewer: it reads the games from
// <script id="games">, and writes text alone, never markup.
extern const std::string_view kStyle;
extern const std::string_view kViewer;

// Fit to be shown (control and bidirectional characters written out), and with & < > " ' as
// entities: for text and for attributes between double quotes.
std::string escaped(std::string_view text);

// `json`, valid as such, so that it can stand inside <script>: no <, > or & is left in it.
std::string for_script(std::string_view json);

// The place where a page is read. A file holds its style and its script, and needs nothing
// else. A page that the web server makes links to them, as its policy forbids inline ones, and
// to the server's other pages; `live` says whether there is one at /live.
struct Place {
    bool served = false;
    bool live = false;
};
inline constexpr std::string_view kStylePath = "/record/style.css";
inline constexpr std::string_view kViewerPath = "/record/viewer.js";

// A whole page: head with the style, `body`, and the script for tables, charts and games.
std::string document(std::string_view title, std::string_view body, const Place& place = {});

}  // namespace arena::pages
