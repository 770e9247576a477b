// Rulesets without parameters have their sentence in the catalogue. Where parameters decide
// what a move is, the sentence is made of them: of the numbers of take{…}, of each digit of a
// code, of the clauses of rules{…}. The parameters are read by the readers that make the
// rulesets, so the words cannot drift away from the moves.
#include "engine/rules/rule_words.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <boost/algorithm/string/replace.hpp>

#include "engine/rules/literature.hpp"
#include "engine/rules/octal.hpp"
#include "engine/rules/take.hpp"
#include "protocol/scanner.hpp"

namespace engine {
namespace {

using protocol::Scanner;

constexpr std::size_t kMostItems = 10;  // numbers of a list, digits of a code, clauses

// "1", "1 or 3", "1, 3 or 4"; long lists end with "…".
std::string either(const std::vector<std::string>& items) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i == kMostItems) return text + ", …";
        const bool is_last = i + 1 == items.size();
        if (i > 0) text += is_last ? " or " : ", ";
        text += items[i];
    }
    return text;
}

std::string numbers_in_words(const std::vector<Interval>& intervals) {
    std::vector<std::string> items;
    for (const auto& [first, last] : intervals) {
        if (items.size() > kMostItems) break;
        const std::string from = std::to_string(first);
        if (last == protocol::kMaxNumber) {
            items.push_back(from + " or more");
        } else if (last - first > 1) {
            items.push_back(from + " to " + std::to_string(last));
        } else {
            items.push_back(from);
            if (last > first) items.push_back(std::to_string(last));
        }
    }
    return either(items);
}

std::string take_words(const TakeSet& set) {
    if (set.is_everything()) return "Take any number from a heap.";
    return "Take " + numbers_in_words(set.intervals()) + " from a heap.";
}

// The numbers to take that have the same digit.
struct DigitPlaces {
    unsigned digit = 0;
    std::vector<Interval> taken;
};

std::vector<DigitPlaces> places_of(const OctalCode& code) {
    std::vector<DigitPlaces> all;
    const std::size_t size = code.digits().size();
    for (Number taken = 1; taken < size; ++taken) {
        const unsigned digit = code.digit(taken);
        if (digit == 0) continue;
        auto places = std::ranges::find(all, digit, &DigitPlaces::digit);
        if (places == all.end()) places = all.insert(all.end(), DigitPlaces{digit, {}});
        const bool is_for_ever = code.repeated() == 1 && taken + 1 == size;
        const Number last = is_for_ever ? protocol::kMaxNumber : taken;
        if (!places->taken.empty() && places->taken.back().last + 1 == taken) {
            places->taken.back().last = last;
        } else {
            places->taken.push_back({taken, last});
        }
    }
    return all;
}

// What the bits of a digit allow to be left.
std::string left_by(unsigned digit) {
    constexpr std::string_view kLeft[]{"nothing", "one heap", "two heaps", "three heaps"};
    std::vector<std::string> items;
    for (unsigned bit = 0; bit < 4; ++bit) {
        if ((digit >> bit & 1U) != 0) items.emplace_back(kLeft[bit]);
    }
    return either(items);
}

std::string code_words(const OctalCode& code) {
    std::string text;
    if (const unsigned split = code.digit(0); split != 0) {
        text = "Split a heap, taking nothing, into " + left_by(split) + ". ";
    }
    std::size_t count = 0;
    for (const auto& [digit, taken] : places_of(code)) {
        if (++count > kMostItems) break;
        text += "Take " + numbers_in_words(taken) + " and leave " + left_by(digit) + ". ";
    }
    if (code.repeated() > 1) {
        text += "The last " + std::to_string(code.repeated()) +
                " digits repeat for ever, for larger numbers to take. ";
    }
    text.pop_back();
    return text;
}

// The pieces between separators outside of parentheses.
std::vector<std::string> split_outside(std::string_view text, char separator) {
    std::vector<std::string> pieces(1);
    int depth = 0;
    for (const char c : text) {
        if (c == '(') ++depth;
        if (c == ')') --depth;
        if (c == separator && depth == 0) {
            pieces.emplace_back();
        } else {
            pieces.back() += c;
        }
    }
    return pieces;
}

// "n->n-k:k>=1;stop:n<3" as "A heap n can become n-k, where k>=1. There is no move if n<3."
std::string clauses_words(std::string_view parameters) {
    std::string text, stops;
    std::string_view heap;  // of the clause before
    std::size_t count = 0;
    const auto clauses = split_outside(parameters, ';');
    for (const std::string_view clause : clauses) {
        const std::size_t colon = std::min(clause.find(':'), clause.size());
        const std::string_view play = clause.substr(0, colon);
        std::string condition(clause.substr(std::min(colon + 1, clause.size())));
        boost::replace_all(condition, "&", " and ");
        boost::replace_all(condition, "|", " or ");
        if (play == "stop") {
            stops += " There is no move if " + condition + ".";
            continue;
        }
        if (count++ == kMostItems) return text + "; …";
        const std::size_t arrow = play.find("->");
        const bool is_same = play.substr(0, arrow) == heap;
        heap = play.substr(0, arrow);
        text += count == 1 ? "A heap " : is_same ? "; or " : "; ";
        if (!is_same) text += std::string(heap) + " can become ";
        const auto results = split_outside(play.substr(arrow + 2), ',');
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (i > 0) text += i + 1 == results.size() ? " and " : ", ";
            const std::size_t end = results[i].find(']') + 1;  // of a series, or 0
            text += results[i].substr(end);
            if (end > 0) text += " for each " + results[i].substr(1, end - 2);
        }
        if (!condition.empty()) text += ", where " + condition;
    }
    return text + "." + stops;
}

// What stands in the braces.
std::string_view parameters_of(const RulesetText& ruleset) {
    const std::string_view text = ruleset.text;
    const std::size_t begin = std::min(text.find('{'), text.size() - 1) + 1;
    return text.substr(begin, text.size() - std::min(text.size(), begin + 1));
}

std::string moore_words(std::string_view most) {
    if (most == "1") return "Take any number from one heap.";
    return "Take any number from one heap, or from each of several, up to " +
           std::string(most) + " heaps in a move.";
}

}  // namespace

std::string rule_words(const RulesetText& ruleset) {
    const RulesetGuide* const guide = find_guide(ruleset.name());
    if (guide == nullptr || !find_ruleset(ruleset)) return {};
    if (const auto* game = find_literature(ruleset)) return std::string(game->rules);

    const std::string_view parameters = parameters_of(ruleset);
    Scanner scanner(parameters);
    if (guide->name == "take") {
        if (const auto set = read_take_set(scanner)) return take_words(*set);
    }
    const bool is_pass = guide->name == "pass";
    if (guide->name == "octal" || guide->name == "hex" || is_pass) {
        const CodeBase base = guide->name == "hex" ? CodeBase::Hex : CodeBase::Octal;
        if (const auto code = read_octal_code(scanner, base)) {
            return code_words(*code) +
                   (is_pass
                        ? " Or pass; the last number of the heap is the number of passes left."
                        : "");
        }
    }
    if (guide->name == "moore") return moore_words(parameters);
    if (guide->name == "rules") return clauses_words(parameters);
    return std::string(guide->rules);
}

}  // namespace engine
