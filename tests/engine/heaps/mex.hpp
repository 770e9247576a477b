// Nimbers by the definition: the least that no follower has.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "engine/rules/ruleset.hpp"

namespace engine::test {

class Mex {
  public:
    explicit Mex(const Ruleset& rules) : rules_(rules) {}

    std::uint64_t nimber(const Heap& heap) {
        if (const auto known = memo_.find(heap); known != memo_.end()) return known->second;
        const Count count = rules_.follower_count(heap);
        std::vector<bool> seen(count + 1);
        for (Count i = 0; i < count; ++i) {
            const auto value = nimber(rules_.follower(heap, i));
            if (value < seen.size()) seen[value] = true;
        }
        const auto mex = std::ranges::find(seen, false) - seen.begin();
        return memo_[heap] = static_cast<std::uint64_t>(mex);
    }
    std::uint64_t nimber(const std::vector<Heap>& heaps) {
        std::uint64_t sum = 0;
        for (const Heap& heap : heaps) sum ^= nimber(heap);
        return sum;
    }

  private:
    const Ruleset& rules_;
    std::map<Heap, std::uint64_t> memo_;
};

// Of the heaps 0..last.
inline std::vector<Number> nimbers_by_mex(const Ruleset& rules, Number last) {
    Mex mex(rules);
    std::vector<Number> nimbers;
    for (Number heap = 0; heap <= last; ++heap) nimbers.push_back(mex.nimber(Heap(heap)));
    return nimbers;
}

}  // namespace engine::test
