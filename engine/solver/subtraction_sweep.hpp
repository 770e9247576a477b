// Nimbers of a subtraction set, heap after heap.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/rules/take.hpp"
#include "engine/solver/free_values.hpp"

namespace engine {

class SubtractionSweep {
  public:
    explicit SubtractionSweep(TakeSet set);

    // The nimbers of heaps 0, 1, 2, …
    const std::vector<std::uint32_t>& values() const { return values_; }
    // Up to heap `end`, not included. Below 2^32.
    void extend(std::size_t end);
    // Steps of work a heap costs, roughly.
    std::size_t cost() const { return set_.intervals().size(); }
    std::size_t bytes() const;

  private:
    std::uint32_t next_by_mask() const;
    std::uint32_t next_by_counts();

    TakeSet set_;
    bool by_mask_;  // few single numbers: the nimbers of the options fit the bits of one word
    std::vector<std::uint32_t> values_;
    std::vector<std::uint32_t> option_counts_;  // options of the heap at hand, by nimber
    FreeValues option_values_;                  // those with a count
};

}  // namespace engine
