#include "arena/web/limits.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ranges>

#include "protocol/text.hpp"

namespace arena::web {
namespace {

bool same_text(std::string_view a, std::string_view b) {
    return protocol::lower_case(a) == protocol::lower_case(b);
}

bool is_address(int family, std::string_view text) {
    std::array<char, INET6_ADDRSTRLEN + 1> word{};
    if (text.empty() || text.size() >= word.size()) return false;
    std::ranges::copy(text, word.begin());
    in6_addr address{};
    return ::inet_pton(family, word.data(), &address) == 1;
}

bool is_port(std::string_view text) {
    unsigned port = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
    return failed == std::errc{} && end == text.data() + text.size() && port <= 65535;
}

std::optional<std::string> decode(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        const std::string_view digits = text.substr(i + 1, 2);
        unsigned value = 0;
        const auto read = std::from_chars(digits.begin(), digits.end(), value, 16);
        if (digits.size() < 2 || read.ptr != digits.end()) return std::nullopt;
        decoded += static_cast<char>(value);
        i += 2;
    }
    return decoded;
}

bool has_dots(std::string_view path) {
    return std::ranges::any_of(std::views::split(path, '/'), [](const auto& piece) {
        const std::string_view segment(piece.begin(), piece.end());
        return segment == "." || segment == "..";
    });
}

}  // namespace

bool HostNames::allow(std::string_view host) const {
    if (host.starts_with('[')) {
        const auto end = host.find(']');
        if (end == host.npos || !is_address(AF_INET6, host.substr(1, end - 1))) return false;
        const auto rest = host.substr(end + 1);
        return rest.empty() || (rest.starts_with(':') && is_port(rest.substr(1)));
    }
    const auto colon = host.find(':');
    if (colon != host.npos && !is_port(host.substr(colon + 1))) return false;
    const auto name = host.substr(0, colon);
    return is_address(AF_INET, name) || same_text(name, "localhost") ||
           std::ranges::any_of(names_, [&](const auto& own) { return same_text(name, own); });
}

bool is_own_origin(std::string_view origin, std::string_view host) {
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (origin.starts_with(scheme)) return same_text(origin.substr(scheme.size()), host);
    }
    return false;
}

std::optional<std::string> parse_target(std::string_view target) {
    const auto raw = target.substr(0, target.find('?'));
    auto path = decode(raw);
    if (!path || std::ranges::count(*path, '/') != std::ranges::count(raw, '/') ||
        !path->starts_with('/') || has_dots(*path))
        return std::nullopt;
    const auto is_control = [](char c) {
        return static_cast<unsigned char>(c) < 32 || c == 127;
    };
    if (std::ranges::any_of(*path, is_control) || protocol::printable(*path) != *path ||
        target.find('#') != target.npos) {
        return std::nullopt;
    }
    return path;
}

bool is_json(std::string_view content_type) {
    const auto semicolon = content_type.find(';');
    if (!same_text(protocol::trim(content_type.substr(0, semicolon)), "application/json"))
        return false;
    if (semicolon == content_type.npos) return true;
    const auto parameter = protocol::trim(content_type.substr(semicolon + 1));
    return same_text(parameter, "charset=utf-8") || same_text(parameter, "charset=\"utf-8\"");
}

bool is_form(std::string_view content_type) {
    return same_text(content_type, "application/x-www-form-urlencoded");
}

std::optional<std::string> form_value(std::string_view form, std::string_view field) {
    for (const auto piece : std::views::split(form, '&')) {
        const std::string_view pair(piece.begin(), piece.end());
        if (!pair.starts_with(field) || !pair.substr(field.size()).starts_with('=')) continue;
        std::string value(pair.substr(field.size() + 1));
        std::ranges::replace(value, '+', ' ');
        return decode(value);
    }
    return std::nullopt;
}

}  // namespace arena::web
