// Nimbers of rules{…} whose heaps are numbers that decrease with each move, in sequence.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/memory.hpp"
#include "engine/rules/formula/formula_ruleset.hpp"

namespace engine {

// A table from 0 on that grows on demand. Thread-safe.
class RulesNumbers {
  public:
    // Heaps from here on are not for a table.
    static constexpr Number kMaxHeaps = Number{1} << 22;

    // The heaps of `rules` are numbers.
    explicit RulesNumbers(std::shared_ptr<const UserRules> rules) : rules_(std::move(rules)) {}

    // nullopt: not known within the budget or the memory, or a heap on the way can get larger
    // or stay as it is. What was computed stays.
    std::optional<std::uint64_t> nimber(Number heap, const Budget& budget) const;

  private:
    bool add_next(const Budget& budget) const;

    std::shared_ptr<const UserRules> rules_;
    mutable std::timed_mutex mutex_;
    mutable std::vector<std::uint32_t> nimbers_;
    mutable std::vector<std::uint32_t>
        seen_;                    // by value: the heap (plus 1) that reached it last
    mutable bool grows_ = false;  // a heap can get larger: no way on
    mutable Reservation memory_;
};

}  // namespace engine
