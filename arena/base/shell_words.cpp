#include "arena/base/shell_words.hpp"
#include "arena/base/bad_input.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;

// A cursor over the text. Each function consumes one piece of a word and appends its meaning;
// it returns an error, if any.
class Splitter {
  public:
    explicit Splitter(std::string_view text) : text_(text) {}

    std::size_t at() const { return at_; }

    // Moves to the first character of a word; returns false if there is none.
    bool skip_space() {
        while (!at_end() && protocol::is_space(text_[at_])) ++at_;
        return !at_end();
    }

    std::optional<Error> take_word(std::string& word) {
        while (!at_end() && !protocol::is_space(text_[at_])) {
            if (const auto error = take_piece(word)) return error;
        }
        return std::nullopt;
    }

  private:
    bool at_end() const { return at_ == text_.size(); }

    std::optional<Error> take_piece(std::string& word) {
        switch (text_[at_]) {
            case '\'':
                return take_single_quoted(word);
            case '"':
                return take_double_quoted(word);
            case '\\':
                return take_escaped(word);
            default:
                word += text_[at_++];
                return std::nullopt;
        }
    }

    std::optional<Error> take_single_quoted(std::string& word) {
        const std::size_t open = at_;
        const std::size_t close = text_.find('\'', open + 1);
        if (close == text_.npos) {
            return bad_input_at(open + 1,
                                "the quote opened here is not closed, expected another '");
        }
        word += text_.substr(open + 1, close - open - 1);
        at_ = close + 1;
        return std::nullopt;
    }

    std::optional<Error> take_double_quoted(std::string& word) {
        const std::size_t open = at_++;
        while (!at_end() && text_[at_] != '"') {
            if (text_[at_] != '\\' || at_ + 1 == text_.size()) {
                word += text_[at_++];
                continue;
            }
            // Between double quotes a backslash quotes these alone.
            const char next = text_[at_ + 1];
            const bool quotes = next == '"' || next == '\\' || next == '$' || next == '`';
            if (!quotes && next != '\n') word += '\\';
            if (next != '\n') word += next;
            at_ += 2;
        }
        if (at_end()) {
            return bad_input_at(open + 1,
                                "the quote opened here is not closed, expected another \"");
        }
        ++at_;
        return std::nullopt;
    }

    std::optional<Error> take_escaped(std::string& word) {
        if (at_ + 1 == text_.size()) {
            return bad_input_at(at_ + 1,
                                "a backslash ends the text, expected a character after it");
        }
        // A backslash and a newline continue the line.
        if (text_[at_ + 1] != '\n') word += text_[at_ + 1];
        at_ += 2;
        return std::nullopt;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

protocol::Result<std::vector<ShellWord>> scan_shell_words(std::string_view text) {
    std::vector<ShellWord> words;
    Splitter splitter(text);
    while (splitter.skip_space()) {
        ShellWord word{{}, splitter.at() + 1};
        if (const auto error = splitter.take_word(word.text)) return *error;
        words.push_back(std::move(word));
    }
    return words;
}

protocol::Result<std::vector<std::string>> split_shell_words(std::string_view text) {
    auto words = scan_shell_words(text);
    if (!words) return words.error();
    std::vector<std::string> texts;
    for (ShellWord& word : *words) texts.push_back(std::move(word.text));
    return texts;
}

std::string shell_word(std::string_view text) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return std::string(text);
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::string inner_shell_word(std::string_view text) {
    const std::string word = shell_word(text);
    if (word == text || text.find_first_of("\"\\$`!") != text.npos) return word;
    return fmt::format("\"{}\"", text);
}

}  // namespace arena
