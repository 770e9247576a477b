// Nimbers of a subtraction set, heap after heap.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/rules/take.hpp"
#include "engine/solver/free_values.hpp"
#include "engine/solver/nimber_array.hpp"

namespace engine {

class SubtractionSweep {
  public:
    explicit SubtractionSweep(TakeSet set);

    // The nimbers of heaps 0..size()-1 are the first of values(). Null before reserve().
    const std::shared_ptr<NimberArray>& values() const { return values_; }
    std::size_t size() const { return values_ ? values_->size() : 0; }

    // Makes room for so many heaps; values() is another array then. False: memory is short.
    bool reserve(std::size_t heaps);
    // Up to heap `end`, not included, for which there must be room. False: memory is short, and
    // nothing more can be found.
    bool extend(std::size_t end);
    // Are the members so few that each can be looked at?
    static bool is_small(const TakeSet& set) { return !set.members(kFewMembers).empty(); }
    // Steps of work a heap costs, roughly.
    std::size_t cost() const { return set_.intervals().size(); }

  private:
    static constexpr Count kFewMembers = 63;

    bool append(std::uint32_t value);
    bool note_options(std::size_t heap);
    bool make_room_for(std::uint32_t value);
    void extend_by_mask(std::size_t end);

    TakeSet set_;
    // Descending, where they are so few that the nimbers of the options fit the bits of a word.
    std::vector<Number> members_;
    std::shared_ptr<NimberArray> values_;
    std::vector<std::uint32_t> option_counts_;  // options of the heap at hand, by nimber
    FreeValues option_values_;                  // those with a count
    Reservation counts_memory_;
};

}  // namespace engine
