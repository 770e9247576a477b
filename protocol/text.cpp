#include "protocol/text.hpp"

#include <array>
#include <cstdint>
#include <cstdio>

namespace protocol {
namespace {

struct Decoded {
    std::uint32_t point = 0xFFFD;
    std::size_t size = 1;  // bytes used
    bool valid = false;
};

// One code point, or one maximal ill-formed sequence (Unicode 15, section 3.9, table 3-7).
Decoded decode(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return {first, 1, true};
    if (first < 0xC2 || first > 0xF4) return {};

    const std::size_t size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    unsigned low = 0x80;  // bounds of the second byte
    unsigned high = 0xBF;
    if (first == 0xE0) low = 0xA0;   // no overlong forms,
    if (first == 0xED) high = 0x9F;  // no surrogates,
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;  // nothing beyond U+10FFFF

    std::uint32_t point = first & (0x7Fu >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if (i >= text.size() || byte(i) < low || byte(i) > high) return {0xFFFD, i, false};
        point = (point << 6) | (byte(i) & 0x3F);
        low = 0x80;
        high = 0xBF;
    }
    return {point, size, true};
}

// Controls, line separators, marks that change the direction of the text around them, invisible
// characters except for the joiners that scripts and emoji need, and what XML does not allow.
bool needs_escape(std::uint32_t point) {
    return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0xAD ||
           point == 0x061C || point == 0x200B || point == 0x200E || point == 0x200F ||
           (point >= 0x2028 && point <= 0x202E) || (point >= 0x2060 && point <= 0x206F) ||
           point == 0x034F || point == 0x115F || point == 0x1160 || point == 0x3164 ||
           (point >= 0x180B && point <= 0x180F) || point == 0xFEFF || point == 0xFFA0 ||
           (point >= 0xFFF9 && point <= 0xFFFB) || point == 0xFFFE || point == 0xFFFF;
}

std::string escape(std::uint32_t point) {
    if (point == '\n') return "\\n";
    if (point == '\t') return "\\t";
    if (point == '\r') return "\\r";
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), point < 0x80 ? "\\x%02x" : "\\u%04x",
                  static_cast<unsigned>(point));
    return text.data();
}

}  // namespace

std::string_view next_word(std::string_view& rest) {
    std::size_t begin = 0;
    while (begin < rest.size() && is_blank(rest[begin])) ++begin;
    std::size_t end = begin;
    while (end < rest.size() && !is_blank(rest[end])) ++end;
    const std::string_view word = rest.substr(begin, end - begin);
    rest.remove_prefix(end);
    return word;
}

std::vector<std::string_view> split_words(std::string_view line) {
    std::vector<std::string_view> words;
    for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
        words.push_back(word);
    }
    return words;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
}

std::string printable(std::string_view text, std::size_t max_bytes) {
    std::string shown;
    shown.reserve(text.size() < max_bytes ? text.size() : max_bytes);
    while (!text.empty()) {
        const Decoded next = decode(text);
        std::string escaped;
        std::string_view piece = text.substr(0, next.size);
        if (!next.valid) {
            piece = "\xEF\xBF\xBD";
        } else if (needs_escape(next.point)) {
            escaped = escape(next.point);
            piece = escaped;
        }
        if (shown.size() + piece.size() > max_bytes) return shown + "…";
        shown += piece;
        text.remove_prefix(next.size);
    }
    return shown;
}

std::string quoted(std::string_view text) { return "'" + printable(text, 60) + "'"; }

}  // namespace protocol
