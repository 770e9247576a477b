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

}  // namespace engine
