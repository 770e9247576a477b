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

std::string section(std::string_view title, const std::string& content, std::string_view note) {
    return fmt::format(
        "<h2>{0}</h2>\n{1}<div class=\"scroll\" role=\"region\" aria-label=\"{0}\" "
        "tabindex=\"0\">{2}</div>\n",
        title, note, content);
}

std::string table(std::string_view classes, std::string_view head, std::string_view rows) {
    return fmt::format(
        "<table class=\"{}\"><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table>", classes,
        head, rows);
}

std::string first_of(std::size_t shown, std::size_t all, std::string_view what) {
    if (shown == all) return {};
    return fmt::format("<p class=\"soft\">The first {} of {}{}.</p>\n", shown, all, what);
}

}  // namespace arena::pages
