// The style of all pages and the program of the viewer, inlined or served.
#pragma once

#include <string_view>

namespace arena::pages {

extern const std::string_view kStyle;
// Reads the games from <script id="games">, and writes text alone, never markup.
extern const std::string_view kViewer;

}  // namespace arena::pages
