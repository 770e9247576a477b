// The positions of a family are not stored, because a million of them would take much memory:
// each is computed from its number. A block has all positions of one sum with given numbers of
// heaps in its parts. Within a block the number is a mixed-radix number with a digit for each
// part; the digit itself encodes the heaps of the part, as digits in their turn or, for sorted
// families, as the rank of a multiset in lexicographic order.
//
// PositionSet joins families and single positions. Only if positions can repeat does it keep a
// list of numbers without the repeated ones.
#include "arena/check/family.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/bad_input.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Convention;
using protocol::Heap;
using protocol::Position;
using protocol::Result;

constexpr std::uint64_t kUncounted = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMostHeaps = 100;
constexpr std::size_t kMostBlocks = 100'000;
// ---- numbers that saturate ----

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? kUncounted : product;
}

std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? kUncounted : sum;
}

// Sorted lists of `length` out of `kinds`: C(kinds + length - 1, length).
std::uint64_t sorted_lists(std::uint64_t kinds, std::size_t length) {
    if (kinds == 0) return length == 0 ? 1 : 0;
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < length; ++i) {
        const std::uint64_t more = times(count, kinds + i);
        if (more == kUncounted) return kUncounted;
        count = more / (i + 1);
    }
    return count;
}

// ---- reading ----

// Takes out the word `sorted`, which suites do not have. Blanks keep the columns of errors.
bool take_sorted(std::string& words) {
    constexpr std::string_view kSorted = ";sorted";
    for (auto at = words.find(kSorted); at != words.npos; at = words.find(kSorted, at + 1)) {
        const auto next = words.find_first_not_of(' ', at + kSorted.size());
        if (next != words.npos && words[next] != ';') continue;
        words.replace(at, kSorted.size(), kSorted.size(), ' ');
        return true;
    }
    return false;
}

std::vector<std::string_view> texts_of(const Suite::Sum& sum) {
    std::vector<std::string_view> texts;
    for (const Suite::Part& part : sum) texts.push_back(part.text.text);
    return texts;
}

// In a suite a repeated sum is drawn more often; a family has each position once.
void drop_repeats(std::vector<Suite::Sum>& mix) {
    std::set<std::vector<std::string_view>> seen;
    std::vector<Suite::Sum> kept;
    for (Suite::Sum& sum : mix) {
        if (seen.contains(texts_of(sum))) continue;
        seen.insert(texts_of(kept.emplace_back(std::move(sum))));
    }
    mix = std::move(kept);
}

// Refuses words of a suite that make no sense where all positions are asked.
Result<void> check_suite(const Suite& suite) {
    if (suite.winning || (suite.n && *suite.n != 50)) {
        return bad_input(
            "read the keys n or winning of a suite, expected neither: a family is every "
            "position of a kind");
    }
    if (suite.heaps.most > kMostHeaps) {
        return bad_input("read {} heaps, expected at most {}", suite.heaps.most, kMostHeaps);
    }
    return {};
}

// ---- the canonical text ----

std::string range_text(const Range& range) {
    if (range.least == range.most) return std::to_string(range.least);
    return fmt::format("{}..{}", range.least, range.most);
}

std::string family_text(const Suite& suite, bool sorted) {
    std::string text;
    for (const Suite::Sum& sum : suite.mix) {
        if (!text.empty()) text += ',';
        text += fmt::format("{}", fmt::join(texts_of(sum), "+"));
    }
    text += fmt::format(";heaps={};size={}", range_text(suite.heaps), range_text(suite.size));
    if (suite.misere == Suite::Misere::On) text += ";misere=on";
    if (suite.misere == Suite::Misere::Mixed) text += ";misere=mixed";
    return text + (sorted ? ";sorted" : "");
}

protocol::Error too_many(const std::string& what, std::uint64_t count) {
    const std::string words = count == kUncounted ? "more than 10^15" : std::to_string(count);
    return bad_input(
        "{} has {} positions, expected at most {}: ask for fewer or smaller heaps, or for "
        "sorted heaps",
        what, words, kMostAsked);
}

// ---- numbers of lists ----

// Heaps in any order: the digits of `rank`, the last one least significant.
void add_digits(const std::vector<Heap>& kinds, std::size_t length, std::uint64_t rank,
                std::vector<Heap>& out) {
    const std::size_t first = out.size();
    out.resize(first + length);
    for (std::size_t i = length; i-- > 0; rank /= kinds.size()) {
        out[first + i] = kinds[rank % kinds.size()];
    }
}

// Sorted heaps, in lexicographic order.
void add_multiset(const std::vector<Heap>& kinds, std::size_t length, std::uint64_t rank,
                  std::vector<Heap>& out) {
    std::size_t kind = 0;
    for (std::size_t left = length; left > 0; --left) {
        for (;; ++kind) {
            const std::uint64_t here = sorted_lists(kinds.size() - kind, left - 1);
            if (rank < here) break;
            rank -= here;
        }
        out.push_back(kinds[kind]);
    }
}

}  // namespace

Result<Family> Family::parse(std::string_view text, const engine::RulesetNames& names) {
    Family family;
    std::string words(text);
    family.sorted_ = take_sorted(words);
    if (words.find(';') == words.npos) {
        return bad_input_at(1, "read {}, expected a family such as 'nim;heaps=1..4;size=0..7'",
                            protocol::quoted(text));
    }
    auto suite = parse_suite(words, names);
    if (!suite) return suite.error();
    family.suite_ = *std::move(suite);
    drop_repeats(family.suite_.mix);
    if (const auto checked = check_suite(family.suite_); !checked) return checked.error();
    family.text_ = family_text(family.suite_, family.sorted_);
    if (const auto listed = family.list(); !listed) return listed.error();
    return family;
}

Result<void> Family::list() {
    for (const Suite::Sum& sum : suite_.mix) {
        auto& parts = heaps_.emplace_back();
        for (const Suite::Part& part : sum) {
            auto heaps = all_heaps(part, suite_.size, kMostAsked);
            if (!heaps) {
                return bad_input("{}: too many heaps have that size, expected at most {}",
                                 protocol::quoted(part.text.text), kMostAsked);
            }
            if (heaps->empty()) {
                return bad_input("{}: no heap has the size {}; expected other sizes",
                                 protocol::quoted(part.text.text), range_text(suite_.size));
            }
            parts.push_back(*std::move(heaps));
        }
    }
    std::vector<Convention> conventions;
    if (suite_.misere != Suite::Misere::On) conventions.push_back(Convention::Normal);
    if (suite_.misere != Suite::Misere::Off) conventions.push_back(Convention::Misere);
    for (std::size_t sum = 0; sum < suite_.mix.size(); ++sum) {
        for (const Convention convention : conventions) {
            for (std::uint64_t heaps = suite_.heaps.least; heaps <= suite_.heaps.most;
                 ++heaps) {
                std::vector<std::size_t> by_part;
                add_blocks(sum, convention, by_part, static_cast<std::size_t>(heaps));
            }
        }
    }
    if (blocks_.size() > kMostBlocks) {
        return bad_input(
            "the family {} spreads heaps over its rulesets in more than {} ways: ask for fewer "
            "heaps",
            protocol::quoted(text_), kMostBlocks);
    }
    if (size() > kMostAsked) return too_many("the family " + protocol::quoted(text_), size());
    if (size() > 0) return {};
    return bad_input("the family {} has no position: a sum has a heap in each of its parts",
                     protocol::quoted(text_));
}

// `heaps`: of the parts before; `left`: heaps for the other parts, at least one for each.
void Family::add_blocks(std::size_t sum, Convention convention, std::vector<std::size_t>& heaps,
                        std::size_t left) {
    const std::size_t parts = suite_.mix[sum].size();
    const std::size_t part = heaps.size();
    if (part == parts) {
        std::uint64_t count = 1;
        for (std::size_t i = 0; i < parts; ++i) count = times(count, ways(sum, i, heaps[i]));
        blocks_.push_back({sum, convention, heaps, plus(size(), count)});
        return;
    }
    const std::size_t others = parts - part - 1;  // parts that still need a heap
    const bool is_last = others == 0;
    for (std::size_t here = is_last ? left : 1; here + others <= left; ++here) {
        if (here == 0 || blocks_.size() > kMostBlocks) return;  // list() refuses so many
        heaps.push_back(here);
        add_blocks(sum, convention, heaps, left - here);
        heaps.pop_back();
    }
}

std::uint64_t Family::ways(std::size_t sum, std::size_t part, std::size_t heaps) const {
    const std::uint64_t kinds = heaps_[sum][part].size();
    if (sorted_) return sorted_lists(kinds, heaps);
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < heaps; ++i) count = times(count, kinds);
    return count;
}

Position Family::position(std::uint64_t index) const {
    const auto block = std::ranges::upper_bound(blocks_, index, {}, &Block::end);
    const std::uint64_t begin = block == blocks_.begin() ? 0 : std::prev(block)->end;
    std::uint64_t rank = index - begin;
    Position position;
    position.convention = block->convention;
    const Suite::Sum& sum = suite_.mix[block->sum];
    for (const Suite::Part& part : sum) position.components.push_back({part.text, {}});
    for (std::size_t part = sum.size(); part-- > 0;) {
        const std::uint64_t count = ways(block->sum, part, block->heaps[part]);
        auto* add = sorted_ ? add_multiset : add_digits;
        add(heaps_[block->sum][part], block->heaps[part], rank % count,
            position.components[part].heaps);
        rank /= count;
    }
    return position;
}

// ---- the set ----

Result<PositionSet> PositionSet::make(std::vector<Family> families,
                                      std::vector<Position> positions) {
    PositionSet set;
    set.families_ = std::move(families);
    set.given_ = std::move(positions);
    std::uint64_t count = set.given_.size();
    for (const Family& family : set.families_) count += family.size();
    if (count > kMostAsked) return too_many("all together", count);
    set.whole_ = static_cast<std::size_t>(count);
    if (set.families_.size() == 1 && set.given_.empty()) return set;
    std::unordered_set<std::string> texts;
    for (std::uint32_t number = 0; number < count; ++number) {
        const bool is_new = texts.insert(to_string(set.numbered(number))).second;
        if (is_new) set.numbers_.push_back(number);
    }
    return set;
}

Position PositionSet::position(std::size_t index) const {
    return numbered(numbers_.empty() ? index : numbers_[index]);
}

Position PositionSet::numbered(std::uint64_t number) const {
    for (const Family& family : families_) {
        if (number < family.size()) return family.position(number);
        number -= family.size();
    }
    return given_[number];
}

}  // namespace arena
