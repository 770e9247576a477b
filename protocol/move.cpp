#include "protocol/move.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "protocol/heap_parser.hpp"
#include "protocol/scanner.hpp"

namespace protocol {
namespace {

constexpr std::string_view kMoveForm = "a move such as 2=1";

// The heap that a move begins with.
struct NumberedHeap {
    std::size_t index = 0;
    HeapLookup found;
};

Result<NumberedHeap> scan_index(Scanner& scanner, const Position& position,
                                const FindHeap& find) {
    const std::size_t at = scanner.at();
    const std::string_view digits = scanner.take_while(is_digit);
    if (digits.empty()) return scanner.refuse(kMoveForm);

    const auto expected = [&] {
        return "the number of a heap, 1.." + std::to_string(position.heap_count());
    };
    // 20 digits or more exceed every index; fewer cannot overflow.
    if (digits.front() == '0' || digits.size() > 19) {
        return Scanner::refuse_word(at, digits, expected());
    }
    std::size_t index = 0;
    for (const char digit : digits) index = index * 10 + static_cast<std::size_t>(digit - '0');
    const HeapLookup found = find(index);
    if (!found) return Scanner::refuse_word(at, digits, expected());
    return NumberedHeap{index, found};
}

// The whole of `text`, where that is one number: as almost all results are.
std::optional<Number> lone_number(std::string_view text) {
    Number number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, failed] = std::from_chars(text.data(), end, number);
    if (failed != std::errc() || stop != end || number > kMaxNumber) return std::nullopt;
    return number;
}

}  // namespace

std::vector<Heap> canonical_result(std::string_view ruleset_name, std::vector<Heap> result) {
    if (heap_syntax(ruleset_name) != HeapSyntax::Plain) return result;
    if (ruleset_name != "rules") {
        std::erase_if(result, is_zero);
        if (result.empty()) result.emplace_back(Number{0});
    }
    std::ranges::sort(result);
    return result;
}

Result<Move> parse_move(std::string_view text, const Position& position) {
    return parse_move(text, position,
                      [&](std::size_t index) { return find_heap(position, index); });
}

Result<Move> parse_move(std::string_view text, const Position& position, const FindHeap& find) {
    Scanner scanner(text);
    const auto heap = scan_index(scanner, position, find);
    if (!heap) return heap.error();
    if (!scanner.accept('=')) return scanner.refuse("'=' after the number of the heap");

    const std::string_view ruleset = heap->found.component->ruleset.name();
    const HeapSyntax syntax = heap_syntax(ruleset);
    if (syntax == HeapSyntax::Plain) {
        if (const auto number = lone_number(text.substr(scanner.at()))) {
            Move move{heap->index, {}};
            move.result.emplace_back(*number);
            return move;
        }
    }
    auto heaps = scan_heaps(scanner, syntax);
    if (!heaps) return heaps.error();
    if (scanner.peek() == '.') {  // 1=0.0, as of a division
        const std::size_t begin = text.find_last_of("=,(", scanner.at()) + 1;
        const std::size_t end = std::min(text.find_first_of(",)", begin), text.size());
        return Scanner::refuse_word(begin, text.substr(begin, end - begin), "a whole number");
    }
    if (!scanner.at_end()) return scanner.refuse("',' or the end");
    if (syntax == HeapSyntax::Vertex && heaps->size() > 1) {
        return Error{Fault::BadInput, "read several vertices, expected one", 1};
    }
    return Move{heap->index, canonical_result(ruleset, *std::move(heaps))};
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
    replace(position, find_heap(position, move.heap).place, 1, move.result);
}

void replace(Position& position, HeapPlace place, std::size_t count,
             std::span<const Heap> result) {
    std::vector<Heap>& heaps = position.components[place.component].heaps;
    const auto at = heaps.begin() + static_cast<std::ptrdiff_t>(place.heap);
    const std::size_t same = std::min(count, result.size());
    const auto next = std::copy_n(result.begin(), same, at);
    heaps.erase(next, at + static_cast<std::ptrdiff_t>(count));
    heaps.insert(at + static_cast<std::ptrdiff_t>(same),
                 result.begin() + static_cast<std::ptrdiff_t>(same), result.end());
}

}  // namespace protocol
