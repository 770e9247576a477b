// The nimbers of the heaps of one subtraction set, by formulas where there are some. Safe to
// share by threads.
#pragma once

#include <memory>
#include <optional>

#include "engine/base/budget.hpp"
#include "engine/base/recurrence.hpp"
#include "engine/rules/take.hpp"

namespace engine {

// Where each nimber occurs.
class Occurrences {
  public:
    virtual ~Occurrences() = default;

    // How many heaps below `end` are known to have the value. These are all of them where the
    // value of heap `end` has been given.
    virtual Count count_below(Number end, Number value) const = 0;

    // The heap number `index` (from 0) in ascending order that has the value.
    virtual Number heap_with(Number value, Count index) const = 0;
};

class TakeValues {
  public:
    virtual ~TakeValues() = default;

    // nullopt: not known within the budget or the memory.
    virtual std::optional<Number> value(Number heap, const Budget& budget) const = 0;

    // See HeapSolver::law().
    virtual std::optional<ProvenLaw> law(Number limit, const Budget& budget) const = 0;

    // Null if the members are so few that each can be tested.
    virtual const Occurrences* occurrences() const { return nullptr; }
};

// By formula. Null where there is none for this set.
std::shared_ptr<const TakeValues> closed_form(const TakeSet& set);

// By formula where there is one, else by a new table.
std::shared_ptr<const TakeValues> make_take_values(const TakeSet& set);

// ---- formulas: each is a theorem, which tests compare with play ----

// S = {a..b}: G(n) = floor((n mod (a+b)) / a). With a = 1 this is bounded nim, n mod (b+1);
// with a = b floor(n/a) mod 2; with b beyond every heap floor(n/a). Members may be added that
// are a..b modulo a+b: as a+b is a period, G(n-s) differs from G(n) for s+k(a+b) as it does for
// s.
class IntervalValues : public TakeValues, public Occurrences {
  public:
    explicit IntervalValues(const Interval& interval)
        : first_(interval.first),
          period_(interval.first + interval.last),
          is_open_(interval.last == protocol::kMaxNumber) {}

    std::optional<Number> value(Number heap, const Budget& budget) const override;
    const Occurrences* occurrences() const override { return this; }
    Count count_below(Number end, Number value) const override;
    Number heap_with(Number value, Count index) const override;
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override;

  private:
    // Heaps of a value are one run in each period.
    struct Run {
        Number first = 0;
        Number length = 0;
    };
    Run run(Number value) const;

    Number first_;
    Number period_;  // below 2^64
    bool is_open_;   // then no heap reaches the period, and G(n) = floor(n/a)
};

// S = {a,b}, b = 2ha+r, r < 2a, r != a (Winning Ways, chapter 4). The period is a+b, and in it
// r < a: (0^a 1^a)^h 0^r 2^(a-r) 1^r        r > a: (0^a 1^a)^(h+1) 2^(r-a)
class TwoElementValues : public TakeValues {
  public:
    TwoElementValues(Number a, Number b);

    std::optional<Number> value(Number heap, const Budget& budget) const override;
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override;

  private:
    Number a_;
    Number period_;
    Number repeats_;  // of 0^a 1^a
    Number rest_;     // r where r < a, else 0: then the tail is 2s alone
};

// S = all numbers but a: G(n) = a*floor(n/2a) + n mod a. For then each value belongs to two
// heaps, which are a apart: the one distance that cannot be taken.
class OneGapValues : public TakeValues, public Occurrences {
  public:
    explicit OneGapValues(Number gap) : gap_(gap) {}

    std::optional<Number> value(Number heap, const Budget& budget) const override;
    const Occurrences* occurrences() const override { return this; }
    Count count_below(Number end, Number value) const override;
    Number heap_with(Number value, Count index) const override;
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override;

  private:
    Number gap_;
};

// S = g*T: G_S(n) = G_T(floor(n/g)).
class ScaledValues : public TakeValues {
  public:
    ScaledValues(Number factor, std::shared_ptr<const TakeValues> values)
        : factor_(factor), values_(std::move(values)) {}

    std::optional<Number> value(Number heap, const Budget& budget) const override;
    std::optional<ProvenLaw> law(Number limit, const Budget& budget) const override;

  private:
    Number factor_;
    std::shared_ptr<const TakeValues> values_;
};

// The greatest common divisor of all members; 1 where some are neighbours.
Number common_factor(const TakeSet& set);
TakeSet divided(const TakeSet& set, Number factor);

}  // namespace engine
