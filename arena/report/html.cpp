#include "arena/report/html.hpp"

#include <fmt/format.h>

#include "arena/game/game_record.hpp"

namespace arena::pages {
namespace {

std::string style(const PageContext& context) {
    if (!context.served) return fmt::format("<style>{}</style>\n", kStyle);
    return fmt::format(
        "<link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\n"
        "<link rel=\"stylesheet\" href=\"{}\">\n",
        kStylePath);
}

std::string script(const PageContext& context) {
    if (!context.served) return fmt::format("<script type=\"module\">{}</script>\n", kScript);
    return fmt::format("<script type=\"module\" src=\"{}\"></script>\n", kScriptPath);
}

std::string navigation(const PageContext& context) {
    if (!context.served) return {};
    std::string links = "<a href=\"/\">Play</a>";
    if (context.live) links += " <a href=\"/live\">Watch</a>";
    if (context.reader != Reader::Anyone) {
        links +=
            " <a href=\"/clinic/\">Clinic</a>\n<form method=\"post\" action=\"/clinic/leave\">"
            "<button>Log out</button></form>";
    }
    return fmt::format("<nav aria-label=\"Nimarena\">{}</nav>\n", links);
}

}  // namespace

std::string escaped_lines(std::string_view text) {
    std::string lines;
    for (const std::string& line : split_printable(text)) lines += escaped(line) + "\n";
    return lines;
}

std::string for_script(std::string_view json) {
    std::string text;
    text.reserve(json.size());
    for (const char c : json) {
        if (c == '<' || c == '>' || c == '&')
            text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            text += c;
    }
    return text;
}

std::string document(std::string_view title, std::string_view body,
                     const PageContext& context) {
    // The script reads data-play: games can be played on where it is there.
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"{}>\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n{}</head>\n"
        "<body>\n{}{}{}</body>\n</html>\n",
        context.served ? " data-play=\"/\"" : "", escaped(title), style(context),
        navigation(context), body, script(context));
}

}  // namespace arena::pages
