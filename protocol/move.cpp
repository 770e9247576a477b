#include "protocol/move.hpp"

#include <algorithm>
#include <utility>

#include "protocol/heap_parser.hpp"
#include "protocol/scanner.hpp"

namespace protocol {
namespace {

constexpr std::string_view kMoveForm = "a move such as 2=1";

Result<std::size_t> scan_index(Scanner& scanner, const Position& position) {
    const std::size_t at = scanner.at();
    const std::string_view digits = scanner.take_while(is_digit);
    if (digits.empty()) return scanner.refuse(kMoveForm);

    const auto expected = [&] {
        return "the number of a heap, 1.." + std::to_string(position.heap_count());
    };
    // 20 digits and more are beyond every heap; fewer cannot overflow.
    if (digits.front() == '0' || digits.size() > 19) {
        return Scanner::refuse_word(at, digits, expected());
    }
    std::size_t index = 0;
    for (const char digit : digits) index = index * 10 + static_cast<std::size_t>(digit - '0');
    if (!find_heap(position, index)) return Scanner::refuse_word(at, digits, expected());
    return index;
}

}  // namespace

std::vector<Heap> canonical_result(std::string_view ruleset_name, std::vector<Heap> result) {
    if (ruleset_name == "graph") return result;
    if (ruleset_name != "rules") {
        std::erase_if(result, is_zero);
        if (result.empty()) result.emplace_back(Number{0});
    }
    std::ranges::sort(result);
    return result;
}

Result<Move> parse_move(std::string_view text, const Position& position) {
    Scanner scanner(text);
    const auto index = scan_index(scanner, position);
    if (!index) return index.error();
    if (!scanner.accept('=')) return scanner.refuse("'=' behind the number of the heap");

    const std::string_view ruleset = find_heap(position, *index).component->ruleset.name();
    const HeapSyntax syntax = heap_syntax(ruleset);
    auto heaps = scan_heaps(scanner, syntax);
    if (!heaps) return heaps.error();
    if (!scanner.at_end()) return scanner.refuse("',' or the end");
    if (syntax == HeapSyntax::Vertex && heaps->size() > 1) {
        return Error{Fault::BadInput, "read several vertices, expected one", 1};
    }
    return Move{*index, canonical_result(ruleset, *std::move(heaps))};
}

void append_text(std::string& out, const Move& move) {
    append_text(out, Number{move.heap});
    char separator = '=';
    for (const Heap& heap : move.result) {
        out += separator;
        append_text(out, heap);
        separator = ',';
    }
}

std::string to_string(const Move& move) {
    std::string text;
    append_text(text, move);
    return text;
}

void apply(Position& position, const Move& move) {
    const HeapPlace place = find_heap(position, move.heap).place;
    std::vector<Heap>& heaps = position.components[place.component].heaps;
    const auto at = heaps.begin() + static_cast<std::ptrdiff_t>(place.heap);
    *at = move.result.front();
    heaps.insert(at + 1, move.result.begin() + 1, move.result.end());
}

}  // namespace protocol
