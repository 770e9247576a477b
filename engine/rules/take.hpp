// take{SET}: subtract a number that stands in the set.
#pragma once

#include <string>
#include <vector>

#include "engine/rules/ruleset.hpp"
#include "protocol/scanner.hpp"

namespace engine {

// The numbers first..last, both included.
struct Interval {
    Number first = 1;
    Number last = 1;

    Number size() const { return last - first + 1; }

    friend bool operator==(const Interval&, const Interval&) = default;
};

// A set of numbers 1..2^63-1 as intervals in ascending order, with a gap between any two.
// A range that is open on the right ends at 2^63-1, beyond which there are no heaps.
class TakeSet {
  public:
    // `intervals` in any order, overlaps allowed.
    explicit TakeSet(std::vector<Interval> intervals);

    const std::vector<Interval>& intervals() const { return intervals_; }
    bool contains(Number number) const { return count_to(number) > count_to(number - 1); }
    // How many members are at most `number`.
    Count count_to(Number number) const;
    // Member number `index` (from 0) in ascending order.
    Number member(Count index) const;
    Number smallest() const { return intervals_.front().first; }
    std::size_t bytes() const {
        return intervals_.capacity() * sizeof(Interval) + counts_.capacity() * sizeof(Count);
    }
    bool is_everything() const {
        return intervals_.size() == 1 && smallest() == 1 && is_open();
    }
    bool is_open() const { return intervals_.back().last == protocol::kMaxNumber; }

    // All members, ascending; empty where there are more than `most`.
    std::vector<Number> members(Count most) const;
    // All numbers from 1 that are not members; empty where there are none.
    std::vector<Interval> gaps() const;

    friend bool operator==(const TakeSet&, const TakeSet&) = default;

  private:
    std::vector<Interval> intervals_;
    std::vector<Count> counts_;  // members before each interval
};

// Reads a SET up to the '}' after it.
Result<TakeSet> read_take_set(protocol::Scanner& scanner);

// The set as it can be read: "1-3,7,9-".
std::string to_string(const TakeSet& set);

}  // namespace engine
