// Nimbers of a subtraction set, heap after heap.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/heaps/free_values.hpp"
#include "engine/heaps/nimber_array.hpp"
#include "engine/heaps/nimber_sequence.hpp"
#include "engine/rules/take.hpp"

namespace engine {

class SubtractionSweep final : public NimberSweep {
  public:
    explicit SubtractionSweep(TakeSet set);

    std::shared_ptr<const NimberArray> values() const override { return values_; }
    std::size_t size() const override { return values_ ? values_->size() : 0; }
    bool extend(std::size_t end, std::size_t work) override;
    // Are the members so few that each can be looked at?
    static bool is_small(const TakeSet& set) { return !set.members(kFewMembers).empty(); }

  private:
    static constexpr Count kFewMembers = 63;

    bool reserve(std::size_t heaps);
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
