// Words are found from what a move leaves, by the kind of the pile's drawing: stones that are
// taken, a queen or a token that moves, a row that becomes shorter. For dominoes and for games
// on graphs drawing.hpp knows which parts of the drawing a move touches.
#include "arena/report/move_words.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json.hpp>

#include "arena/base/counted.hpp"
#include "arena/report/drawing.hpp"
#include "engine/rules/board.hpp"
#include "protocol/text.hpp"

namespace arena::pages {
namespace {

namespace json = boost::json;
using protocol::Heap;
using protocol::Number;
using MoveResults = std::span<const std::vector<Heap>>;

constexpr std::size_t kMostHeapText = 100;    // bytes
constexpr std::size_t kMostItems = 12;        // of a list
constexpr std::size_t kMostDominoBoard = 36;  // cells: larger ones take long to match
constexpr std::size_t kMostGraph = 4096;      // bytes: larger graphs take long to read

// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& items) {
    if (items.size() > kMostItems) return fmt::format("{} parts", items.size());
    return arena::listed(items, "and");
}

std::string text_of(const Heap& heap) {
    return protocol::printable(to_string(heap), kMostHeapText);
}

std::string leaving(const std::vector<Heap>& result) {
    std::vector<std::string> heaps;
    for (const Heap& heap : result) heaps.push_back(text_of(heap));
    return listed(heaps);
}

std::string laying(const std::string& pile, const std::vector<Heap>& result) {
    return fmt::format("lay a domino in {}, leaving {}", pile, leaving(result));
}

// Of a heap that is a number; empty if more is left than there was.
std::string taking(const std::string& pile, Number heap, const std::vector<Heap>& result) {
    Number left = 0;
    std::vector<std::string> heaps;
    for (const Heap& part : result) {
        const auto* number = std::get_if<Number>(&part);
        if (number == nullptr || *number > heap - left) return {};
        left += *number;
        if (*number > 0) heaps.push_back(std::to_string(*number));
    }
    if (left == 0) return fmt::format("take all of {}", pile);
    if (left < heap)
        return fmt::format("take {} from {}, leaving {}", heap - left, pile, listed(heaps));
    return heaps.size() > 1 ? fmt::format("split {} into {}", pile, listed(heaps)) : "";
}

// The entries of a number or of a tuple; empty for any other heap.
std::vector<Number> entries_of(const Heap& heap) {
    if (const auto* number = std::get_if<Number>(&heap)) return {*number};
    const auto* tuple = std::get_if<protocol::Tuple>(&heap);
    return tuple == nullptr ? std::vector<Number>{} : tuple->entries;
}

// Entries before and after a move that keeps their number.
struct Entries {
    std::vector<Number> before, after;
};

// The places whose entries have become smaller; nullopt if one has become larger, or none
// smaller.
std::optional<std::vector<std::size_t>> smaller(const Entries& entries) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < entries.before.size(); ++i) {
        if (entries.after[i] > entries.before[i]) return std::nullopt;
        if (entries.after[i] < entries.before[i]) places.push_back(i);
    }
    if (places.empty()) return std::nullopt;
    return places;
}

std::string taking_from_rows(const std::string& pile, const Entries& entries) {
    const auto rows = smaller(entries);
    if (!rows) return {};
    std::vector<std::string> taken;
    for (const std::size_t row : *rows) {
        const Number count = entries.before[row] - entries.after[row];
        taken.push_back(fmt::format("{} from row {}", count, row + 1));
    }
    return fmt::format("take {} of {}", listed(taken), pile);
}

std::string biting(const std::string& pile, const Entries& entries) {
    const auto rows = smaller(entries);
    if (!rows) return {};
    Number taken = 0;
    for (const std::size_t row : *rows) taken += entries.before[row] - entries.after[row];
    return fmt::format("bite at row {}, column {} of {}, taking {}", rows->front() + 1,
                       entries.after[rows->front()] + 1, pile, taken);
}

std::string eating(const std::string& pile, const Entries& entries) {
    for (std::size_t eaten = 0; eaten < entries.before.size(); ++eaten) {
        if (entries.before[eaten] == 0) continue;
        std::vector<Number> left = entries.before;
        for (Number& days : left) days -= std::min<Number>(days, 1);
        left[eaten] = 0;
        if (left == entries.after) return fmt::format("eat cookie {} of {}", eaten + 1, pile);
    }
    return {};
}

std::string moving_coin(const std::string& pile, const Entries& entries) {
    std::vector<Number> gone, come;
    const auto lacks = [](const std::vector<Number>& all, Number place) {
        return std::ranges::find(all, place) == all.end();
    };
    for (const Number place : entries.before)
        if (lacks(entries.after, place)) gone.push_back(place);
    for (const Number place : entries.after)
        if (lacks(entries.before, place)) come.push_back(place);
    if (gone.size() != 1 || come.size() != 1) return {};
    return fmt::format("move the coin of {} from {} to {}", pile, gone[0], come[0]);
}

// Whether only the last entry has changed, by 1.
bool takes_pass(const Entries& entries) {
    std::vector<Number> passed = entries.before;
    if (passed.empty() || passed.back() == 0) return false;
    --passed.back();
    return passed == entries.after;
}

// Heaps, and last the number of passes. A move that is no pass replaces one heap.
std::string with_passes(const std::string& pile, const Entries& entries) {
    if (takes_pass(entries))
        return fmt::format("pass in {}, leaving {} of its passes", pile, entries.after.back());
    std::vector<Number> gone(entries.before);
    std::vector<Heap> come;
    for (const Number entry : entries.after) {
        const auto kept = std::ranges::find(gone, entry);
        if (kept == gone.end()) {
            come.emplace_back(entry);
        } else {
            gone.erase(kept);
        }
    }
    if (gone.size() != 1) return {};
    const bool is_one = entries.before.size() == 2;
    return taking(is_one ? pile : fmt::format("the {} of {}", gone[0], pile), gone[0], come);
}

std::string with_entries(std::string_view ruleset, const std::string& pile,
                         const Entries& entries) {
    if (ruleset == "pass") return with_passes(pile, entries);
    if (entries.before.empty() || entries.before.size() != entries.after.size()) return {};
    const std::string_view kind = drawing_kind(ruleset);
    if (kind == "board") {
        return fmt::format("move the queen of {} to ({},{})", pile, entries.after[0],
                           entries.after.back());
    }
    if (ruleset == "rules" && entries.before.size() == 2)
        return fmt::format("move {} to ({},{})", pile, entries.after[0], entries.after[1]);
    if (kind == "cookies") return eating(pile, entries);
    if (kind == "bar") return biting(pile, entries);
    if (kind == "strip") return moving_coin(pile, entries);
    return taking_from_rows(pile, entries);
}

// A cell that was free, on a board of the same form.
std::string writing(const std::string& pile, const std::string& before,
                    const std::string& after) {
    if (before.size() != after.size()) return {};
    const auto cell =
        static_cast<std::size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
    if (cell == before.size()) return {};
    const engine::Board board(before);
    return fmt::format("write x in row {}, column {} of {}", cell / board.width + 1,
                       cell % board.width + 1, pile);
}

std::string of_one(std::string_view ruleset, const std::string& pile, const Heap& heap,
                   const std::vector<Heap>& result) {
    const auto* number = std::get_if<Number>(&heap);
    const std::string_view kind = drawing_kind(ruleset);
    if (kind == "links") return {};  // the numbers are sets
    if (number != nullptr && kind != "cookies") return taking(pile, *number, result);
    if (ruleset == "cram") return laying(pile, result);
    if (result.size() != 1) return {};
    const auto* before = std::get_if<protocol::Vertex>(&heap);
    const auto* after = std::get_if<protocol::Vertex>(result.data());
    if (before != nullptr && after != nullptr) {
        if (kind == "graph")
            return fmt::format("move the token of {} to {}", pile, text_of(result[0]));
        return ruleset == "notakto" ? writing(pile, before->name, after->name) : "";
    }
    return with_entries(ruleset, pile, {entries_of(heap), entries_of(result[0])});
}

// ---- moves of which the drawing says what they touch ----

std::size_t index_of(std::string_view key) { return *protocol::parse_number(key.substr(1)); }

std::string vertex_name(const json::object& drawing, std::size_t vertex) {
    return protocol::printable(drawing.at("vertices").at(vertex).as_string(), kMostHeapText);
}

std::string edge_name(const json::object& drawing, std::size_t edge) {
    const json::array& ends = drawing.at("edges").at(edge).as_array();
    return fmt::format("{}–{}", vertex_name(drawing, ends[0].to_number<std::size_t>()),
                       vertex_name(drawing, ends[1].to_number<std::size_t>()));
}

std::string with_links(const std::string& pile, const json::object& drawing,
                       const json::value& touched) {
    std::vector<std::string> taken, fallen;
    const std::string_view pressed = touched.at("press").at(0).as_string();
    for (const json::value& key : touched.at("gone").as_array()) {
        const std::string_view part = key.as_string();
        if (part.starts_with('v')) {
            taken.push_back(vertex_name(drawing, index_of(part)));
        } else if (part != pressed) {
            fallen.push_back(edge_name(drawing, index_of(part)));
        }
    }
    if (!taken.empty()) return fmt::format("take {} from {}", listed(taken), pile);
    const std::string cut =
        fmt::format("cut {} of {}", edge_name(drawing, index_of(pressed)), pile);
    if (fallen.empty()) return cut;
    return fmt::format("{}, so that {} {}", cut, listed(fallen),
                       fallen.size() == 1 ? "falls" : "fall");
}

// Parts count from the lower left corner, words from the upper left one.
std::string with_domino(const std::string& pile, const Heap& heap, const json::value& touched) {
    const engine::Board board(std::get<protocol::Vertex>(heap).name);
    std::vector<std::string> cells;
    for (const json::value& key : touched.at("press").as_array()) {
        const std::string_view part = key.as_string();
        const std::size_t comma = part.find(',');
        cells.push_back(fmt::format("row {}, column {}",
                                    board.rows() - index_of(part.substr(comma)),
                                    index_of(part.substr(0, comma)) + 1));
    }
    return fmt::format("lay a domino on {} of {}", fmt::join(cells, " and "), pile);
}

// The words of moves for which the drawing has parts; empty for all others.
std::vector<std::string> of_touched(const protocol::RulesetText& ruleset, const Heap& heap,
                                    const std::string& pile, MoveResults results) {
    std::vector<std::string> words(results.size());
    const auto* board = std::get_if<protocol::Vertex>(&heap);
    if (board != nullptr && board->name.size() > kMostDominoBoard) return words;
    if (ruleset.text.size() > kMostGraph) return words;
    const json::array touched = touched_parts(ruleset, heap, results);
    if (touched.empty()) return words;
    const json::object drawing = drawing_of(ruleset, heap);
    if (drawing.at("kind") == "text") return words;
    for (const json::value& one : touched) {
        const auto move = one.at("move").to_number<std::size_t>();
        // Dominoes in several places leave the same board, turned: which was meant is not
        // known.
        if (board == nullptr) {
            words[move] = with_links(pile, drawing, one);
        } else if (words[move].empty()) {
            words[move] = with_domino(pile, heap, one);
        } else {
            words[move] = laying(pile, results[move]);
        }
    }
    return words;
}

}  // namespace

std::vector<std::string> move_words(const protocol::RulesetText& ruleset, const Heap& heap,
                                    std::size_t pile, MoveResults results) {
    const std::string name = fmt::format("pile {}", pile);
    std::vector<std::string> words = of_touched(ruleset, heap, name, results);
    for (std::size_t move = 0; move < results.size(); ++move) {
        if (words[move].empty())
            words[move] = of_one(ruleset.name(), name, heap, results[move]);
        if (words[move].empty())
            words[move] = fmt::format("turn {} into {}", name, leaving(results[move]));
    }
    return words;
}

std::string move_words(const protocol::Position& before, const protocol::Move& move) {
    const auto found = find_heap(before, move.heap);
    return move_words(found.component->ruleset, found.heap(), move.heap, {&move.result, 1})
        .front();
}

bool is_pass(const protocol::RulesetText& ruleset, const Heap& heap,
             const std::vector<Heap>& result) {
    return ruleset.name() == "pass" && result.size() == 1 &&
           takes_pass({entries_of(heap), entries_of(result[0])});
}

std::string told_move(const protocol::Position& before, std::string_view text) {
    const auto move = protocol::parse_move(text, before);
    return move && find_heap(before, move->heap) ? move_words(before, *move) : std::string();
}

}  // namespace arena::pages
