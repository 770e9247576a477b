#include "protocol/scanner.hpp"

#include "protocol/text.hpp"

namespace protocol {
namespace {

// The text that an error quotes: a whole word if one starts there, else one character.
std::string_view word_at(std::string_view text) {
    std::size_t size = 0;
    while (size < text.size() && is_vertex_char(text[size])) ++size;
    if (size > 0) return text.substr(0, size);
    size = 1;
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80)
        ++size;
    return text.substr(0, size);
}

}  // namespace

Error Scanner::refuse_at(std::size_t at, std::string_view expected) const {
    if (at >= text_.size()) {
        return {Fault::BadInput, "read the end, expected " + std::string(expected), at + 1};
    }
    return refuse_word(at, word_at(text_.substr(at)), expected);
}

Error Scanner::refuse_word(std::size_t at, std::string_view read, std::string_view expected) {
    return {Fault::BadInput, "read " + quoted(read) + ", expected " + std::string(expected),
            at + 1};
}

}  // namespace protocol
