#include "protocol/position.hpp"

#include <algorithm>

#include "protocol/heap_parser.hpp"
#include "protocol/scanner.hpp"
#include "protocol/text.hpp"

namespace protocol {
namespace {

// The characters allowed between braces: all printable ones except braces.
bool is_parameter_char(char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '\x7F' && c != '{' && c != '}';
}

const std::string kRepeatedDigits = "digits that repeat in brackets: 0.[3]";

// "0.77" stands for octal{0.77}. Which digits there may be is a question for the rules.
Result<RulesetText> scan_code(Scanner& scanner) {
    const std::size_t begin = scanner.at();
    const auto belongs = [](char c) {
        return is_digit(c) || is_upper(c) || c == '.' || c == '[' || c == ']';
    };
    const std::string_view code = scanner.take_while(belongs);
    if (const auto dots = code.find(".."); dots != code.npos && dots > 0)
        return Scanner::refuse_word(begin + dots, code.substr(dots), kRepeatedDigits);
    const bool is_open = code.find('[') != code.npos && code.find(']') == code.npos;
    if (is_open) return scanner.refuse("a digit or ']' after the '['");
    return RulesetText{std::string(kBeforeCode).append(code) + '}'};
}

// "Kayles", where a ruleset begins.
Error refuse_capital(Scanner& scanner) {
    const std::size_t at = scanner.at();
    const std::string_view word =
        scanner.take_while([](char c) { return is_name_char(c) || is_upper(c); });
    // "K5+K7" for Kayles.
    const auto digits = word.find_first_of("0123456789");
    if (digits == 1 && word.front() != 'S') {
        return Scanner::refuse_word(
            at, word, "a ruleset in lower case and its heaps, such as kayles:5,7");
    }
    // "S(2,5,7)" in the literature; a shell makes S{2,5} "S2 S5".
    if (word.find_first_not_of("0123456789", 1) == word.npos && word.front() == 'S') {
        return Scanner::refuse_word(
            at, word, "a name in lower case: a subtraction set is 'take{1,3,4}', in quotes");
    }
    return Scanner::refuse_word(at, word,
                                "a name in lower case, such as " + quoted(lower_case(word)));
}

// Whether a code is written with the raised point of the literature: "·77", "4·3".
bool has_raised_point(std::string_view text) {
    if (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
    return text.starts_with("·");
}

// Whether the text after a code says that digits repeat, as the literature does: by a point
// over them, by dots behind them, or by brackets that are round.
bool says_repeated(std::string_view code, std::string_view text) {
    code.remove_prefix(code.rfind('+') + 1);
    const bool is_code = code.find('.') != code.npos;
    return text.starts_with("\u0307") || text.starts_with('\\') || text.starts_with("…") ||
           (is_code && (text.starts_with("..") || text.starts_with('(')));
}

// What may follow the name of a ruleset, where it is not `expected`.
Error refuse_after_ruleset(const Scanner& scanner, std::string_view text,
                           const std::string& expected) {
    const std::string_view rest = text.substr(scanner.at());
    const std::string_view name = text.substr(0, scanner.at());
    if (says_repeated(name, rest)) return scanner.refuse(kRepeatedDigits);
    if (rest.starts_with('(')) {
        return scanner.refuse("nim:3,4,5 or, with parameters in braces, take{1,3,4}:5");
    }
    if (name == "startpos")
        return Scanner::refuse_word(0, name, "a position: it is nim:1,3,5,7");
    if (name.ends_with("misere") || name.ends_with("normal")) {
        return scanner.refuse("this word after the position: 'nim:3,4,5 misere'");
    }
    return scanner.refuse(expected);
}

Result<RulesetText> scan_ruleset(Scanner& scanner, std::string_view text) {
    const std::size_t begin = scanner.at();
    if (is_code_alone(text.substr(begin))) return scan_code(scanner);
    if (is_upper(scanner.peek())) return refuse_capital(scanner);
    if (!is_lower(scanner.peek())) {
        return scanner.refuse(has_raised_point(text.substr(begin))
                                  ? "a code with a full stop, such as 0.77"
                                  : "the name of a ruleset");
    }
    scanner.take_while(is_name_char);
    if (scanner.accept('{')) {
        scanner.take_while(is_parameter_char);
        if (!scanner.accept('}')) {
            const bool are_rules = text.substr(begin).starts_with("rules{");
            return scanner.refuse(are_rules && is_blank(scanner.peek())
                                      ? "'}' (no blanks inside; 'and' is &, 'or' is |)"
                                      : "'}' (no blanks and no braces inside)");
        }
    }
    return RulesetText{std::string(text.substr(begin, scanner.at() - begin))};
}

Result<Component> scan_component(Scanner& scanner, std::string_view text,
                                 const HeapSyntaxOf& syntax_of) {
    Component component;
    const char first = scanner.peek();
    const std::string_view rest = text.substr(scanner.at());
    if (first == '*') return scanner.refuse("a heap of nim without the star, such as 3");
    if (is_lower(first) || is_upper(first) || is_code_alone(rest) || has_raised_point(rest)) {
        auto ruleset = scan_ruleset(scanner, text);
        if (!ruleset) return ruleset.error();
        if (!scanner.accept(':')) {
            return refuse_after_ruleset(scanner, text, "':' and heaps after the ruleset");
        }
        component.ruleset = *std::move(ruleset);
    }
    auto heaps = scan_heaps(scanner, syntax_of(component.ruleset));
    if (!heaps) return heaps.error();
    component.heaps = *std::move(heaps);
    return component;
}

Result<Convention> scan_convention(Scanner& scanner) {
    const std::size_t at = scanner.at();
    const std::string_view word = scanner.take_while([](char c) { return !is_blank(c); });
    if (word.empty() || word == "normal") return Convention::Normal;
    if (word == "misere") return Convention::Misere;
    std::string expected = "'normal', 'misere' or the end";
    if (is_digit(word.front())) expected += ": heaps are separated by commas";
    if (word.find(':') != word.npos) expected += ": quote a text with braces";
    return Scanner::refuse_word(at, word, expected);
}

}  // namespace

std::string_view RulesetText::name() const {
    return std::string_view(text).substr(0, text.find('{'));
}

bool is_code_alone(std::string_view text) {
    if (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
    return text.starts_with('.');
}

Result<RulesetText> parse_ruleset_text(std::string_view text) {
    Scanner scanner(text);
    auto ruleset = scan_ruleset(scanner, text);
    if (ruleset && !scanner.at_end()) {
        const bool has_heaps = scanner.peek() == ':';
        return refuse_after_ruleset(scanner, text, has_heaps ? "a ruleset alone" : "the end");
    }
    return ruleset;
}

std::size_t Position::heap_count() const {
    std::size_t count = 0;
    for (const Component& component : components) count += component.heaps.size();
    return count;
}

HeapLookup find_heap(const Position& position, std::size_t index) {
    if (index == 0) return {};
    std::size_t rest = index - 1;
    for (std::size_t i = 0; i < position.components.size(); ++i) {
        const Component& component = position.components[i];
        if (rest < component.heaps.size()) return {&component, {i, rest}};
        rest -= component.heaps.size();
    }
    return {};
}

HeapSyntax heap_syntax_by_name(const RulesetText& ruleset) {
    return heap_syntax(ruleset.name());
}

Result<Position> parse_position(std::string_view text, const HeapSyntaxOf& syntax_of) {
    Scanner scanner(text);
    scanner.take_while(is_blank);
    if (scanner.at_end()) return scanner.refuse("a position such as nim:3,4,5");

    Position position;
    do {
        auto component = scan_component(scanner, text, syntax_of);
        if (!component) return component.error();
        position.components.push_back(*std::move(component));
    } while (scanner.accept('+'));
    if (!scanner.at_end() && !is_blank(scanner.peek())) {
        return scanner.refuse("',', '+', a blank or the end");
    }

    scanner.take_while(is_blank);
    const auto convention = scan_convention(scanner);
    if (!convention) return convention.error();
    position.convention = *convention;

    scanner.take_while(is_blank);
    if (!scanner.at_end()) return scanner.refuse("the end");
    return position;
}

std::string without_blanks(std::string_view text) {
    constexpr std::string_view kSeparators = ",+:";
    std::string kept;
    int depth = 0;
    for (std::size_t i = 0; i < text.size();) {
        if (!is_space(text[i])) {
            if (text[i] == '{' || text[i] == '(' || text[i] == '[') ++depth;
            if (text[i] == '}' || text[i] == ')' || text[i] == ']') --depth;
            kept += text[i++];
            continue;
        }
        while (i < text.size() && is_space(text[i])) ++i;
        if (kept.empty() || i == text.size()) continue;
        const char before = kept.back();
        const char after = text[i];
        const bool between_words = is_vertex_char(before) && is_vertex_char(after);
        const bool at_separator = kSeparators.find(before) != kSeparators.npos ||
                                  kSeparators.find(after) != kSeparators.npos || after == '{';
        if (depth > 0 ? between_words : !at_separator) kept += ' ';
    }
    return kept;
}

void append_text(std::string& out, const Position& position) {
    bool first_component = true;
    for (const Component& component : position.components) {
        if (!first_component) out += '+';
        first_component = false;
        out += component.ruleset.text;
        char separator = ':';
        for (const Heap& heap : component.heaps) {
            out += separator;
            append_text(out, heap);
            separator = ',';
        }
    }
    if (position.convention == Convention::Misere) out += " misere";
}

std::string to_string(const Position& position) {
    std::string text;
    append_text(text, position);
    return text;
}

}  // namespace protocol
