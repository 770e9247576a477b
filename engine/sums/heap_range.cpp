#include "engine/sums/heap_range.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/rules/entries.hpp"
#include "protocol/scanner.hpp"

namespace engine {

namespace {

constexpr std::size_t kBoards = 0;
constexpr Number kMostBoards = 1024;  // so that none has more cells

// Whether heaps have this many entries, or are boards of any size: 0, (1,0) or (2,1,0) is one,
// as some rulesets take no equal entries, or none that rise.
bool fits(const Ruleset& rules, std::size_t entries) {
    if (entries == kBoards) return rules.check_heap(Vertex{"oo"}).has_value();
    std::vector<Number> falling;
    for (std::size_t i = entries; i > 0; --i) falling.push_back(i - 1);
    return rules.check_heap(HeapRange{}.heap(falling)).has_value();
}

std::string_view expected_range(RangeSyntax syntax) {
    return syntax == RangeSyntax::Numbers ? "a range such as 0-40, or 7"
                                          : "a range such as 0-99, 7, 8x8 or 4x5x6";
}

}  // namespace

Result<HeapRange> read_heap_range(std::string_view text, RangeSyntax syntax, Number most) {
    protocol::Scanner scanner(text);
    const auto number = [&]() -> Result<Number> {
        const auto digits = scanner.take_while(protocol::is_digit);
        if (digits.empty()) return scanner.refuse(expected_range(syntax));
        return protocol::parse_number(digits);
    };
    const auto first = number();
    if (!first) return first.error();
    HeapRange range{*first, *first};
    const std::size_t last_at = scanner.at() + 1;
    if (scanner.accept('-')) {
        const auto last = number();
        if (!last) return last.error();
        if (*last < *first) return scanner.refuse_at(last_at, "a range that ascends");
        range.to = *last;
    } else if (syntax == RangeSyntax::AnyHeaps && scanner.peek() == 'x') {
        range.sizes.push_back(*first);
        while (scanner.accept('x')) {
            const auto size = number();
            if (!size) return size.error();
            range.sizes.push_back(*size);
        }
    }
    if (!scanner.at_end() || range.sizes.size() > 3) {
        return scanner.refuse(expected_range(syntax));
    }
    if (std::ranges::count(range.sizes, 0U) > 0) return scanner.refuse_at(0, "sizes from 1");

    Number heaps = range.sizes.empty() ? range.to - range.from + 1 : 1;
    for (const Number size : range.sizes) {
        heaps = size > most / heaps ? most + 1 : heaps * size;
    }
    if (heaps <= most) return range;
    return protocol::Scanner::refuse_word(0, text, fmt::format("{} heaps at most", most));
}

Result<std::optional<HeapRange>> read_range_of(const NamedRuleset& ruleset,
                                               std::optional<std::string_view> text,
                                               Number most) {
    if (shape_as<shape::Digraph>(*ruleset.rules)) {
        if (!text) return std::optional<HeapRange>{};
        return misread(*text, "no range: all vertices of a graph are listed");
    }
    struct Form {
        std::size_t entries;
        std::string_view kind, example, heaps;
    };
    constexpr Form kForms[]{{1, "a range", "0-99", "numbers"},
                            {2, "sizes", "8x8", "pairs"},
                            {3, "sizes", "4x5x6", "triples"},
                            {kBoards, "sizes", "4x6", "boards"}};
    const auto* form = std::ranges::find_if(
        kForms, [&](const Form& any) { return fits(*ruleset.rules, any.entries); });
    if (form == std::end(kForms)) {
        return misread(ruleset.text.text,
                       "a ruleset whose heaps are numbers, pairs, triples, vertices, or boards "
                       "of any size");
    }
    if (!text) {
        return Error{Fault::BadInput,
                     fmt::format("read no range after the ruleset, expected one such as {}",
                                 form->example)};
    }
    const bool of_boards = form->entries == kBoards;
    auto range = read_heap_range(*text, RangeSyntax::AnyHeaps,
                                 of_boards ? std::min(most, kMostBoards) : most);
    if (!range) return range.error();
    range->of_boards = of_boards;
    const std::size_t entries = std::max<std::size_t>(range->sizes.size(), 1);
    if (of_boards ? entries == 2 : fits(*ruleset.rules, entries)) {
        return std::optional(*std::move(range));
    }
    return misread(*text, fmt::format("{} such as {}: heaps of the ruleset are {}", form->kind,
                                      form->example, form->heaps));
}

std::string usual_range(const Ruleset& rules) {
    if (shape_as<shape::Digraph>(rules)) return "";
    if (fits(rules, kBoards)) return "4x6";
    if (fits(rules, 2)) return "20x20";
    if (fits(rules, 3)) return "3x8x8";
    Number last = 199;  // of a graph's parts there may be fewer
    while (last > 0 && !rules.check_heap(Heap(last))) --last;
    return fmt::format("0-{}", last);
}

Heap HeapRange::heap(const std::vector<Number>& entries) const {
    if (!of_boards) return heap_with(entries);
    std::string board;
    for (Number row = 0; row <= entries[0]; ++row) {
        board += (row > 0 ? "_" : "") + std::string(entries[1] + 1, 'o');
    }
    return Vertex{std::move(board)};
}

}  // namespace engine
