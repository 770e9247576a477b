// The nimbers of heaps 0, 1, 2, …, grown on demand until a law for all heaps is proven.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/recurrence.hpp"
#include "engine/heaps/nimber_array.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine {

// Nimbers of the first heaps, with a law for all others if there is one, and where each occurs.
// Never changes once it is made, so that threads can share it.
class KnownNimbers {
  public:
    // Keeps the first `size` values; with a law, those up to the end of its first period.
    // `listed`: also keeps what count_below() and heap_with() need, four bytes a heap. Null
    // where memory is short.
    static std::shared_ptr<const KnownNimbers> make(std::shared_ptr<const NimberArray> values,
                                                    std::size_t size, std::optional<Law> law,
                                                    bool listed);

    const std::optional<Law>& law() const { return law_; }
    std::size_t size() const { return size_; }
    // How many nimbers it was made from.
    std::size_t heaps() const { return made_from_; }

    const std::shared_ptr<const NimberArray>& values() const { return values_; }

    bool has(Number heap) const { return heap < size_ || law_; }
    // The heap of the table that stands for this one, which it has: by the law, it is whole
    // periods smaller.
    std::size_t place(Number heap) const {
        if (heap < size_) return static_cast<std::size_t>(heap);
        return static_cast<std::size_t>(law_->preperiod +
                                        (heap - law_->preperiod) % law_->period);
    }
    // The nimber of a heap that it has.
    Number operator[](Number heap) const {
        const Number value = (*values_)[place(heap)];
        if (heap < size_) return value;
        return value + (heap - law_->preperiod) / law_->period * law_->saltus;
    }
    std::optional<Number> value(Number heap) const {
        return has(heap) ? std::optional((*this)[heap]) : std::nullopt;
    }
    // See TakeValues.
    Count count_below(Number end, Number value) const;
    Number heap_with(Number value, Count index) const;

  private:
    KnownNimbers() = default;
    bool list_heaps();
    // The heaps of the table that have the value.
    std::span<const std::uint32_t> listed(Number value) const;
    // Heaps of the table, each of which stands for one that is `shift` larger.
    struct Run {
        std::span<const std::uint32_t> heaps;
        Number shift = 0;
    };
    // All heaps that have the value, ascending, where there is a saltus: then runs are few.
    std::vector<Run> runs(Number value) const;

    std::shared_ptr<const NimberArray> values_;
    std::size_t size_ = 0;
    std::size_t made_from_ = 0;
    std::optional<Law> law_;
    std::vector<std::uint32_t> heaps_;   // by value, then by size
    std::vector<std::uint32_t> starts_;  // where the heaps of each value begin, and the end
    Reservation memory_;
};

// Finds the nimbers, heap after heap.
class NimberSweep {
  public:
    virtual ~NimberSweep() = default;

    // The nimbers of heaps 0..size()-1 are the first of these; another array as they grow. Null
    // where memory is short.
    std::shared_ptr<const NimberArray> values() const { return values_; }
    std::size_t size() const { return values_ ? values_->size() : 0; }

    // Continues up to heap `end`, not included, or until `work` is done, about a nanosecond a
    // unit. Work begun is kept for the next call, also after false: memory is short. It may be
    // short for one question alone, while others share the table.
    virtual bool extend(std::size_t end, std::size_t work) = 0;

  protected:
    std::shared_ptr<NimberArray> values_;
};

// What proves a law.
struct LawPlan {
    bool is_known = true;  // is there a theorem?
    // No move leaves more heaps than `parts` or takes more than `reach`.
    Number parts = 1;
    Number reach = 0;
    // All numbers beyond `reach` can be taken: the steps from nimber to nimber come back, and
    // the set of all earlier nimbers, raised by the saltus.
    bool rises = false;
};

// When to look for a law: once there are `first` heaps, and then whenever their number has
// grown to `percent` of what it was.
struct GrowthPlan {
    std::size_t first = 1024;
    std::size_t percent = 200;
    bool listed = false;  // with where each nimber occurs
};

// Shared by threads: they read what is published, and take turns in growing it. What has been
// found is kept, also where the caller's budget ends.
//
// Octal periodicity (Guy and Smith 1956), for moves that leave d >= 2 heaps at most and take k
// at most: if n0 >= 1 and G(n+p) = G(n) for all n with n0 <= n < d*n0 + (d-1)*p + k, then for
// all n >= n0. For in an option of a larger heap n + p the largest part is n0 + p at least; so
// taking p from it, or adding p to the largest part of an option of n, leads from the options
// of one to options of the other of the same nimber.
// A finite subtraction set: if G(n) = G(n+p) in a window as long as the largest member, then
// from there on, since each nimber comes from the window before it. A set that lacks finitely
// many numbers, the largest m: a nimber comes from the m values before it and from the set of
// all earlier ones, that is, from its mex k and its finitely many elements above k. Where all
// that comes back, raised by s, then so do all later values.
class NimberSequence {
  public:
    static constexpr std::size_t kMostHeaps = std::size_t{1} << 30;

    NimberSequence(std::unique_ptr<NimberSweep> sweep, const LawPlan& laws,
                   const GrowthPlan& growth);

    std::shared_ptr<const KnownNimbers> known() const;

    // Grows as far as is needed, `most` heaps at most. nullopt: not within the budget or the
    // memory.
    std::optional<Number> value(Number heap, const Budget& budget,
                                std::size_t most = kMostHeaps) const;
    // Grows to `limit` heaps, or until a law is proven.
    std::optional<Law> law(Number limit, const Budget& budget,
                           std::size_t most = kMostHeaps) const;

  private:
    // One step of work, about a millisecond. False: memory is short, or there is no more to do.
    bool grow(std::size_t most) const;
    bool look_for_law() const;
    std::optional<Law> law_of(const NimberArray& values, std::size_t period) const;
    bool publish(const std::optional<Law>& law) const;

    const LawPlan laws_;
    const GrowthPlan growth_;

    mutable std::mutex known_mutex_;
    mutable std::shared_ptr<const KnownNimbers> known_;

    mutable std::timed_mutex growth_mutex_;
    mutable std::unique_ptr<NimberSweep> sweep_;  // gone once there is nothing left to do
    mutable std::optional<Recurrence> search_;
    mutable std::size_t target_ = 0;
    mutable int refuted_ = 0;
};

}  // namespace engine
