// A family lists its positions once, as numbers: the sum, the convention, and for each heap the
// index of one of the kinds of heaps that the sum may have. Positions are made of them when
// they are asked about.
#include "arena/check/family.hpp"

#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Convention;
using protocol::Heap;
using protocol::Position;
using protocol::Result;

constexpr std::uint64_t kMostHeaps = 100;

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

std::string sum_text(const Suite::Sum& sum) {
    std::string text;
    for (const Suite::Part& part : sum) text += (text.empty() ? "" : "+") + part.text.text;
    return text;
}

// In a suite a repeated sum is drawn more often; a family has each position once.
void drop_repeats(std::vector<Suite::Sum>& mix) {
    std::set<std::string> seen;
    std::erase_if(mix, [&](const auto& sum) { return !seen.insert(sum_text(sum)).second; });
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
        text += sum_text(sum);
    }
    text += fmt::format(";heaps={};size={}", range_text(suite.heaps), range_text(suite.size));
    if (suite.misere == Suite::Misere::On) text += ";misere=on";
    if (suite.misere == Suite::Misere::Mixed) text += ";misere=mixed";
    return text + (sorted ? ";sorted" : "");
}

protocol::Error too_many(const std::string& what) {
    return bad_input(
        "{} has more than {} positions: ask for fewer or smaller heaps, or for sorted heaps",
        what, kMostAsked);
}

std::vector<Convention> conventions_of(const Suite& suite) {
    if (suite.misere == Suite::Misere::Off) return {Convention::Normal};
    if (suite.misere == Suite::Misere::On) return {Convention::Misere};
    return {Convention::Normal, Convention::Misere};
}

}  // namespace

// Lists the positions of one sum.
class Family::Lister {
  public:
    Lister(Family& family, std::size_t sum, bool is_sorted)
        : family_(family),
          sum_(static_cast<std::uint32_t>(sum)),
          is_sorted_(is_sorted),
          ends_{family.kinds_.size()} {}

    // The kinds of heaps of all parts.
    Result<void> add_kinds(const Range& size) {
        for (const Suite::Part& rules : family_.sums_[sum_]) {
            const std::size_t part = ends_.size() - 1;
            auto heaps = all_heaps(rules, size, kMostAsked);
            if (!heaps) {
                return bad_input("{}: too many heaps have that size, expected at most {}",
                                 protocol::quoted(rules.text.text), kMostAsked);
            }
            if (heaps->empty()) {
                return bad_input("{}: no heap has the size {}; expected other sizes",
                                 protocol::quoted(rules.text.text), range_text(size));
            }
            for (Heap& heap : *heaps) family_.kinds_.push_back({part, std::move(heap)});
            ends_.push_back(family_.kinds_.size());
        }
        return {};
    }

    // The positions with `heaps` heaps, at least one in each part; no more than `most` + 1 are
    // counted.
    std::size_t count(std::size_t heaps, std::size_t most) {
        is_counting_ = true;
        count_ = 0;
        most_ = most;
        spread(0, heaps);
        return count_;
    }

    // All of these.
    void list(Convention convention, std::size_t heaps) {
        is_counting_ = false;
        convention_ = static_cast<std::uint32_t>(convention);
        spread(0, heaps);
    }

  private:
    // `left`: heaps for `part` and those after it.
    bool spread(std::size_t part, std::size_t left) {
        const std::size_t parts = ends_.size() - 1;
        if (part == parts) return choose();
        const std::size_t others = parts - part - 1;  // parts that still need a heap
        for (std::size_t here = others == 0 ? left : 1; here + others <= left; ++here) {
            part_of_.insert(part_of_.end(), here, part);
            const bool has_room = spread(part + 1, left - here);
            part_of_.resize(part_of_.size() - here);
            if (!has_room) return false;
        }
        return true;
    }

    // Chooses the kinds of the heaps that have none yet.
    bool choose() {
        const std::size_t heap = kinds_.size();
        if (heap == part_of_.size()) return add();
        const std::size_t part = part_of_[heap];
        const bool is_next = heap > 0 && part_of_[heap - 1] == part;
        for (auto kind = is_sorted_ && is_next ? kinds_.back() : ends_[part];
             kind < ends_[part + 1]; ++kind) {
            kinds_.push_back(kind);
            const bool has_room = choose();
            kinds_.pop_back();
            if (!has_room) return false;
        }
        return true;
    }

    bool add() {
        if (is_counting_) return ++count_ <= most_;
        auto& listed = family_.listed_;
        family_.starts_.push_back(static_cast<std::uint32_t>(listed.size()));
        listed.insert(listed.end(), {sum_, convention_});
        listed.insert(listed.end(), kinds_.begin(), kinds_.end());
        return true;
    }

    Family& family_;
    std::uint32_t sum_;
    std::uint32_t convention_ = 0;
    bool is_sorted_;
    bool is_counting_ = false;
    std::size_t count_ = 0;
    std::size_t most_ = 0;
    std::vector<std::size_t> ends_;  // of the kinds of each part, after the first one's start
    std::vector<std::size_t> part_of_;  // each heap
    std::vector<std::size_t> kinds_;    // chosen so far
};

Result<Family> Family::parse(std::string_view text, const engine::RulesetNames& names) {
    std::string words(text);
    const bool is_sorted = take_sorted(words);
    if (words.find(';') == words.npos) {
        return bad_input_at(1, "read {}, expected a family such as 'nim;heaps=1..4;size=0..7'",
                            protocol::quoted(text));
    }
    auto suite = parse_suite(words, names);
    if (!suite) return suite.error();
    drop_repeats(suite->mix);
    if (const auto checked = check_suite(*suite); !checked) return checked.error();
    Family family;
    family.text_ = family_text(*suite, is_sorted);
    family.sums_ = suite->mix;
    if (const auto listed = family.list(*suite, is_sorted); !listed) return listed.error();
    return family;
}

Result<void> Family::list(const Suite& suite, bool is_sorted) {
    std::vector<Lister> listers;
    for (std::size_t sum = 0; sum < sums_.size(); ++sum) {
        const auto added = listers.emplace_back(*this, sum, is_sorted).add_kinds(suite.size);
        if (!added) return added;
    }
    // All are counted before one is listed, so that too many take no memory.
    std::size_t positions = 0;
    std::size_t numbers = 0;
    std::vector<std::tuple<std::size_t, Convention, std::size_t>> counted;
    for (std::size_t sum = 0; sum < sums_.size(); ++sum) {
        for (const Convention convention : conventions_of(suite)) {
            for (std::uint64_t heaps = suite.heaps.least; heaps <= suite.heaps.most; ++heaps) {
                const std::size_t count = listers[sum].count(heaps, kMostAsked - positions);
                positions += count;
                if (positions > kMostAsked) {
                    return too_many("the family " + protocol::quoted(text_));
                }
                numbers += count * (2 + heaps);
                counted.emplace_back(sum, convention, heaps);
            }
        }
    }
    starts_.reserve(positions);
    listed_.reserve(numbers);
    for (const auto& [sum, convention, heaps] : counted) listers[sum].list(convention, heaps);
    if (size() > 0) return {};
    return bad_input("the family {} has no position: a sum has a heap in each of its parts",
                     protocol::quoted(text_));
}

Position Family::position(std::size_t index) const {
    const std::uint32_t start = starts_[index];
    const std::size_t end = index + 1 < size() ? starts_[index + 1] : listed_.size();
    Position position;
    for (const Suite::Part& part : sums_[listed_[start]]) {
        position.components.push_back({part.text, {}});
    }
    position.convention = static_cast<Convention>(listed_[start + 1]);
    for (std::size_t i = start + 2; i < end; ++i) {
        const Kind& kind = kinds_[listed_[i]];
        position.components[kind.part].heaps.push_back(kind.heap);
    }
    return position;
}

// ---- the set ----

Result<PositionSet> PositionSet::make(std::vector<Family> families,
                                      std::vector<Position> positions) {
    PositionSet set;
    set.families_ = std::move(families);
    set.given_ = std::move(positions);
    std::size_t count = set.given_.size();
    for (const Family& family : set.families_) count += family.size();
    if (count > kMostAsked) return too_many("all together");
    const bool can_repeat = set.families_.size() != 1 || !set.given_.empty();
    std::unordered_set<std::string> texts;
    for (std::uint32_t number = 0; number < count; ++number) {
        if (can_repeat && !texts.insert(to_string(set.numbered(number))).second) continue;
        set.numbers_.push_back(number);
    }
    return set;
}

Position PositionSet::numbered(std::size_t number) const {
    for (const Family& family : families_) {
        if (number < family.size()) return family.position(number);
        number -= family.size();
    }
    return given_[number];
}

}  // namespace arena
