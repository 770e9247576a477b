// A cursor over text that is being parsed. Its errors name the column, the text read there and
// the text expected.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "protocol/result.hpp"

namespace protocol {

class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    bool at_end() const { return at_ == text_.size(); }
    char peek() const { return at_end() ? '\0' : text_[at_]; }
    std::size_t at() const { return at_; }
    void advance() { ++at_; }

    // Skips `wanted` if it is next.
    bool accept(char wanted) {
        if (at_end() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }

    // Skips the characters that satisfy `belongs`, and returns them.
    template <typename Predicate>
    std::string_view take_while(Predicate belongs) {
        const std::size_t start = at_;
        while (!at_end() && belongs(text_[at_])) ++at_;
        return text_.substr(start, at_ - start);
    }

    // "read 'x', expected …" at the cursor, or at an earlier byte.
    Error refuse(std::string_view expected) const { return refuse_at(at_, expected); }
    Error refuse_at(std::size_t at, std::string_view expected) const;
    // The same with the words read given.
    static Error refuse_word(std::size_t at, std::string_view read, std::string_view expected);

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
inline bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool is_name_char(char c) { return is_lower(c) || is_digit(c) || c == '-'; }
inline bool is_vertex_char(char c) {
    return is_lower(c) || is_upper(c) || is_digit(c) || c == '_';
}

}  // namespace protocol
