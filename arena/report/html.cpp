#include "arena/report/html.hpp"

#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena::pages {
namespace {

std::string style(const Place& place) {
    if (!place.served) return fmt::format("<style>{}</style>\n", kStyle);
    return fmt::format(
        "<link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\n"
        "<link rel=\"stylesheet\" href=\"{}\">\n",
        kStylePath);
}

std::string script(const Place& place) {
    if (!place.served) return fmt::format("<script>{}</script>\n", kViewer);
    return fmt::format("<script src=\"{}\"></script>\n", kViewerPath);
}

std::string navigation(const Place& place) {
    if (!place.served) return {};
    return fmt::format("<nav aria-label=\"Nimarena\"><a href=\"/\">Play</a>{}</nav>\n",
                       place.live ? " <a href=\"/live\">Watch</a>" : "");
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : protocol::printable(text)) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&#39;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::string for_script(std::string_view json) {
    std::string result;
    result.reserve(json.size());
    for (const char c : json) {
        switch (c) {
            case '<':
                result += "\\u003c";
                break;
            case '>':
                result += "\\u003e";
                break;
            case '&':
                result += "\\u0026";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::string document(std::string_view title, std::string_view body, const Place& place) {
    // The viewer reads data-play: games can be played on where it is there.
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"{}>\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n{}</head>\n"
        "<body>\n{}{}{}</body>\n</html>\n",
        place.served ? " data-play=\"/\"" : "", escaped(title), style(place), navigation(place),
        body, script(place));
}

}  // namespace arena::pages
