// Nimbers of a subtraction set by table, grown on demand until a law for all heaps is proven.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/heaps/free_values.hpp"
#include "engine/heaps/nimber_array.hpp"
#include "engine/heaps/nimber_sequence.hpp"
#include "engine/heaps/take_values.hpp"
#include "engine/rules/take.hpp"

namespace engine {

// Heap after heap, by the nimbers of the options.
class SubtractionSweep final : public NimberSweep {
  public:
    explicit SubtractionSweep(TakeSet set);

    std::shared_ptr<const NimberArray> values() const override { return values_; }
    std::size_t size() const override { return values_ ? values_->size() : 0; }
    bool extend(std::size_t end, std::size_t work) override;
    // Whether the members are so few that each can be tested.
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

// Kept, and searched for each nimber.
class SubtractionTable : public TakeValues, public Occurrences {
  public:
    // The table stops growing where memory is short, at a quarter of all memory, and at this
    // length; at kFewHeaps where it could not reach the heap that is asked for.
    static constexpr std::size_t kMaxHeaps = std::size_t{1} << 31;
    static constexpr std::size_t kFewHeaps = std::size_t{1} << 22;

    explicit SubtractionTable(const TakeSet& set);

    std::optional<Number> value(Number heap, const Budget& budget) const override;
    Count count_below(Number end, Number value) const override;
    Number heap_with(Number value, Count index) const override;

    // Grows the table until a law is proven.
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override;
    const Occurrences* occurrences() const override { return is_listed_ ? this : nullptr; }

  private:
    // How long the table may grow in order to reach this heap.
    std::size_t most_heaps(Number heap) const;

    const TakeSet set_;
    const bool is_listed_;  // the set is large
    const NimberSequence sequence_;
};

}  // namespace engine
