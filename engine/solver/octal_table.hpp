// The nimbers of a taking-and-breaking game, grown on demand until a law for all heaps is
// proven.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "engine/solver/budget.hpp"
#include "engine/solver/octal_law.hpp"
#include "engine/solver/octal_sweep.hpp"

namespace engine {

// What is known of the nimbers at some time: those of the first heaps and maybe a law. Stays as
// it is while the table grows.
class KnownNimbers {
  public:
    // The law, where there is one, must have its preperiod and its first period among the first
    // `size` values.
    KnownNimbers(std::shared_ptr<const NimberArray> values, std::size_t size,
                 std::optional<PeriodLaw> law)
        : values_(std::move(values)), size_(size), law_(law) {}

    const NimberArray& values() const { return *values_; }
    const std::shared_ptr<const NimberArray>& values_pointer() const { return values_; }
    std::size_t size() const { return size_; }
    const std::optional<PeriodLaw>& law() const { return law_; }

    bool has(Number heap) const { return heap < size_ || law_; }
    // Of a heap that it has.
    Number value(Number heap) const { return (*values_)[place(heap)]; }
    // Where among the first heaps the nimber of this heap stands.
    std::size_t place(Number heap) const {
        if (heap < size_) return static_cast<std::size_t>(heap);
        return static_cast<std::size_t>(law_->preperiod +
                                        (heap - law_->preperiod) % law_->period);
    }

  private:
    std::shared_ptr<const NimberArray> values_;
    std::size_t size_;
    std::optional<PeriodLaw> law_;
};

// Shared by threads: they read what is published, and take turns in growing it. What has been
// found is kept, whatever ends the time of who looked for it.
class OctalTable {
  public:
    // Heaps from here on are unknown where no law has been found, if memory lasts so long.
    static constexpr std::size_t kMaxHeaps = std::size_t{1} << 30;

    explicit OctalTable(BreakMoves moves);

    const BreakMoves& moves() const { return moves_; }

    KnownNimbers known() const;
    // Grows by a step of about a millisecond. False where there is nothing left to do: a law
    // for all heaps is proven, memory is short, or the table has its full length.
    bool grow() const;
    // How many nimbers the proof of the law has looked at; without a law, size().
    std::size_t checked() const;

    // Grows the table as far as is needed. nullopt: not within the budget or the memory.
    std::optional<Number> value(Number heap, const Budget& budget) const;
    std::optional<PeriodLaw> law(const Budget& budget) const;

  private:
    bool grow_locked() const;
    void publish(std::optional<PeriodLaw> law) const;

    const BreakMoves moves_;

    mutable std::mutex known_mutex_;
    mutable std::shared_ptr<const NimberArray> values_;
    mutable std::size_t size_ = 0;
    mutable std::optional<PeriodLaw> law_;
    mutable std::size_t checked_ = 0;

    mutable std::mutex growth_mutex_;
    mutable std::unique_ptr<OctalSweep> sweep_;  // gone once there is nothing left to do
    mutable std::optional<LawSearch> search_;
    mutable std::size_t next_search_;
};

}  // namespace engine
