// A ruleset of which a test says no more than what each heap can become.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/rules/ruleset.hpp"

namespace engine::test {

// Heaps are numbers, and play may come back.
class WrittenRules : public Ruleset {
  public:
    using Results = std::vector<std::vector<Heap>>;

    explicit WrittenRules(std::function<Results(Number)> results)
        : results_(std::move(results)) {}

    Result<void> check_heap(const Heap&) const override { return {}; }
    bool has_move(const Heap& heap) const override { return !results(heap).empty(); }
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override {
        return std::ranges::any_of(results(heap), [&](const std::vector<Heap>& follower) {
            return std::ranges::equal(follower, result);
        });
    }
    Count follower_count(const Heap& heap) const override { return results(heap).size(); }
    std::vector<Heap> follower(const Heap& heap, Count index) const override {
        return results(heap)[index];
    }
    bool can_repeat() const override { return true; }

  private:
    Results results(const Heap& heap) const { return results_(std::get<Number>(heap)); }

    std::function<Results(Number)> results_;
};

}  // namespace engine::test
