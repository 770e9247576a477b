#include "engine/rules/take.hpp"

#include <algorithm>

#include "engine/rules/catalogue.hpp"
#include "protocol/heap_parser.hpp"

namespace engine {

using protocol::kMaxNumber;
using protocol::Scanner;

namespace {

Result<Number> read_member(Scanner& scanner) {
    const std::size_t at = scanner.at();
    if (!protocol::is_digit(scanner.peek())) {
        return scanner.refuse("a number from 1 or a range such as 2-5 or 4-");
    }
    const auto number = protocol::scan_number(scanner);
    if (number && *number == 0) return scanner.refuse_at(at, "a number from 1");
    return number;
}

// "7", "2-5" or "4-".
Result<Interval> read_item(Scanner& scanner) {
    const auto first = read_member(scanner);
    if (!first) return first.error();
    if (!scanner.accept('-')) return Interval{*first, *first};
    if (!protocol::is_digit(scanner.peek())) return Interval{*first, kMaxNumber};

    const std::size_t at = scanner.at();
    const auto last = protocol::scan_number(scanner);
    if (!last) return last.error();
    if (*last < *first) {
        return scanner.refuse_at(
            at, "a number from " + std::to_string(*first) + ": a range ascends");
    }
    return Interval{*first, *last};
}

}  // namespace

TakeSet::TakeSet(std::vector<Interval> intervals) {
    std::ranges::sort(intervals, {}, &Interval::first);
    Count count = 0;
    for (const Interval& next : intervals) {
        if (!intervals_.empty() && next.first <= intervals_.back().last + 1) {
            Interval& previous = intervals_.back();
            previous.last = std::max(previous.last, next.last);
        } else {
            intervals_.push_back(next);
        }
    }
    counts_.reserve(intervals_.size());
    for (const Interval& interval : intervals_) {
        counts_.push_back(count);
        count += interval.size();
    }
}

Count TakeSet::count_to(Number number) const {
    const auto next = std::ranges::upper_bound(intervals_, number, {}, &Interval::first);
    if (next == intervals_.begin()) return 0;
    const auto i = static_cast<std::size_t>(next - intervals_.begin()) - 1;
    return counts_[i] + std::min(number, intervals_[i].last) - intervals_[i].first + 1;
}

Number TakeSet::member(Count index) const {
    const auto next = std::ranges::upper_bound(counts_, index);
    const auto i = static_cast<std::size_t>(next - counts_.begin()) - 1;
    return intervals_[i].first + (index - counts_[i]);
}

std::vector<Number> TakeSet::members(Count most) const {
    std::vector<Number> members;
    if (counts_.back() + intervals_.back().size() > most) return members;
    for (const Interval& interval : intervals_) {
        for (Number i = 0; i < interval.size(); ++i) members.push_back(interval.first + i);
    }
    return members;
}

std::vector<Interval> TakeSet::gaps() const {
    std::vector<Interval> gaps;
    Number next = 1;
    for (const Interval& interval : intervals_) {
        if (next < interval.first) gaps.push_back({next, interval.first - 1});
        next = interval.last + 1;
    }
    if (next <= kMaxNumber) gaps.push_back({next, kMaxNumber});
    return gaps;
}

Result<TakeSet> read_take_set(Scanner& scanner) {
    const std::size_t at = scanner.at();
    const bool complement = scanner.accept('!');
    std::vector<Interval> items;
    do {
        const auto item = read_item(scanner);
        if (!item) return item.error();
        items.push_back(*item);
    } while (scanner.accept(','));
    if (scanner.peek() == '.') return scanner.refuse("'-': a range is written 1-3");
    if (!scanner.at_end() && scanner.peek() != '}') return scanner.refuse("',', '-' or '}'");

    TakeSet set(std::move(items));
    if (!complement) return set;
    auto others = set.gaps();
    if (others.empty()) {
        return Scanner::refuse_word(at, "!" + to_string(set),
                                    "a complement that leaves something over");
    }
    return TakeSet(std::move(others));
}

std::string to_string(const TakeSet& set) {
    std::string text;
    for (const Interval& interval : set.intervals()) {
        if (!text.empty()) text += ',';
        protocol::append_text(text, interval.first);
        if (interval.last == interval.first) continue;
        text += '-';
        if (interval.last != kMaxNumber) protocol::append_text(text, interval.last);
    }
    return text;
}

namespace {

class Take : public Ruleset {
  public:
    explicit Take(TakeSet set) : set_(std::move(set)) {}

    Shape shape() const override { return shape::Subtraction{set_}; }

    Result<void> check_heap(const Heap& heap) const override {
        if (std::holds_alternative<Number>(heap)) return {};
        return refuse_heap(heap, "a number: heaps of take are numbers");
    }

    bool has_move(const Heap& heap) const override {
        return std::get<Number>(heap) >= set_.smallest();
    }

    bool is_follower(const Heap& heap, std::span<const Heap> result) const override {
        if (result.size() != 1) return false;
        const auto* left = std::get_if<Number>(&result.front());
        const Number size = std::get<Number>(heap);
        return left != nullptr && *left < size && set_.contains(size - *left);
    }

    Count follower_count(const Heap& heap) const override {
        return set_.count_to(std::get<Number>(heap));
    }

    std::vector<Heap> follower(const Heap& heap, Count index) const override {
        return {Heap(std::get<Number>(heap) - set_.member(index))};
    }

    std::size_t bytes() const override { return sizeof(Take) + set_.bytes(); }

  private:
    TakeSet set_;
};

}  // namespace

FoundRuleset read_take(Scanner& scanner) {
    auto set = read_take_set(scanner);
    if (!set) return set.error();
    return FoundRuleset(std::make_shared<Take>(*std::move(set)));
}

}  // namespace engine
