#include "engine/commands/heap_range.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "protocol/scanner.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::Result;

namespace {

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
    return scanner.refuse_at(0, fmt::format("{} heaps at most", most));
}

}  // namespace engine
