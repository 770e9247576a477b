#include "protocol/heap.hpp"

#include <charconv>
#include <optional>

#include "protocol/heap_parser.hpp"
#include "protocol/scanner.hpp"

namespace protocol {
namespace {

constexpr std::string_view kOrdinalTerm = "a term such as w^2*3, w or 5";
constexpr std::string_view kFiniteNumber = "a number: ordinals stay below w^w";

// "w", "w^2", "w*3", "w^2*3", with the cursor on the w; or a finite term.
Result<Ordinal::Term> scan_term(Scanner& scanner) {
    if (!scanner.accept('w')) {
        if (!is_digit(scanner.peek())) return scanner.refuse(kOrdinalTerm);
        const auto number = scan_number(scanner);
        if (!number) return number.error();
        return Ordinal::Term{0, *number};
    }
    Ordinal::Term term{1, 1};
    for (const auto& [sign, part] :
         {std::pair('^', &term.exponent), {'*', &term.coefficient}}) {
        if (!scanner.accept(sign)) continue;
        const std::size_t at = scanner.at();
        if (scanner.peek() == 'w') return scanner.refuse(kFiniteNumber);
        const auto number = scan_number(scanner);
        if (!number) return number.error();
        if (*number == 0) return scanner.refuse_at(at, "a number from 1");
        *part = *number;
    }
    return term;
}

// The rest of an ordinal after its first term, including the ")".
Result<Heap> scan_ordinal(Scanner& scanner, Ordinal::Term first) {
    Ordinal ordinal{{first}};
    while (scanner.accept('+')) {
        const std::size_t at = scanner.at();
        const auto term = scan_term(scanner);
        if (!term) return term.error();
        if (term->exponent >= ordinal.terms.back().exponent) {
            return scanner.refuse_at(at, "a term with a smaller exponent than the one before");
        }
        if (term->coefficient == 0) return scanner.refuse_at(at, "a term that is not 0");
        ordinal.terms.push_back(*term);
    }
    if (!scanner.accept(')')) return scanner.refuse("'+' or ')'");
    if (first.exponent == 0) return Heap(first.coefficient);
    return Heap(std::move(ordinal));
}

// The rest of a tuple after its first entry, including the ")".
Result<Heap> scan_tuple(Scanner& scanner, Number first) {
    Tuple tuple{{first}};
    while (scanner.accept(',')) {
        const auto entry = scan_number(scanner);
        if (!entry) return entry.error();
        tuple.entries.push_back(*entry);
    }
    if (!scanner.accept(')')) return scanner.refuse("',' or ')'");
    return Heap(std::move(tuple));
}

// "(5)", "(3,5)" or "(w+1)", with the cursor after the "(".
Result<Heap> scan_bracket(Scanner& scanner) {
    if (!is_digit(scanner.peek()) && scanner.peek() != 'w') {
        return scanner.refuse(scanner.peek() == '-' ? "a number; the least is 0"
                                                    : "a number, or an ordinal such as w^2*3");
    }
    const auto first = scan_term(scanner);
    if (!first) return first.error();
    const bool is_ordinal = scanner.peek() == ')' || scanner.peek() == '+';
    if (first->exponent == 0 && !is_ordinal) {
        return scan_tuple(scanner, first->coefficient);
    }
    return scan_ordinal(scanner, *first);
}

void append_term(std::string& out, const Ordinal::Term& term) {
    if (term.exponent == 0) return append_text(out, term.coefficient);
    out += 'w';
    if (term.exponent > 1) {
        out += '^';
        append_text(out, term.exponent);
    }
    if (term.coefficient > 1) {
        out += '*';
        append_text(out, term.coefficient);
    }
}

// "(a,b,c)", with the given separator and writer of an element.
template <typename Elements, typename Append>
void append_bracket(std::string& out, const Elements& elements, char separator, Append append) {
    out += '(';
    bool first = true;
    for (const auto& element : elements) {
        if (!first) out += separator;
        first = false;
        append(out, element);
    }
    out += ')';
}

template <typename T, typename Scan>
Result<T> parse_whole(std::string_view text, Scan scan) {
    Scanner scanner(text);
    auto value = scan(scanner);
    if (value && !scanner.at_end()) return scanner.refuse("the end");
    return value;
}

}  // namespace

Result<Number> scan_number(Scanner& scanner) {
    const std::size_t at = scanner.at();
    const std::string_view digits = scanner.take_while(is_digit);
    if (digits.empty()) return scanner.refuse("a number");
    Number value = 0;
    const auto [end, failed] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failed != std::errc() || value > kMaxNumber) {
        return Scanner::refuse_word(at, digits, "a number up to 9223372036854775807");
    }
    return value;
}

Result<Heap> scan_heap(Scanner& scanner, HeapSyntax syntax) {
    if (syntax != HeapSyntax::Plain) {
        const std::string_view name = scanner.take_while(is_vertex_char);
        if (name.empty()) {
            return scanner.refuse(syntax == HeapSyntax::Board
                                      ? "a board such as ooo_oxo"
                                      : "a vertex: letters, digits and '_'");
        }
        return Heap(Vertex{std::string(name)});
    }
    if (is_digit(scanner.peek())) {
        const auto number = scan_number(scanner);
        if (!number) return number.error();
        return Heap(*number);
    }
    if (scanner.accept('(')) return scan_bracket(scanner);
    if (scanner.peek() == 'w') {
        return scanner.refuse("an ordinal below w^w in brackets, such as (w^2+1)");
    }
    if (scanner.peek() == '-') return scanner.refuse("a heap such as 5; the least is 0");
    return scanner.refuse("a heap such as 5, (3,5) or (w+1)");
}

Result<std::vector<Heap>> scan_heaps(Scanner& scanner, HeapSyntax syntax) {
    std::vector<Heap> heaps;
    do {
        auto heap = scan_heap(scanner, syntax);
        if (!heap) return heap.error();
        heaps.push_back(*std::move(heap));
    } while (scanner.accept(','));
    return heaps;
}

HeapSyntax heap_syntax(std::string_view ruleset_name) {
    if (ruleset_name == "graph") return HeapSyntax::Vertex;
    return ruleset_name == "cram" || ruleset_name == "notakto" ? HeapSyntax::Board
                                                               : HeapSyntax::Plain;
}

Result<Heap> parse_heap(std::string_view text, HeapSyntax syntax) {
    return parse_whole<Heap>(text,
                             [&](Scanner& scanner) { return scan_heap(scanner, syntax); });
}

Result<Number> parse_number(std::string_view text) {
    return parse_whole<Number>(text, scan_number);
}

void append_text(std::string& out, Number number) {
    char digits[20];
    const auto [end, failed] = std::to_chars(digits, digits + sizeof digits, number);
    out.append(digits, end);
}

void append_text(std::string& out, const Heap& heap) {
    if (const auto* number = std::get_if<Number>(&heap)) {
        append_text(out, *number);
    } else if (const auto* tuple = std::get_if<Tuple>(&heap)) {
        append_bracket(out, tuple->entries, ',',
                       [](std::string& to, Number entry) { append_text(to, entry); });
    } else if (const auto* vertex = std::get_if<Vertex>(&heap)) {
        out += vertex->name;
    } else {
        append_bracket(out, std::get<Ordinal>(heap).terms, '+', append_term);
    }
}

std::string to_string(const Heap& heap) {
    std::string text;
    append_text(text, heap);
    return text;
}

}  // namespace protocol
