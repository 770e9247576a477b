#include "arena/pages/html.hpp"

#include "arena/pages/assets.hpp"
#include "protocol/text.hpp"

namespace arena::pages {

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

std::string document(std::string_view title, std::string_view body, std::string_view script) {
    std::string page =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>";
    page += escaped(title);
    page += "</title>\n<style>";
    page += kStyle;
    page += "</style>\n</head>\n<body>\n";
    page += body;
    if (!script.empty()) {
        page += "<script>";
        page += script;
        page += "</script>\n";
    }
    page += "</body>\n</html>\n";
    return page;
}

}  // namespace arena::pages
